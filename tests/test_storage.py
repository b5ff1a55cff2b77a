"""Storage: what is saved comes back equal; what is damaged, newer or of another model is refused."""

import io
import json
import os
import pathlib
import stat

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest

import pmp_kit as pk
from pmp_kit import storage

KEY = jax.random.key(0)
MODELS = {
    "RBM": pk.rbm(KEY, (2, 3), 4, scale=1.0),
    "Ising": pk.Ising(1 - np.eye(3), np.arange(3.0)),
    "lattice": pk.ising_lattice(3, 0.3),
    "tables": pk.FactorGraph(pk.Variables(x=pk.Categorical(3, states=4)), [pk.EdgeTables([[0, 1], [1, 2]], np.eye(4))]),
    "tied": pk.CompleteIsing(0.25),
}


def zeroed(model):
    return jax.tree.map(lambda x: 0 * x if x.dtype.kind == "f" else x, model)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "model.eqx"
    pk.save(path, MODELS["RBM"])
    return path


@pytest.mark.parametrize("name", MODELS)
def test_a_model_comes_back_equal(name, tmp_path):
    model, path = MODELS[name], tmp_path / "model"
    pk.save(str(path), model)
    back = pk.load(path, zeroed(model))
    assert type(back) is type(model)
    assert jax.tree.structure(back) == jax.tree.structure(model)
    for ours, theirs in zip(jax.tree.leaves(back), jax.tree.leaves(model), strict=True):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    assert [file.name for file in tmp_path.iterdir()] == ["model"]


