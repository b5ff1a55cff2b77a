"""Persistent PMP: its noise stays or is forgotten, and it takes new evidence."""

import jax

import pmp_kit as pk

KEY = jax.random.key(0)


def test_noise_that_stays_keeps_the_samples_and_new_noise_forgets_them():
    """Appendix A, which is measured in tests/paper, at its two ends."""
    model, options = pk.ising_lattice(10, coupling=0.2), {"num_samples": 20, "num_sweeps": 100}
    for rho, same in ((1.0, True), (0.0, False)):
        first = pk.sample(KEY, model, pk.PersistentPMP(rho), **options)
        then = pk.sample(jax.random.key(1), model, pk.PersistentPMP(rho), previous=first.chains, **options)
        agree = (first["x"] == then["x"]).mean()
        assert agree > 0.99 if same else abs(agree - 0.5) < 0.1


def test_new_evidence_replaces_the_infinite_messages_of_the_old_evidence():
    """An output of 0 forces all inputs to 0. An output of 1 then needs some input of 1."""
    graph = pk.FactorGraph(pk.Variables(x=pk.Binary(3), z=pk.Binary()), [pk.Or([0, 1, 2], 3)])
    options = {"num_samples": 50, "num_sweeps": 10}
    chains = None
    for output in (0, 1, 0):
        samples = pk.sample(KEY, graph, pk.PersistentPMP(), evidence={"z": output}, previous=chains, **options)
        assert (samples["x"].any(1) == output).all()
        chains = samples.chains
