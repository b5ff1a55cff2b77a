"""Do a few sweeps of Gibbs sampling after PMP beat both? `python benchmarks/warm_start.py` prints a table.

Each sampler draws 20,000 samples of a model with at most 2^16 joint states. The table has their total variation
distance from p(x) and the root mean square error of the moments of pairs, beside those of as many perfect samples.
"""

import jax
import numpy as np

import pmp_kit as pk

NUMBER = 20_000
SWEEPS = (1, 3, 10, 30)
KEY = jax.random.key(0)


def random_graph(seed: int, scale: float) -> pk.Ising:
    """Return an Erdos-Renyi graph of 14 spins with normal couplings of both signs, in states 0 and 1."""
    rng = np.random.default_rng(seed)
    joined = np.triu(rng.random((14, 14)) < 0.3, 1)
    weight = np.where(joined, scale * rng.normal(size=(14, 14)), 0.0)
    return pk.Ising(weight + weight.T, 0.3 * rng.normal(size=14))


def four_spins() -> pk.CompleteIsing:
    """Return four spins that are all joined, the model of Section 5.1."""
    return pk.CompleteIsing(0.5)


MODELS = {
    "four spins, coupling 0.5": zeros,
    "lattice 4 x 4, coupling 0.2, bias 0.05": lambda: pk.ising_lattice(4, coupling=0.2, bias=0.05),
    "lattice 4 x 4, coupling 0.5, bias 0.02": lambda: pk.ising_lattice(4, coupling=0.5, bias=0.02),
    "random graph of 14, weights of sd 2": lambda: random_graph(0, 2.0),
    "random graph of 14, weights of sd 4": lambda: random_graph(1, 4.0),
}


def main() -> None:
    """Print one row for each model and sampler."""
    for name, build in MODELS.items():
        model = build()
        variables = model.graph().variables
        exact = np.asarray(pk.exact.probabilities(model), float)
        states = next(iter(pk.exact.states(variables).values())).reshape(exact.size, -1)
        moments = (states * exact[:, None]).T @ states

        def errors(index, exact=exact, states=states, moments=moments):
            counts, x = np.bincount(index, minlength=exact.size), states[index]
            distance = 0.5 * np.abs(counts / len(index) - exact).sum()
            return f"{distance:.3f} | {np.sqrt(((x.T @ x / len(x) - moments) ** 2).mean()):.4f}"

        def drawn(sampler, num_sweeps, model=model, variables=variables, errors=errors):
            samples = pk.sample(KEY, model, sampler, num_samples=NUMBER, num_sweeps=num_sweeps)
            return errors(pk.exact.index_of(variables, samples))

        perfect = np.random.default_rng(0).choice(exact.size, NUMBER, p=exact / exact.sum())
        print(f"| {name} | perfect samples | {errors(perfect)} |")
        print(f"| {name} | PMP, 50 sweeps | {drawn(pk.PMP(), 50)} |")
        for sweeps in SWEEPS:
            print(f"| {name} | WarmStart, {sweeps} sweeps | {drawn(pk.WarmStart(), sweeps)} |", flush=True)
            print(f"| {name} | Gibbs, {sweeps} sweeps | {drawn(pk.Gibbs(), sweeps)} |", flush=True)


if __name__ == "__main__":
    main()
