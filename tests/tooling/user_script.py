"""Five models that need only README.md and the documentation, each with checks. All keys are fixed."""

import time

import jax
import jax.numpy as jnp
import numpy as np
import optax

import pmp_kit as pk

key = jax.random.key(0)


# 1. Hidden Markov model: 3 states, 30 steps, one forbidden transition, observations as evidence.
def hidden_markov():
    rng = np.random.default_rng(1)
    transition = np.array([[0.8, 0.2, 0.0], [0.1, 0.7, 0.2], [0.25, 0.05, 0.7]])  # 0 -> 2 is forbidden
    emission = np.array([[0.6, 0.3, 0.1], [0.2, 0.6, 0.2], [0.1, 0.2, 0.7]])
    length, states = 30, 3
    truth = [0]
    for _ in range(length - 1):
        truth.append(rng.choice(states, p=transition[truth[-1]]))
    seen = np.array([rng.choice(states, p=emission[state]) for state in truth])

    variables = pk.Variables(path=pk.Categorical(length, states=states), seen=pk.Categorical(length, states=states))
    path = variables["path"]
    steps = np.stack([path[:-1], path[1:]], axis=1)
    looks = np.stack([path, variables["seen"]], axis=1)
    with np.errstate(divide="ignore"):
        factors = [pk.EdgeTables(steps, np.log(transition)), pk.EdgeTables(looks, np.log(emission))]
    model = pk.FactorGraph(variables, factors)
    evidence = {"seen": seen}
    draw = {"num_samples": 4000, "num_sweeps": 0, "evidence": evidence}
    paths = pk.sample(key, model, pk.ForwardBackward(), **draw)["path"]
    frequencies = (np.asarray(paths)[..., None] == np.arange(states)).mean(0)

    # Exact: textbook forward-backward (uniform first state), and the kit's sum-product on the same tree.
    forward, backward = np.zeros((length, states)), np.ones((length, states))
    forward[0] = emission[:, seen[0]] / states
    for t in range(1, length):
        forward[t] = forward[t - 1] @ transition * emission[:, seen[t]]
    for t in range(length - 2, -1, -1):
        backward[t] = transition @ (emission[:, seen[t + 1]] * backward[t + 1])
    exact = forward * backward / (forward * backward).sum(1, keepdims=True)
    loopless = pk.solve(model, pk.SumProduct(), num_sweeps=200, evidence=evidence)
    best = pk.solve(model, pk.TreePass(), evidence=evidence)
    viterbi = np.asarray(best.states["path"])

    error = np.abs(frequencies - exact).max()
    assert error < 0.04
    assert np.abs(loopless.marginals["path"] - exact).max() < 1e-3
    assert abs(loopless.log_partition - np.log(3 * forward[-1].sum())) < 1e-3
    assert not ((paths[:, :-1] == 0) & (paths[:, 1:] == 2)).any()
    assert best.possible
    assert best.converged
    assert not ((viterbi[:-1] == 0) & (viterbi[1:] == 2)).any()
    assert best.score >= pk.score(model, {"path": paths, "seen": np.tile(seen, (4000, 1))}).max() - 1e-4
    return f"largest error of sampled marginals {error:.3f}; best path has {(viterbi == truth).mean():.0%} of the truth"


# 2. Stereo: the right image is the left one shifted by the disparity; a Potts model smooths the matches.
def stereo():
    rng = np.random.default_rng(2)
    height, width, states = 24, 32, 6
    truth = np.full((height, width), 1)
    truth[4:14, 6:18], truth[12:21, 18:29] = 4, 3
    right = rng.uniform(size=(height, width + states))
    left = np.take_along_axis(right, np.arange(width) + states - truth, axis=1) + rng.normal(0, 0.1, truth.shape)
    shifted = np.stack([right[:, states - d : states - d + width] for d in range(states)], axis=-1)
    scores = -5.0 * np.minimum(np.abs(left[..., None] - shifted), 0.4)  # minus the data costs

    variables = pk.Variables(disparity=pk.Categorical(height, width, states=states))
    pairs = pk.lattice_pairs(variables["disparity"])
    model = pk.FactorGraph(variables, [pk.Potts(pairs, weight=0.6, states=states)], {"disparity": scores})
    solution = pk.solve(model, pk.Portfolio(pk.MaxProduct(), pk.MPLP()), num_sweeps=500)
    right_share = (np.asarray(solution.states["disparity"]) == truth).mean()
    alone = (scores.argmax(-1) == truth).mean()
    gap = float(solution.bound - solution.score)
    assert right_share > 0.9
    assert right_share > alone + 0.1
    assert -1e-3 < gap < 0.01 * abs(float(solution.score))
    return f"{right_share:.1%} right (each pixel alone {alone:.0%}); score {solution.score:.3f}, bound +{gap:.4f}"