def test_a_damaged_file_is_refused(saved):
    """It is cut off, as after a full disk, or a bit of it has changed."""
    content = saved.read_bytes()
    changed = bytearray(content)
    changed[len(content) // 2] ^= 0x01
    for damaged in (b"", content[: len(content) * 9 // 10], bytes(changed)):
        saved.write_bytes(damaged)
        with pytest.raises(ValueError, match=r"model.eqx: expected a complete file written by pmp_kit.save, got one"):
            pk.load(saved, MODELS["RBM"])


def test_files_of_others_are_refused(tmp_path):
    np.savez(tmp_path / "other.npz", weight=np.zeros(3))
    np.savez(tmp_path / "objects.npz", about=np.array([{}], dtype=object))
    (tmp_path / "text").write_text("hello")
    (tmp_path / "list").write_text("[1]\n")
    (tmp_path / "other.json").write_text('{"weight": 1}\n')
    eqx.tree_serialise_leaves(tmp_path / "bare.eqx", MODELS["RBM"])
    for path in tmp_path.iterdir():
        with pytest.raises(ValueError, match=r"expected a complete file written by pmp_kit.save"):
            pk.load(path, MODELS["RBM"])
    with pytest.raises(ValueError, match=r"got one with a .npz archive, as older versions wrote it; save it again"):
        pk.load(tmp_path / "other.npz", MODELS["RBM"])
    with pytest.raises(FileNotFoundError):
        pk.load(tmp_path / "nothing", MODELS["RBM"])


def test_nothing_in_a_file_is_executed(saved):
    """A pickle where an array is expected, in a file with the right checksum."""

    class Evil:
        def __reduce__(self):
            return pathlib.Path.touch, (saved.parent / "executed",)

    line, content = saved.read_bytes().split(b"\n", 1)
    about = json.loads(line)
    del about["checksum"]
    first = io.BytesIO()
    np.save(first, np.array([Evil()], dtype=object))
    content = first.getvalue() + content
    about = {"checksum": storage._checksum(about, content), **about}
    saved.write_bytes(json.dumps(about).encode() + b"\n" + content)
    with pytest.raises((ValueError, RuntimeError)):
        pk.load(saved, MODELS["RBM"])
    assert not (saved.parent / "executed").exists()


def test_a_newer_version_is_refused(saved):
    line, content = saved.read_bytes().split(b"\n", 1)
    saved.write_bytes(json.dumps({**json.loads(line), "pmp_kit": 99}).encode() + b"\n" + content)
    with pytest.raises(ValueError, match="expected version 2, got 99; install a newer pmp_kit"):
        pk.load(saved, MODELS["RBM"])


def test_a_file_of_another_model_is_refused(saved):
    with pytest.raises(ValueError, match="expected the kind Ising, got RBM"):
        pk.load(saved, MODELS["Ising"])
    with pytest.raises(ValueError, match="expected the blocks"):
        pk.load(saved, pk.rbm(KEY, (2, 3), 5))


def test_a_file_with_other_wiring_is_refused(tmp_path):
    variables = pk.Variables(x=pk.Binary(4))
    one, other, more = (
        pk.FactorGraph(variables, [pk.Edges(pairs, np.ones(len(pairs)))])
        for pairs in ([[0, 1]], [[2, 3]], [[0, 1], [2, 3]])
    )
    pk.save(tmp_path / "m.eqx", one)
    with pytest.raises(ValueError, match="pairs: expected equal integers and booleans"):
        pk.load(tmp_path / "m.eqx", other)
    with pytest.raises(ValueError, match=r"expected shape \(2,\).*got \(1,\)"):
        pk.load(tmp_path / "m.eqx", more)
    message = r"expected the arrays of `like`, but only `like` has .allowed; forbid the same states"
    with pytest.raises(ValueError, match=message):
        pk.load(tmp_path / "m.eqx", pk.FactorGraph(variables, one.factors, {"x": [-np.inf, 0.0, 0.0, 0.0]}))


def test_a_file_with_other_settings_is_refused(tmp_path):
    """A model with the opposite sign was loaded, and its score changed from 2 to -2 without an error."""

    class Signed(eqx.Module):
        weight: jax.Array
        sign: int = eqx.field(static=True)

        def graph(self):
            return pk.FactorGraph(pk.Variables(x=pk.Binary(2)), [pk.Edges([[0, 1]], self.sign * self.weight)])

    pk.save(tmp_path / "m.eqx", Signed(jnp.ones(1), 1))
    assert pk.load(tmp_path / "m.eqx", Signed(jnp.zeros(1), 1)).weight == 1
    with pytest.raises(ValueError, match=r"expected the settings \[\['Signed', 'sign', -1\]"):
        pk.load(tmp_path / "m.eqx", Signed(jnp.zeros(1), -1))


def test_a_file_of_other_factors_is_refused(tmp_path):
    one, two, most = (
        pk.FactorGraph(pk.Variables(x=pk.Binary(3)), [factor])
        for factor in (pk.ExactlyK([0, 1, 2], 1), pk.ExactlyK([0, 1, 2], 2), pk.AtMostK([0, 1, 2], 1))
    )
    pk.save(tmp_path / "m.eqx", one)
    with pytest.raises(ValueError, match="k: expected equal integers and booleans, because"):
        pk.load(tmp_path / "m.eqx", two)
    with pytest.raises(ValueError, match=r"m.eqx: expected the factors \['AtMostK'\], got"):
        pk.load(tmp_path / "m.eqx", most)


def test_a_failed_save_leaves_the_old_file(saved, monkeypatch):
    before = saved.read_bytes()
    monkeypatch.setattr(os, "replace", lambda *paths: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        pk.save(saved, MODELS["RBM"])
    assert saved.read_bytes() == before
    assert list(saved.parent.iterdir()) == [saved]


@pytest.mark.skipif(os.name != "posix", reason="modes and links of files are those of POSIX")
def test_a_link_stays_and_a_file_keeps_its_mode(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "model.eqx", tmp_path / "link.eqx"
    link.symlink_to(pathlib.Path("there") / target.name)
    pk.save(link, MODELS["Ising"])  # the target does not exist yet
    target.chmod(0o600)
    pk.save(link, zeroed(MODELS["Ising"]))
    assert link.is_symlink()
    assert stat.S_IMODE(target.stat().st_mode) == 0o600
    assert not pk.load(target, MODELS["Ising"]).weight.any()
    assert [file.name for file in target.parent.iterdir()] == [target.name]


def test_what_is_no_model_is_not_saved(tmp_path):
    with pytest.raises(TypeError, match=r"got tuple .*; save pk\.TrainingState\(step, model, optimizer_state, ch"):
        pk.save(tmp_path / "x.eqx", (MODELS["Ising"], {"mu": np.ones(3)}, None))
    with pytest.raises(TypeError, match=r"its model has no \.graph\(\): save it with equinox\.tree_serialise_leaves"):
        pk.save(tmp_path / "x.eqx", pk.TrainingState(1, {"weight": np.zeros(3)}, None, None, None))
    result = pk.fit(KEY, MODELS["Ising"], {"x": np.ones((4, 3), int)}, steps=1, num_sweeps=2, num_chains=2)
    with pytest.raises(TypeError, match=r"got FitResult.*; give its \.state, with which `resume` continues"):
        pk.save(tmp_path / "x.eqx", result)
    with pytest.raises(TypeError, match=r"resume: expected a TrainingState .*, got FitResult.*; give its \.state"):
        pk.fit(KEY, MODELS["Ising"], {"x": np.ones((4, 3), int)}, steps=2, num_sweeps=2, resume=result)
    assert not list(tmp_path.iterdir())


def test_a_path_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="expected a path in a folder that exists"):
        pk.save(tmp_path / "none" / "x.eqx", MODELS["Ising"])
    with pytest.raises(IsADirectoryError, match="expected the path of a file, got a folder"):
        pk.save(tmp_path, MODELS["Ising"])


class Jittered(eqx.Module):
    """A model of one's own with a key that its `graph` does not use."""

    w: jax.Array
    key: jax.Array

    def graph(self):
        return pk.ising_lattice(3, coupling=self.w)


def learned(steps, optimizer, resume=None):
    data = {"x": np.tile(np.eye(3, dtype=int), (5, 1, 1))}
    options = {"num_sweeps": 2, "batch_size": 3, "optimizer": optimizer, "resume": resume}
    return pk.fit(KEY, Jittered(jnp.float32(0.1), KEY), data, steps=steps, **options)


def test_a_run_whose_optimiser_holds_a_key_goes_on_from_memory_and_from_a_file(tmp_path):
    """A key had no place in a file, and `resume` could not compare it: JAX's own errors were shown."""
    noisy = optax.noisy_sgd(0.1, key=jax.random.key(3))
    whole, half = learned(4, noisy), learned(2, noisy).state
    path = tmp_path / "half.eqx"
    pk.save(path, half)
    other = learned(1, optax.noisy_sgd(0.1, key=jax.random.key(5))).state
    back = pk.load(path, other)
    for state in half, back:
        rest = learned(4, noisy, state)
        np.testing.assert_array_equal(rest.model.w, whole.model.w)
    assert jax.random.key_impl(back.model.key) == jax.random.key_impl(KEY)
    np.testing.assert_array_equal(jax.random.key_data(back.model.key), jax.random.key_data(KEY))
