"""The verbs solve, sample and trace: shapes, early stops, no recompiles, progress."""

import importlib
import sys
import types

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from slow_parameters import some
from symmetric import symmetric

import pmp_kit as pk
from benchmarks.costs import compilations
from pmp_kit import batches, run
from pmp_kit.engine import chunks, devices, memory, threads
from pmp_kit.samplers import colouring

sampling = importlib.import_module("pmp_kit.sample")  # `pk.sample` is the function

KEY = jax.random.key(0)


def model_of(seed, size=7):
    rng = np.random.default_rng(seed)
    weight = rng.normal(size=(size, size))
    return pk.Ising(symmetric(weight), rng.normal(size=size))


def test_no_number_compiles_again():
    """Damping, start, tolerance, patience, scale, sweeps, weights, evidence, key: all are traced."""
    before = None
    for number in range(1, 6):
        sampler = pk.PMP(
            damping=number / 10,
            start="zero" if number % 2 else "neutral",
            keep_best=number % 2 == 0,
            tolerance=number * 1e-3,
            patience=number,
            noise=pk.Gumbel(scale=number / 3),
        )
        key, model = jax.random.key(number), model_of(number)
        evidence = {"x": np.full(7, pk.FREE if number % 2 else 1)}
        pk.sample(key, model, sampler, num_samples=6, num_sweeps=number * 10, evidence=evidence)
        pk.sample(key, model, pk.Gibbs(), num_samples=6, num_sweeps=number)
        pk.sample(key, pk.ising_lattice(3, coupling=number / 10), sampler, num_samples=16, num_sweeps=number)
        pk.solve(model, pk.MaxProduct(number / 10), num_sweeps=number)
        pk.trace(key, model, sampler, num_sweeps=9 + number, every=2, observe=pk.observe.beliefs)
        compiled = run.compiled_draw_chunks(wide=False), run.compiled_draw_chunks(wide=True), run.trace_rows
        sizes = [each._cache_size() for each in compiled]
        before = before or sizes
        assert sizes == before, f"compiled again at round {number}"


def test_a_second_call_traces_nothing():
    """Finding out again how large a sample is would take four times as long as a small call itself."""
    traced = []

    class Counted(pk.Gibbs):
        def init(self, *arguments):
            traced.append(self)
            return super().init(*arguments)

        def sweep(self, *arguments):
            traced.append(self)
            return super().sweep(*arguments)

    calls = []
    for number in range(3):
        model, key = model_of(number), jax.random.key(number)
        pk.sample(key, model, Counted(), num_samples=4, num_sweeps=3 + number)
        pk.trace(key, model, Counted(), num_sweeps=5 + number, num_samples=4)
        calls.append(len(traced))
    assert calls[0] > 0
    assert calls == [calls[0]] * 3


def test_a_trace_shows_what_sample_returns():
    model, sampler = model_of(0), pk.PMP(tolerance=0.0)
    seen = pk.trace(KEY, model, sampler, num_sweeps=11, every=3, num_samples=4)
    assert seen.sweeps.tolist() == [0, 3, 6, 9, 11]
    assert seen.values["x"].shape == (5, 4, 7)
    for row, sweeps in enumerate(seen.sweeps):
        x = pk.sample(KEY, model, sampler, num_samples=4, num_sweeps=int(sweeps))["x"]
        np.testing.assert_array_equal(seen.values["x"][row], x)