# 3. A low-density parity-check code (LDPC): a random (3, 6) code, 100 words through a binary symmetric channel.
def ldpc():
    rng = np.random.default_rng(3)
    n, words, flip = 120, 100, 0.04
    while True:  # three permutations of the bits, cut into checks of six: each bit is in three checks
        checks = np.concatenate([rng.permutation(n).reshape(-1, 6) for _ in range(3)])
        if len({tuple(sorted(check)) for check in checks}) == len(checks):
            break
    received = rng.random((words, n)) < flip
    log_odds = np.where(received, 1, -1) * np.log((1 - flip) / flip)  # log p(bit = 1) / p(bit = 0)
    variables = pk.Variables(bit=pk.Binary(n))
    parity = pk.Parity(variables["bit"][checks])

    @jax.jit
    @jax.vmap
    def decode(unary):
        return pk.solve(pk.FactorGraph(variables, [parity], {"bit": unary}), pk.SumProduct(), num_sweeps=100)

    solution = decode(jnp.asarray(log_odds))
    bits = np.asarray(solution.states["bit"])
    kept = (bits[:, checks].sum(-1) % 2 == 0).all(1)
    recovered = (bits == 0).all(1)
    assert (kept == np.asarray(solution.possible)).all()
    assert (recovered <= kept).all()
    assert (bits == (np.asarray(solution.marginals["bit"])[..., 1] > 0.5)).all()
    assert recovered.mean() > 0.85
    assert received.any(1).mean() > 0.9
    flips = received.sum(1).mean()
    return f"{recovered.sum()} of {words} words recovered, {kept.sum()} keep all checks, {flips:.1f} flips"


# 4. A factor of three variables from a function: a bonus where the middle one is strictly between its neighbours.
def between(params, x):
    monotone = ((x[0] < x[1]) & (x[1] < x[2])) | ((x[0] > x[1]) & (x[1] > x[2]))
    return params["bonus"] * monotone


def custom():
    variables = pk.Variables(x=pk.Categorical(8, states=3))
    x = variables["x"]
    triples = np.stack([x[:-2], x[1:-1], x[2:]], axis=1)

    def build(bonus):
        return pk.FactorGraph(variables, [pk.Custom(triples, between, {"bonus": bonus}, states=3)])

    truth = build(1.2)
    index = jax.random.choice(key, 3**8, (3000,), p=pk.exact.probabilities(truth))  # exact draws by enumeration
    data = {"x": pk.exact.states(variables)["x"][index]}
    options = {"optimizer": optax.adam(0.05), "steps": 150, "batch_size": 500, "num_sweeps": 5, "persistent": True}
    result = pk.fit(key, build(0.0), data, pk.Gibbs(), **options)
    learned = float(result.model.factors[0].params["bonus"])
    assert abs(learned - 1.2) < 0.15
    return f"learned bonus {learned:.3f}, true 1.2"


# 5. 100 small Ising models sampled in one compiled call. Gibbs, because PMP does not follow p(x) of a given model.
def many_ising():
    n, models = 6, 100
    weights = 0.7 * jnp.triu(jax.random.normal(key, (models, n, n)), 1)
    weights, bias = weights + weights.swapaxes(1, 2), jnp.linspace(-0.5, 0.5, n)
    keys = jax.random.split(key, models)

    @jax.jit
    @jax.vmap
    def draw(key, weight):
        return pk.sample(key, pk.Ising(weight, bias), pk.Gibbs(), num_samples=500, num_sweeps=50)

    means = np.asarray(draw(keys, weights)["x"]).mean(1)  # (100, 6)
    some = range(0, models, 20)
    exact = np.stack([pk.exact.marginals(pk.Ising(weights[i], bias))["x"][:, 1] for i in some])
    error = np.abs(means[list(some)] - exact).max()
    assert means.shape == (models, n)
    assert error < 0.1
    return f"largest error of a mean in {len(some)} models {error:.3f}"


PARTS = (hidden_markov, stereo, ldpc, custom, many_ising)

if __name__ == "__main__":
    for part in PARTS:
        start = time.perf_counter()
        line = part()
        print(f"{part.__name__}: {line} ({time.perf_counter() - start:.1f} s)", flush=True)
