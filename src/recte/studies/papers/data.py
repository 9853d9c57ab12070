"""The corpora the papers were computed from, in one folder; what is missing is said with where it can be had."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any, TypeVar

from recte.corpus.corpus import System
from recte.errors import InputError, RecteError
from recte.formats.parallel import read_system

__all__ = ["SOURCES", "MissingData", "PaperData"]

T = TypeVar("T")

# Where each part of the folder comes from.
SOURCES = {
    "conll14": "the CoNLL-2014 test set (https://www.comp.nus.edu.sg/~nlp/conll14st.html), the systems' outputs and "
    "judgments (https://github.com/grammatical/evaluation), the metrics' scores (https://github.com/nusnlp/gecmetrics)",
    "crowd": "the crowd's corrections of Choshen and Abend (https://github.com/borgr/assess_learner_language)",
    "unseen": "the estimated histograms of Choshen and Abend (https://github.com/borgr/assess_learner_language)",
    "perfect-corrector": "the perfect corrector's files of Choshen and Abend "
    "(https://github.com/borgr/assess_learner_language)",
    "conservatism": "the sentence pairs behind Figure 1 and two outputs of Choshen and Abend "
    "(https://github.com/borgr/assess_learner_language)",
    "ucca": "the UCCA annotations of Choshen and Abend (https://github.com/borgr/assess_learner_language)",
    "ucca-20k": "the French and English UCCA annotations of Sulem et al. (2015) "
    "(https://github.com/UniversalConceptualCognitiveAnnotation/UCCA_French-20K, UCCA_English-20K)",
    "chinese": "the test set of the NLPCC-2018 shared task 2 (http://tcci.ccf.org.cn/conference/2018/taskdata.php; its "
    "sentences are also in https://github.com/HillZhang1999/MuCGEC), and two outputs for it that a thesis released",
}


class MissingData(RecteError):  # noqa: N818 - it is not an error of the user's, and never leaves the papers
    """A file that a table needs is not at hand; `place` is where it would be in the folder."""

    def __init__(self, message: str, place: str = "") -> None:
        super().__init__(message)
        self.place = place


class PaperData:
    """The folder with the corpora, and what was computed from them already: heavy work is done once.

    `say` is told what is being computed, as it begins.
    """

    def __init__(self, folder: str | Path | None = None, say: Callable[[str], None] | None = None) -> None:
        self.folder = None if folder is None else Path(folder)
        self._say = say
        self._made: dict[Hashable, Any] = {}

    def path(self, name: str) -> Path:
        """A file or folder by its place in the data folder."""
        if self.folder is None or not (self.folder / name).exists():
            raise MissingData(f"needs {name} in the data folder: {SOURCES[name.partition('/')[0]]}", name)
        return self.folder / name

    def folders(self) -> list[str]:
        """Which parts of the data are at hand."""
        return [name for name in SOURCES if self.folder is not None and (self.folder / name).is_dir()]

    def paths(self, folder: str, pattern: str, expected: int) -> list[Path]:
        """The files of a folder that a pattern matches, in order of their names; fewer than `expected` are too few."""
        files = sorted(self.path(folder).glob(pattern))
        if len(files) < expected:
            raise MissingData(
                f"needs {expected} files {folder}/{pattern} in the data folder, which has {len(files)}: "
                f"{SOURCES[folder.partition('/')[0]]}",
                f"{folder}/{pattern}",
            )
        return files

    def system(self, place: str, sentences: int, name: str | None = None) -> System:
        """A system's output by its place, which must have as many lines as gold has sentences."""
        path = self.path(place)
        system = self.once(("system", place), lambda: read_system(path, name=name))
        if len(system.outputs) != sentences:
            raise InputError(f"expected {sentences} lines, as gold has sentences, got {len(system.outputs)}", str(path))
        return system

    def once(self, key: Hashable, make: Callable[[], T], doing: str = "") -> T:
        """What `make` gives, made at the first call with this key; `doing` says what takes long."""
        if key not in self._made:
            if doing and self._say is not None:
                self._say(doing)
            self._made[key] = make()
        made: T = self._made[key]
        return made
