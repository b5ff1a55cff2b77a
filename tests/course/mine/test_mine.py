"""A passed check keeps a function with what it needs, later pages load it, and nothing that a reader wrote is lost."""

import itertools
import linecache
import os

import notebook_runner as runner
import numpy as np
import pytest

from pmp_kit.course import mine
from pmp_kit.course.explore import OneSample
from pmp_kit.course.explore.picture import code
from pmp_kit.course.mine import file, reference

NUMBERS = itertools.count()
UPDATE = """
def update(unaries, weight, messages):
    # keeps this comment
    return np.zeros_like(messages) + weight * 0
"""
PMP = """
def pmp(unaries, weight, num_sweeps, damping):
    for _ in range(num_sweeps):
        messages = update(unaries, weight, weight[None])
    return (unaries > 0).astype(int)
"""


def notebook(*cells, **names):
    """Execute cells as IPython does, with sources that `inspect` finds; return the names of the notebook."""
    names = {"__name__": "__main__", "np": np} | names
    for cell in cells:
        place = f"<cell {next(NUMBERS)}>"
        linecache.cache[place] = (len(cell), None, cell.splitlines(keepends=True), place)
        exec(compile(cell, place, "exec", dont_inherit=True), names)
    return names


def text(folder):
    return (folder / "mine.py").read_text()


def kept(folder, name, *cells, **names):
    given = notebook(*cells, **names)
    return mine.keep(given[name], name, folder)


def test_a_function_is_kept_and_loaded(tmp_path, capsys):
    assert kept(tmp_path, "update", UPDATE) == (
        "Your update is now in mine.py beside this notebook, and later pages run it."
    )
    assert text(tmp_path) == f"{file.HEAD}\nimport numpy as np\n\n\n{UPDATE.strip()}\n"
    loaded = mine.load("update", tmp_path)
    np.testing.assert_array_equal(loaded(np.ones((1, 2)), np.ones((2, 2)), np.ones((1, 2, 2))), 0)
    assert capsys.readouterr().out == "This page runs your update from mine.py.\n"
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]


def test_without_a_file_the_library_helps(tmp_path, capsys):
    assert mine.load("pmp", tmp_path) is reference.pmp
    assert capsys.readouterr().out == ("This page runs the kit's pmp, because there is no mine.py in this folder.\n")
    kept(tmp_path, "update", UPDATE)
    assert mine.load("pmp", tmp_path) is reference.pmp
    assert "because mine.py has no pmp yet." in capsys.readouterr().out
    with pytest.raises(ValueError, match="expected one of update, pmp, learn, or_update, got 'gibbs'"):
        mine.load("gibbs", tmp_path)


HELPERS = """
import jax.numpy as jnp
from numpy import maximum as at_least
from numpy.random import default_rng
SCALE, NAMES = 0.5, ("a", "b")
unused = object()
def helper(x, least=SCALE):
    return [at_least(x, least) for _ in NAMES]
short = lambda x: helper(x)
again = helper
def learn(data: np.ndarray, steps):
    def inner():
        return short(data)
    default_rng(0), jnp.zeros(1)
    return inner(), again(data)
"""


def test_what_a_function_uses_comes_with_it(tmp_path):
    assert "is now in mine.py" in kept(tmp_path, "learn", HELPERS)
    assert set(file.definitions(text(tmp_path))) == {
        *("np", "jnp", "at_least", "default_rng", "SCALE", "NAMES", "helper", "short", "again", "learn")
    }
    (first, second), third = mine.load("learn", tmp_path)(0.1, 1)
    assert first == second == third[0] == 0.5


def test_a_newer_version_replaces_the_older_one_which_is_not_lost(tmp_path):
    kept(tmp_path, "update", UPDATE)
    kept(tmp_path, "pmp", UPDATE + PMP)
    newer = UPDATE.replace("* 0", "* 3")
    for _ in range(2):
        kept(tmp_path, "update", newer)
    assert newer.strip() in text(tmp_path)
    assert UPDATE.strip() not in text(tmp_path)
    assert PMP.strip() in text(tmp_path)
    assert (tmp_path / "mine_old.py").read_text() == f"{file.OLD_HEAD.strip()}\n\n\n{UPDATE.strip()}\n"
    assert mine.load("pmp", tmp_path)(np.ones((1, 2)), np.ones((2, 2)), 1, 0.5).tolist() == [[1, 1]]


def test_a_file_that_another_kernel_writes_in_the_meantime_loses_nothing(tmp_path, monkeypatch):
    definitions, written = file.definitions, []

    def while_another_writes(text):
        if not written:
            written.append((tmp_path / "mine.py").write_text("NOTES = 1\n"))
        return definitions(text)

    monkeypatch.setattr(file, "definitions", while_another_writes)
    kept(tmp_path, "update", UPDATE)
    assert "NOTES = 1" in text(tmp_path)
    assert UPDATE.strip() in text(tmp_path)


def test_what_a_reader_adds_to_the_file_stays(tmp_path):
    kept(tmp_path, "update", UPDATE)
    note = "\n# my notes\nNOTES = [1,\n   2]  # two\n\n\ndef other():\n    return NOTES\n"
    with (tmp_path / "mine.py").open("a") as opened:
        opened.write(note)
    kept(tmp_path, "update", UPDATE.replace("* 0", "* 3"))
    kept(tmp_path, "pmp", UPDATE.replace("* 0", "* 3") + PMP)
    assert note in text(tmp_path)


