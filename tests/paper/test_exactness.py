"""Where perturb-and-max-product is exact, and where its closed form is known."""

import jax
import numpy as np
import pytest
from pair_models import attractive, tree
from sampler_examples import FALSE_ALARM, chi_square

import pmp_kit as pk

KEY = jax.random.key(40)


def test_without_factors_pmp_draws_from_the_model(row):
    """Gumbel-max: independent variables, two and three states; chi-square over all joint states."""
    variables = pk.Variables(x=pk.Binary(3), y=pk.Categorical(2, states=3))
    rng = np.random.default_rng(0)
    model = pk.FactorGraph(variables, unaries={"x": rng.normal(size=3), "y": rng.normal(size=(2, 3))})
    samples = pk.sample(KEY, model, pk.PMP(), num_samples=50_000, num_sweeps=1)
    row("2.2 unaries alone, p-value of PMP's 50,000 samples", (FALSE_ALARM, 1.0), chi_square(model, samples))


@pytest.mark.parametrize("coupling", [0.1, 0.25, 0.5, 1.0])
def test_two_spins_have_the_closed_form(row, coupling):
    """P(x1 = x2) = 1 - 2 / (1 + e^{2J})^2, which is not Gibbs's 1 / (1 + e^{-2J}); bounds are four standard errors."""
    number = 200_000
    x = pk.sample(KEY, pk.CompleteIsing(coupling, spins=2), pk.PMP(), num_samples=number, num_sweeps=20)["x"]
    truth = 1 - 2 / (1 + np.exp(2 * coupling)) ** 2
    error = np.sqrt(truth * (1 - truth) / number)
    row(f"2.2 P(x1 = x2) of two spins, J = {coupling}", truth, (x[:, 0] == x[:, 1]).mean(), 4 * error)


def chain(seed, size=20):
    """A chain of binary variables."""
    rng = np.random.default_rng(seed)
    pairs = np.stack([np.arange(size - 1), np.arange(1, size)], 1)
    factor = pk.Edges(pairs, rng.normal(size=size - 1, scale=3))
    return pk.FactorGraph(pk.Variables(x=pk.Binary(size)), [factor], {"x": rng.normal(size=size)})


def agreement(model, sampler, exact, num_sweeps) -> float:
    """Share of 50 perturbations (the same for both) that end in the same states."""
    options = {"num_samples": 50, "num_sweeps": num_sweeps}
    ours, truth = (pk.sample(KEY, model, each, **options)["x"] for each in (sampler, exact))
    return (ours == truth).reshape(50, -1).all(1).mean()


@pytest.mark.parametrize("name", ["chains of 20 binary variables", "trees of 20 variables, three states"])
def test_chains_and_trees_are_decoded_exactly(row, name):
    """Undamped and after as many sweeps as variables, against one pass of dynamic programming."""
    models = [chain(seed) if name.startswith("chains") else tree(seed, 3, 20).graph for seed in range(2)]
    sampler = pk.PMP(damping=0.0, keep_best=False, tolerance=0.0)
    rate = np.mean([agreement(model, sampler, pk.PerturbAndMAP(pk.TreePass()), 20) for model in models])
    row(f"2.4 share of exact MAPs, {name}", 1.0, rate)


ATTRACTIVE = {
    "10 x 10 lattice, J = 0.2": (0.9, [pk.ising_lattice(10, 0.2)]),
    "10 x 10 lattice, J = 0.5": (0.5, [pk.ising_lattice(10, 0.5)]),
    "dense, 12 variables": (0.9, [attractive(seed, 12) for seed in range(5)]),
}


@pytest.mark.parametrize("name", ATTRACTIVE)
@pytest.mark.slow
def test_agreement_with_max_flow_on_attractive_models(row, name):
    """The exact MAP by max-flow. The paper gives no rate: ours is reported, and may not fall below the lower bound."""
    lowest, models = ATTRACTIVE[name]
    rate = np.mean([agreement(model, pk.PMP(), pk.PerturbAndMAP(pk.MaxFlow()), 200) for model in models])
    row(f"2.4 share of exact MAPs (max-flow), {name}", (lowest, 1.0), rate)