@pytest.mark.parametrize("sampler", [pk.PMP(), pk.Gibbs()], ids=["PMP", "Gibbs"])
def test_a_trace_can_observe_any_view(sampler):
    model = model_of(1)
    graph = model.graph()

    def both(view):
        return {"score": pk.observe.score(view), "states": pk.observe.states(view)}

    seen = pk.trace(KEY, model, sampler, num_sweeps=4, observe=both, num_samples=3)
    scores = np.asarray(pk.exact.log_weights(graph))
    index = pk.exact.index_of(graph.variables, seen.values["states"])
    np.testing.assert_allclose(seen.values["score"], scores[index], rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("coupled", [False, True])
def test_perturbed_score_bounds_the_log_partition_function(coupled):
    """E[max of the perturbed score] >= log Z for zero-mean Gumbel noise; equal without factors (Section 2.2)."""
    unaries = np.random.default_rng(0).normal(size=(4, 3))
    factors = [pk.EdgeTables([[0, 1], [1, 2], [2, 3]], 2 * np.eye(3))] if coupled else []
    model = pk.FactorGraph(pk.Variables(x=pk.Categorical(4, states=3)), factors, unaries)
    seen = pk.trace(
        KEY, model, pk.PerturbAndMAP(pk.Exhaustive()), num_sweeps=0, num_samples=20_000,
        observe=pk.observe.perturbed_score,
    )  # fmt: skip
    gap = seen.values[0].mean() - float(pk.exact.log_partition(model))
    error = seen.values[0].std() / np.sqrt(20_000)
    if coupled:
        assert gap > 4 * error
    else:
        assert abs(gap) < 4 * error


def test_early_stop_uses_fewer_sweeps_and_gives_the_same_samples():
    model = pk.ising_lattice(5, coupling=0.1)
    stopped = pk.sample(KEY, model, pk.PMP(tolerance=1e-4), num_samples=50, num_sweeps=300)
    full = pk.sample(KEY, model, pk.PMP(tolerance=0.0), num_samples=50, num_sweeps=300)
    np.testing.assert_array_equal(stopped["x"], full["x"])
    assert (full.sweeps == 300).all()
    assert (stopped.sweeps < 300).any()


def test_patience_stops_a_chain_that_does_not_improve():
    rng = np.random.default_rng(1)
    weight = rng.uniform(-4, 4, size=(12, 12))
    model = pk.Ising(symmetric(weight), rng.normal(size=12))
    best, last = (
        pk.sample(KEY, model, pk.PMP(0.0, keep_best=keep, tolerance=0.0, patience=20), num_samples=20, num_sweeps=2000)
        for keep in (True, False)
    )
    assert (best.sweeps < 2000).all()
    assert (best.sweeps >= 20).all()
    assert best.sweeps.min() < best.sweeps.max()  # counted from the best score, which samples find at different times
    np.testing.assert_array_equal(last.sweeps, best.sweeps)  # although the last score falls and rises


def test_zero_sweeps_decode_the_start():
    model = model_of(0)
    x = pk.sample(KEY, model, pk.PMP(start="zero", noise=pk.Gumbel(0.0)), num_samples=2, num_sweeps=0)["x"]
    np.testing.assert_array_equal(x[0], np.asarray(model.bias) >= 0)


def test_solve_takes_many_problems_at_once():
    model = model_of(3)
    evidence = np.full((5, 7), pk.FREE)
    evidence[np.arange(5), np.arange(5)] = 1
    together = pk.solve(model, evidence={"x": evidence})
    assert together.states["x"].shape == (5, 7)
    assert together.score.shape == together.converged.shape == together.sweeps.shape == (5,)
    for row in range(5):
        alone = pk.solve(model, evidence={"x": evidence[row]})
        np.testing.assert_array_equal(alone.states["x"], together.states["x"][row])
        assert alone.score == pytest.approx(together.score[row])


@pytest.mark.parametrize("states", some([2, 3], {"3"}))
def test_evidence_of_all_samples_is_that_of_each(states):
    pairs = np.stack([np.arange(6), np.arange(1, 7)], axis=1)
    graph = pk.FactorGraph(pk.Variables(x=pk.Categorical(7, states=states)), [pk.Potts(pairs, 0.5, states)])
    known = np.array([pk.FREE, 1, pk.FREE, 0, pk.FREE, pk.FREE, 1])
    for draw in (pk.sample, pk.trace, jax.jit(pk.sample, static_argnames=("num_samples", "num_sweeps"))):
        once, each = (
            draw(KEY, graph, num_samples=5, num_sweeps=4, evidence={"x": evidence})
            for evidence in (known, np.broadcast_to(known, (5, 7)))
        )
        one, other = (drawn.values["x"] if isinstance(drawn, pk.Trace) else drawn["x"] for drawn in (once, each))
        np.testing.assert_array_equal(one, other)
        assert (np.asarray(one) == known)[..., known != pk.FREE].all()


@pytest.mark.parametrize("number", [3, 300])
def test_samples_are_the_caller_s_to_change(number):
    samples = pk.sample(KEY, model_of(0), num_samples=number, num_sweeps=1)
    samples["x"][0], samples.sweeps[0] = 0, 0


def test_what_is_observed_may_depend_on_the_number_of_samples():
    centred = lambda view: view.states - view.states.sum(-1, keepdims=True) / view.states.shape[-1]  # noqa: E731
    history = pk.trace(KEY, model_of(0), num_samples=4, num_sweeps=3, observe=centred)
    assert history.values.shape == (4, 4, 1, 7)
    np.testing.assert_allclose(history.values.mean(1), 0.0, atol=1e-6)


def test_what_is_observed_has_an_axis_of_samples():
    with pytest.raises(ValueError, match=r"observe: .* samples \(1\) on the last axis, got shape \(\)"):
        pk.trace(KEY, model_of(0), num_sweeps=3, observe=lambda view: view.states.sum())


def test_blocks_keep_their_shapes():
    variables = pk.Variables(a=pk.Binary(2, 3), b=pk.Categorical(4, states=5), c=pk.Binary())
    samples = pk.sample(KEY, pk.FactorGraph(variables), num_samples=7, num_sweeps=1)
    assert {name: x.shape for name, x in samples.items()} == {"a": (7, 2, 3), "b": (7, 4), "c": (7,)}
    assert all(x.dtype == np.int32 for x in samples.values())
    assert samples["b"].max() < 5


def test_calls_cover_every_sample_once():
    for number in (1, 2, 7, 16, 17, 100, 1000):
        for chunk in (1, 3, 64, 5000):
            parts = chunks.ids_of_calls(number, chunk, 1, devices.chosen(), most=5)
            ids = np.concatenate([part.reshape(-1) for part in parts])
            assert np.unique(ids).tolist() == list(range(number))
            assert np.array_equal(ids[:number], np.arange(number))


def test_chunks_fit_the_budget():
    assert choose(pk.ising_lattice(25), pk.PMP(), 1000) > 20
    dense = pk.Ising(np.zeros((900, 900)), np.zeros(900)).graph()
    assert choose(dense, pk.PMP(), 100) == 1


def choose(model, sampler, number):
    """The chunk on one device."""
    return chunks.choose(model, sampler, number, jax.devices()[:1])


def test_the_default_chunk_does_not_depend_on_the_number_of_cores(monkeypatch):
    sizes = {}
    for workers in (1, 2, 64):
        monkeypatch.setattr(threads, "workers", lambda *_, workers=workers: workers)
        samplers = pk.PMP(), pk.Gibbs(), pk.GibbsWithGradients()
        sizes[workers] = [choose(pk.ising_lattice(5), sampler, number) for sampler in samplers for number in (9, 100)]
    assert sizes[1] == sizes[2] == sizes[64]


def test_small_samples_come_in_sixteens():
    wanted = {1: 1, 10: 10, 16: 16, 17: 16, 20: 16, 33: 32, 100: 64, 500: 64}
    assert {number: chunks.in_lanes(number, 2, most=64) for number in wanted} == wanted
    assert [chunks.in_lanes(100, side, most=64) for side in (1, 4, 16)] == [64, 32, 16]
    assert [chunks.in_lanes(100, 2, most) for most in (100, 40, 3)] == [64, 32, 16]
    for number in range(1, 300):
        for side in (1, 2, 5, 64):
            size = chunks.in_lanes(number, side, most=1000)
            assert 1 <= size <= min(max(number, 1), chunks.MOST_SAMPLES["messages"])


def test_samples_whose_sweeps_keep_a_core_busy_are_divided():
    dense = pk.Ising(np.zeros((150, 150)), np.zeros(150)).graph()
    wanted = {1: 1, 16: 16, 17: 9, 100: 25}
    assert {number: choose(dense, pk.GibbsWithGradients(), number) for number in wanted} == wanted
    assert choose(dense, pk.Gibbs(), 100) == 100


def test_a_large_sample_is_alone_where_its_messages_go_out_together():
    dense = pk.Ising(np.zeros((150, 150)), np.zeros(150)).graph()
    together = pk.PMP(), pk.PersistentPMP(), pk.PerturbAndMAP(pk.Portfolio(pk.MaxProduct(), pk.SumProduct()))
    assert [choose(dense, sampler, 100) for sampler in together] == [1, 1, 1]
    mixed = pk.Portfolio(pk.MaxProduct(), pk.MPLP())
    in_turn = pk.Gibbs(), pk.PerturbAndMAP(pk.MPLP()), pk.PerturbAndMAP(mixed)
    assert all(choose(dense, sampler, 100) > 1 for sampler in in_turn)


def test_sparse_samples_fill_vectors_while_they_fit_in_the_cache():
    """Many small samples side by side, then 16 up to 8 MB, then the most of 4, 2 and 1 that fit in 4 MB."""
    sizes = [chunks.of_messages(2**power, 1, True, 100, 2) for power in (10, 14, 16, 18, 19, 20, 21, 22, 26)]
    assert sizes == [64, 64, 16, 16, 16, 4, 2, 1, 1]
    assert [chunks.of_messages(2**20, 1, True, number, 2) for number in (1, 3, 20)] == [1, 2, 4]
    assert [chunks.of_messages(2**power, 1, False, 100, 2) for power in (10, 16, 24)] == [64, 1, 1]


@pytest.mark.parametrize(("width", "wanted"), [(4, 16), (40, 16), (60, 1)])
def test_chunks_of_models_with_more_than_two_states(width, wanted):
    variables = pk.Variables(x=pk.Categorical(width, width, states=4))
    model = pk.FactorGraph(variables, [pk.Potts(pk.lattice_pairs(variables["x"]), 1.0, states=4)])
    assert choose(model, pk.PMP(), 100) == wanted


def test_chunks_of_large_lattices():
    assert [choose(pk.ising_lattice(width), pk.PMP(), 100) for width in (90, 200)] == [16, 2]
    assert pk.ising_lattice(9).is_sparse
    assert not pk.Ising(np.zeros((3, 3)), np.zeros(3)).graph().is_sparse


def test_sixteen_samples_that_are_read_by_index_use_wide_vectors(monkeypatch):
    used, program = [], run.compiled_draw_chunks
    monkeypatch.setattr(run, "compiled_draw_chunks", lambda wide: (used.append(wide), program(wide))[1])
    for model, number in (pk.ising_lattice(4), 16), (pk.ising_lattice(4), 5), (model_of(0), 16):
        pk.sample(KEY, model, num_samples=number, num_sweeps=2)
    assert used == [True, False, False]


def test_an_option_that_the_compiler_does_not_know_is_left_out(monkeypatch):
    monkeypatch.setattr(run, "WIDE", {"xla_made_up": 1})
    run.compiled_draw_chunks.cache_clear()
    assert pk.sample(KEY, pk.ising_lattice(4), num_samples=16, num_sweeps=2)["x"].shape == (16, 4, 4)
    run.compiled_draw_chunks.cache_clear()


def test_samples_inside_another_compiled_function_are_the_same():
    model, key = pk.ising_lattice(12), jax.random.key(0)
    outside = pk.sample(key, model, num_samples=9, num_sweeps=7)
    within = jax.jit(lambda key: pk.sample(key, model, num_samples=9, num_sweeps=7)["x"])(key)
    assert np.array_equal(outside["x"], within)


def test_extreme_weights_give_no_nan():
    for scale in (1e-6, 1e3, 1e6):
        model = pk.Ising(scale * np.asarray(model_of(0).weight), scale * np.asarray(model_of(0).bias))
        seen = pk.trace(KEY, model, pk.PMP(), num_sweeps=20, observe=pk.observe.beliefs, num_samples=10)
        assert np.isfinite(seen.values["x"]).all()


def test_a_graph_without_factors_or_edges_runs():
    variables = pk.Variables(x=pk.Binary(3))
    for factors in ([], [pk.Edges(np.zeros((0, 2), int), 1.0)]):
        graph = pk.FactorGraph(variables, factors, {"x": np.array([5.0, -5.0, 0.0])})
        for sampler in (pk.PMP(), pk.Gibbs(), pk.PersistentPMP()):
            assert pk.sample(KEY, graph, sampler, num_samples=2, num_sweeps=3)["x"].shape == (2, 3)
        assert pk.solve(graph).converged


@pytest.mark.parametrize(
    ("notebook", "environment", "shown"),
    [
        (True, {}, True),
        (True, {"CI": "true"}, False),
        (True, {"PMP_KIT_PROGRESS": "0"}, False),
        (False, {}, False),
        (False, {"CI": "true", "PMP_KIT_PROGRESS": "1"}, True),
    ],
    ids=["notebook", "CI", "switched off", "log", "switched on"],
)
def test_progress_is_shown_to_people_only(notebook, environment, shown, monkeypatch, capsys):
    from pmp_kit.engine import progress

    monkeypatch.setattr(progress, "DELAY", 0.0)
    shell = types.SimpleNamespace(kernel=None) if notebook else None
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=lambda: shell))
    monkeypatch.setitem(sys.modules, "ipykernel", types.ModuleType("ipykernel"))  # which does not say who runs the code
    for name in ("CI", "PMP_KIT_PROGRESS"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    pk.sample(KEY, model_of(0), num_samples=2000, num_sweeps=2, chunk=1)
    assert ("sampling" in capsys.readouterr().err) == shown


def test_float32_is_the_default():
    assert model_of(0).weight.dtype == jnp.float32


def test_inside_jit_a_chunk_is_that_of_one_device(monkeypatch):
    """It was sized for all devices, and one of them computed it."""
    sizes, choose = [], chunks.choose

    def counted(graph, sampler, number, used):
        sizes.append(len(used))
        return choose(graph, sampler, number, used)

    monkeypatch.setattr(chunks, "choose", counted)
    monkeypatch.setattr(sampling, "chosen", lambda given: (jax.devices()[0],) * 4)
    jax.jit(lambda key: pk.sample(key, pk.ising_lattice(3), num_samples=9, num_sweeps=1)["x"])(KEY)
    assert set(sizes) == {1}


def test_a_trace_observes_no_more_rows_than_it_returns():
    """The next power of two of rows was computed: 65 for 34 rows."""
    rows = []

    def counted(view):
        jax.debug.callback(lambda: rows.append(1))
        return pk.observe.score(view)

    pk.trace(KEY, pk.ising_lattice(3), num_sweeps=33, observe=counted)
    jax.effects_barrier()
    assert len(rows) == 34


def test_blocks_of_gibbs_are_checked_once(monkeypatch):
    checks, check = [], colouring.check

    def counted(*arguments):
        checks.append(1)
        return check(*arguments)

    monkeypatch.setattr(colouring, "check", counted)
    model, sampler = pk.ising_lattice(4), pk.Gibbs(blocks=pk.colours(pk.ising_lattice(4)))
    for number in range(3):
        pk.sample(jax.random.key(number), model, sampler, num_samples=2, num_sweeps=1)
    assert len(checks) == 1


def test_another_number_of_chains_compiles_nothing():
    """JAX compiled `reshape` and `concatenate` for each number of samples to join the chains."""
    counts = []
    for number in (40, 41, 42):
        pk.sample(KEY, pk.ising_lattice(4), pk.Gibbs(), num_samples=number, num_sweeps=1, chunk=40)
        counts.append(compilations())
    assert counts[2] == counts[1]  # from 41 on there are two chunks


def test_a_model_is_built_once_but_a_changed_one_again():
    """Equinox modules of JAX arrays cannot change. Other models can, so they are built in each call."""
    built = []

    class Counted(eqx.Module):
        bias: jax.Array | np.ndarray

        def graph(self):
            built.append(1)
            return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), unaries={"x": self.bias})

    fixed, free = Counted(jnp.array([90.0, 90.0])), Counted(np.array([90.0, 90.0]))
    for _ in range(3):
        assert pk.solve(fixed).states["x"].tolist() == [1, 1]
    assert len(built) == 1
    assert pk.solve(free).states["x"].tolist() == [1, 1]
    free.bias[:] = -90.0
    assert pk.solve(free).states["x"].tolist() == [0, 0]


def test_many_problems_are_solved_in_chunks_within_the_memory(monkeypatch):
    """All problems were solved in one call of any size, on one core and without a progress bar."""
    sizes, real = [], batches._Program.in_one_call

    def counted(task, ids, step):
        sizes.append(ids.shape)
        return real(task, ids, step)

    monkeypatch.setattr(batches._Program, "in_one_call", counted)
    evidence = {"x": np.full((600, 5, 5), pk.FREE)}
    assert pk.solve(pk.ising_lattice(5), evidence=evidence).score.shape == (600,)
    assert max(chunk for _, chunk in sizes) <= chunks.MOST_SAMPLES["messages"]
    monkeypatch.setattr(memory, "available", lambda: 1e6)
    monkeypatch.setattr(memory, "SMALL", 0)
    with pytest.raises(ValueError, match="free memory, got 600000 of 25 variables"):
        pk.solve(pk.ising_lattice(5), evidence={"x": np.full((600_000, 5, 5), pk.FREE, np.int8)})
