"""The pages of the course: file names, titles, the one question of each, and the shelf on which a page stands."""

from __future__ import annotations

from typing import NamedTuple


class Page(NamedTuple):
    """A notebook of the course.

    Attributes:
        name: the file below the folder of the notebooks, without its ending.
        title: a few words.
        question: the one question that the page answers.
        shelf: "path" for the pages in order, "detour" for those that branch from one, "paper" for the replication.
        branches: the page of the path from which a detour is reached; empty for the other shelves.
    """

    name: str
    title: str
    question: str
    shelf: str = "path"
    branches: str = ""

    @property
    def number(self) -> str:
        """The number of the page as in its heading: "02", or the section of the paper: "5.1", "B"."""
        first, second, *_ = self.name.removeprefix("paper/").split("_")
        if self.shelf != "paper":
            return first
        return f"{first}.{second}" if first.isdigit() else second.upper()


_PATH = (
    Page("00_start_here", "Start here", "What is a sample, and where does the randomness come from?"),
    Page(
        "01_energies",
        "Energies",
        "How does an energy become a probability, and which number is too expensive to compute?",
    ),
    Page("02_messages", "Messages", "How do messages find the best configuration, and what does damping do?"),
    Page("03_noise", "Noise", "Why does noise turn a search into a sampler?"),
    Page("04_the_pmp_sampler", "The PMP sampler", "What is one sample made of?"),
    Page("05_learning", "Learning", "How does a model learn from samples?"),
    Page(
        "06_the_wrong_model",
        "The wrong model",
        "Which coupling does PMP learn when the truth is 0.5, and is it wrong?",
    ),
    Page("07_judging_samples", "Judging samples", "How can one tell good samples from bad ones?"),
    Page("08_zeros", "Zeros", "Which samplers must keep their chains?"),
    Page(
        "09_restricted_boltzmann_machines",
        "Restricted Boltzmann machines",
        "Does a longer chain draw better digits?",
    ),
    Page(
        "10_factors",
        "Factors",
        "How does a factor of a thousand variables compute its messages without trying all configurations?",
    ),
    Page("11_deconvolution", "Deconvolution", "Why do many images reveal shapes that one image cannot reveal?"),
    Page(
        "12_build_your_own",
        "Build your own",
        "How do I build a model of my own, and can I trust its samples?",
    ),
)
_DETOURS = (
    Page(
        "13_the_race",
        "The race",
        "Which is faster, PMP or a Markov chain, at equal sweeps and at equal time?",
        "detour",
        "04_the_pmp_sampler",
    ),
    Page(
        "14_programs",
        "Programs",
        "What does the linear program answer on ten spins, and is max-product broken?",
        "detour",
        "06_the_wrong_model",
    ),
    Page("15_graphs", "Graphs", "Can samples be good while couplings are wrong?", "detour", "08_zeros"),
    Page("16_speed", "Speed", "How long will my run take?", "detour", "12_build_your_own"),
)
_PAPER = (
    Page(
        "paper/5_1_the_wrong_model",
        "One weight",
        "Which theta does PMP learn from data of theta 0.5, and how far are its samples from the data?",
        "paper",
    ),
    Page(
        "paper/5_2_programs",
        "Linear programs",
        "Which bounds of log Z do max-product, MPLP and the linear program give?",
        "paper",
    ),
    Page("paper/5_3_zeros", "Zeros", "Which sampler learns the contours of zeros best, at which cost?", "paper"),
    Page(
        "paper/5_4_graphs",
        "Graphs",
        "How well do the samplers learn lattices and random graphs when every chain is reset?",
        "paper",
    ),
    Page(
        "paper/5_5_rbm",
        "RBM",
        "How good are samples of a restricted Boltzmann machine after 5 to 2,000 sweeps?",
        "paper",
    ),
    Page(
        "paper/5_6_deconvolution",
        "Deconvolution",
        "Which samplers recover the shapes of 100 images when neither shapes nor places are given?",
        "paper",
    ),
    Page(
        "paper/appendix_b",
        "Single updates",
        "Who learns best when chains are kept and only single variables are updated between learning steps?",
        "paper",
    ),
)
PAGES = {page.name: page for page in (*_PATH, *_DETOURS, *_PAPER)}
"""Name -> page, in the order of the course."""


def page(name: str) -> Page:
    """Return a page by its name, such as "02_messages".

    Raises:
        ValueError: no page has this name.
    """
    if name not in PAGES:
        raise ValueError(f"name: expected one of {', '.join(PAGES)}, got {name!r}; take the file name without .ipynb")
    return PAGES[name]


def link(source: Page, target: Page, ending: str) -> str:
    """Return the relative address of a page, as seen from another one."""
    climbs = "../" * source.name.count("/")
    return f"{climbs}{target.name}{ending}"
