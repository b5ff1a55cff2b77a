"""Tables of any shapes in one group: one program, and the same parameters. Their messages are in `oracles`."""

import jax
import numpy as np
import pytest

import pmp_kit as pk
from pmp_kit.factors.table_plan import ends_of, plan_of


def net(seed=0, number=8, size=10):
    """Variables of 2 to 6 states, and scopes and tables of 1 to 4 of them, some with forbidden entries."""
    rng = np.random.default_rng(seed)
    variables = pk.Variables(a=pk.Binary(3), b=pk.Categorical(4, states=3), c=pk.Categorical(3, states=6))
    scopes = [rng.choice(size, size=rng.integers(1, 5), replace=False).tolist() for _ in range(number)]
    tables = [rng.normal(size=variables.cardinalities[scope]) for scope in scopes]
    for table in tables[::3]:
        table[rng.uniform(size=table.shape) < 0.2] = -np.inf
        table.flat[0] = 0.0
    return variables, scopes, tables, rng.normal(size=(size, 6))


def by_shape(scopes, tables):
    """The same factors in groups of one shape. Groups with and without forbidden entries start differently."""
    groups = {}
    for scope, table in zip(scopes, tables, strict=True):
        groups.setdefault((table.shape, np.isfinite(table).all()), []).append((scope, table))
    return [pk.NWise([s for s, _ in group], np.stack([t for _, t in group])) for group in groups.values()]


def test_a_program_does_not_grow_with_the_number_of_shapes():
    """What XLA has to compile: the operations of an update. `NWise` needs a group for each of the 24 shapes."""

    def operations(factors, variables):
        graph = pk.FactorGraph(variables, factors)
        beliefs = np.zeros((variables.num_planes, variables.count, 1), np.float32)

        def sweep(beliefs):
            return graph.update(beliefs, tuple(factor.neutral_messages((1,)) for factor in graph.factors))

        return len(str(jax.make_jaxpr(sweep)(beliefs)).splitlines())

    variables = pk.Variables(**{f"x{c}": pk.Categorical(2, states=c) for c in range(2, 9)})
    pairs = [(i, j) for i in range(0, 14, 2) for j in range(1, 14, 2) if i // 2 <= j // 2]
    tables = [np.zeros(variables.cardinalities[list(pair)]) for pair in pairs]
    assert len({table.shape for table in tables}) == 28
    alike = [(scope, table) for scope, table in zip(pairs, tables, strict=True) if max(table.shape) <= 3]
    few = operations([pk.Tables(*map(list, zip(*alike, strict=True)))], variables)
    many = operations([pk.Tables(pairs, tables)], variables)
    assert many < 3 * few
    assert many < operations(by_shape(pairs, tables), variables) / 5


def test_index_arrays_are_linear_in_the_number_of_entries():
    """A table of 14 variables beside pairs: nothing is padded to its size, and no row is more than twice as long."""
    shapes = [(2,) * 14, *[(3, 2)] * 500]
    plan = plan_of(shapes, ends_of(shapes))
    entries = sum(int(np.prod(shape)) for shape in shapes)
    assert sum(leaf.size for leaf in jax.tree.leaves(plan)) < 12 * entries


def test_tables_made_inside_jit_are_the_same():
    variables, scopes, tables, unaries = net()
    tables = [np.where(np.isfinite(table), table, -3.0) for table in tables]

    @jax.jit
    def solved(tables):
        return pk.solve(pk.FactorGraph(variables, [pk.Tables(scopes, tables)], unaries), num_sweeps=20).score

    outside = pk.solve(pk.FactorGraph(variables, [pk.Tables(scopes, tables)], unaries), num_sweeps=20).score
    assert solved(tables) == pytest.approx(float(outside), rel=1e-5)


def test_each_table_is_returned_as_it_was_given():
    _, scopes, tables, _ = net()
    for (ids, ours), scope, given in zip(pk.Tables(scopes, tables).as_tables(), scopes, tables, strict=True):
        np.testing.assert_array_equal(ids, [scope])
        np.testing.assert_allclose(ours[0], given, rtol=1e-6)


def test_learning_moves_each_table_as_its_group_of_one_shape_does():
    variables, scopes, tables, _ = net()
    states = {name: np.random.default_rng(1).integers(2, size=(30, *ids.shape)) for name, ids in variables.items()}
    tables = [np.where(np.isfinite(table), table, 0.0) for table in tables]
    models = [pk.FactorGraph(variables, factors) for factors in ([pk.Tables(scopes, tables)], by_shape(scopes, tables))]
    ours, theirs = (pk.data_moments(model, states) for model in models)
    total = sum(float(np.square(factor.table).sum()) for factor in theirs.factors)
    assert float(np.square(ours.factors[0].table).sum()) == pytest.approx(total, rel=1e-5)