def test_functions_of_earlier_pages_are_not_copied(tmp_path):
    kept(tmp_path, "update", UPDATE)
    loaded = mine.load("update", tmp_path)
    assert "is now" in kept(tmp_path, "pmp", PMP, update=loaded)
    assert text(tmp_path).count("def update") == 1
    (tmp_path / "mine.py").unlink()
    said = kept(tmp_path, "pmp", PMP, update=loaded)
    assert said.endswith("because it uses update, which is not in mine.py. Run the check of update again.")


def test_the_librarys_function_is_imported_and_never_written_itself(tmp_path, capsys):
    assert "is now" in kept(tmp_path, "pmp", PMP, update=reference.update)
    assert "from pmp_kit.course.mine.reference import update\n" in text(tmp_path)
    assert mine.keep(reference.update, "update", tmp_path) == ""
    mine.load("update", tmp_path)
    assert capsys.readouterr().out == "This page runs the kit's update, which your mine.py imports.\n"
    kept(tmp_path, "update", UPDATE)
    assert "reference" not in text(tmp_path), "the reader's own takes its place"


BAD = {
    "def pmp():\n    pass\ndef other():\n    pmp()\ndef own():\n    other()\n": "called pmp. Rename that",
    "def pmp(x):\n    return table @ x\n": "it uses table of the notebook, of type ndarray. Create it inside",
    "def outer():\n    k = 1\n    def pmp(x):\n        return k\n    return pmp\npmp = outer()\n": "another function",
    "import functools\npmp = functools.partial(max, 1)\n": "the source of pmp was not found",
    "class Box:\n    pass\ndef pmp(x):\n    return Box()\n": "it uses the class Box of the notebook",
    "import jax\ndef f(x):\n    return x\npmp = jax.vmap(f)\n": "f was changed after its definition, as by jax.vmap",
}


@pytest.mark.parametrize("cell", BAD)
def test_what_cannot_be_kept_gets_a_sentence(tmp_path, cell):
    given = notebook(cell, table=np.ones(3))
    said = mine.keep(given.get("own", given["pmp"]), "pmp", tmp_path)
    assert said.startswith("mine.py does not have your pmp, because ")
    assert BAD[cell] in said
    assert said.endswith(".")
    assert not list(tmp_path.iterdir())


EDITED = {
    "def pmp(:\n": "Python cannot read mine.py (SyntaxError in line 1",
    "x = 1\nmissing\n": "mine.py cannot be imported (NameError in line 2: name 'missing' is not defined)",
    "update = 1; other = 2\n": "several statements on one line",
}


@pytest.mark.parametrize("edited", EDITED)
def test_a_file_that_is_broken_by_hand_stays_as_it_is(tmp_path, capsys, edited):
    (tmp_path / "mine.py").write_text(edited)
    assert EDITED[edited] in kept(tmp_path, "update", UPDATE)
    assert text(tmp_path) == edited
    assert [path.name for path in tmp_path.iterdir()] == ["mine.py"]
    loaded = mine.load("update", tmp_path)
    assert loaded is reference.update
    assert capsys.readouterr().out.startswith("This page runs the kit's update, because ")


def test_a_name_that_another_function_uses_is_not_replaced(tmp_path):
    kept(tmp_path, "update", "def both(x):\n    return x\ndef update(a, b, c):\n    return both(a)\n")
    before = text(tmp_path)
    said = kept(tmp_path, "pmp", "def both(x):\n    return -x\ndef pmp(a, b, c, d):\n    return both(a)\n")
    assert said.endswith("update of mine.py uses another both. Rename the one that pmp uses.")
    assert text(tmp_path) == before


def test_a_file_that_cannot_be_written_gets_a_sentence(tmp_path, monkeypatch, capsys):
    def refuse(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    assert kept(tmp_path, "update", UPDATE) == (
        "mine.py does not have your update, because mine.py cannot be written (PermissionError: Permission denied)."
    )
    assert not list(tmp_path.iterdir())
    (tmp_path / "mine.py").mkdir()
    assert "cannot be read" in kept(tmp_path, "update", UPDATE)
    assert mine.load("update", tmp_path) is reference.update
    capsys.readouterr()


def test_outside_of_a_notebook_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = notebook(UPDATE)
    assert mine.keep(given["update"], "update") == ""
    assert not list(tmp_path.iterdir())


def test_copied_code_can_import_what_was_kept(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = notebook(UPDATE)
    assert not mine.holds(given["update"], "update")
    mine.keep(given["update"], "update", tmp_path)
    assert mine.holds(given["update"], "update")
    assert mine.holds(mine.load("update"), "update")
    assert not mine.holds(notebook(UPDATE.replace("0", "3"))["update"], "update"), "another version"
    assert not mine.holds(len, "update")
    assert not mine.holds(3, "update")
    written = code.code_of(OneSample, {"seed": 2, "sampler": given["update"]}, given)
    assert (
        written == "from mine import update\nfrom pmp_kit import explore\n\nexplore.OneSample(seed=2, sampler=update)"
    )


@pytest.mark.slow
def test_it_works_in_a_real_notebook(tmp_path):
    import_it = "from mine import update\nprint(update(1, 0, np.ones(2)))"
    cells = ["import numpy as np\nfrom pmp_kit.course import mine", UPDATE, "mine.keep(update, 'update')"]
    done = runner.run(runner.page(*cells, import_it, "mine.load('update')\nmine.load('pmp')"), tmp_path)
    assert done.error == ""
    assert done.cells[3]["outputs"][0]["text"] == ["[0. 0.]\n"]
    assert "runs your update from mine.py" in done.cells[4]["outputs"][0]["text"][0]
    assert UPDATE.strip() in text(tmp_path)
