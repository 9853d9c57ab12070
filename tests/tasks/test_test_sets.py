"""Test sets by name, fetched from a server on this machine that stands in for their owners."""

from __future__ import annotations

import hashlib
import io
import lzma
import tarfile
import zipfile
from pathlib import Path

import pytest

from loopback import Answering, served
from recte import InputError, OptionError
from recte.cli import main
from recte.tasks.catalogue import test_sets as all_sets
from recte.tasks.presets import PRESETS
from recte.tasks.store import content_hash, get_test_set
from recte.tasks.store import test_set_files as files_of
from shared_data import shared

GOLD = b"""S He go .
A 1 2|||Verb|||goes|||REQUIRED|||-NONE-|||0

S I am .
A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0

"""


def tarred(packing: str = "gz", **files: bytes) -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode=f"w:{packing}") as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            entry = tarfile.TarInfo(f"folder/{name}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return packed.getvalue()


def zipped_texts(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


class Owner(Answering):
    def do_GET(self):
        content = {
            "/gold.m2": GOLD,
            "/set.tar.gz": tarred(gold=GOLD),
            "/changed.m2": GOLD + b"S more\n\n",
            "/empty": b"\n",
            "/texts.zip": zipped_texts(a=b"He go .\n", b=b"He goes .\n"),
        }
        packed = content["/set.tar.gz"]
        content["/damaged.tar.gz"] = packed[:-6] + b"!!" + packed[-4:]  # not its checksum
        for ending in ("gz", "bz2", "xz"):
            whole = tarred(ending, gold=GOLD * 100)
            content[f"/broken.tar.{ending}"] = whole[: len(whole) // 2]
            content[f"/spoilt.tar.{ending}"] = whole[:12] + bytes(reversed(whole[12:]))
        content["/broken.lzma"] = lzma.compress(GOLD * 100, format=lzma.FORMAT_ALONE)[:60]
        content["/login"] = b"<!DOCTYPE html>\n<html>log in</html>\n"
        content["/prose"] = b"To see this text, log in.\n"
        if self.path == "/half.m2":
            self.send_response(200)
            self.send_header("Content-Length", str(2 * len(GOLD)))
            self.end_headers()
            self.wfile.write(GOLD)
        elif self.path == "/elsewhere":
            self.send_response(302)
            self.send_header("Location", "ftp://127.0.0.1:9/gold.m2")
            self.end_headers()
        elif self.path in content:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content[self.path])))
            self.end_headers()
            self.wfile.write(content[self.path])
        else:
            self.send_error(404, "Not Found")


@pytest.fixture(scope="module")
def owner():
    with served(Owner) as address:
        yield address


@pytest.fixture
def own_set(owner, tmp_path, monkeypatch):
    """A table of the user's with one set; gives the folder of sets."""
    folder = tmp_path / "sets"
    folder.mkdir()
    monkeypatch.setenv("RECTE_DATA", str(folder))
    monkeypatch.setenv("no_proxy", "*")

    def write(path: str = "gold.m2", *, member: str = "", sha256: str = content_hash(GOLD), address: str | None = None):
        where = f"{owner}/{path}" if address is None else address
        (folder / "sets.toml").write_text(
            f'[mine]\ntitle = "Mine"\nlicence = "free"\npage = "http://owner"\n[[mine.files]]\nname = "gold.m2"\n'
            f'role = "gold"\naddress = "{where}"\nmember = "{member}"\nsha256 = "{sha256}"\n'
        )
        return folder

    return write


@pytest.mark.parametrize(("path", "member"), [("gold.m2", ""), ("set.tar.gz", "folder/gold")])
def test_a_set_is_fetched_once_and_scored_by_name(own_set, tmp_path, capsys, path, member):
    folder = own_set(path, member=member)
    output = tmp_path / "out.txt"
    output.write_text("He goes .\nI am .\n")
    assert main(["score", "-t", "mine", str(output), "-b"]) == 2
    assert "test set mine is not here yet; to get it: recte data get mine" in capsys.readouterr().err
    assert main(["data", "get", "mine"]) == 0
    told = capsys.readouterr()
    assert "licence: free" in told.err
    assert told.out == "recte score -t mine SYSTEM...\n"
    assert (folder / "mine" / "gold.m2").read_bytes() == GOLD
    own_set(address="http://127.0.0.1:9/nobody")  # what is here needs no network
    assert main(["data", "get", "mine"]) == 0
    capsys.readouterr()
    assert main(["score", "-t", "mine", str(output), "-b"]) == 0
    assert capsys.readouterr().out == "100.00\n"
    assert main(["data", "path", "mine"]) == 0
    assert capsys.readouterr().out == f"{folder / 'mine' / 'gold.m2'}\n"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"path": "changed.m2"}, r"expected content with sha256 .* it has changed"),
        ({"path": "half.m2"}, r"broke off|IncompleteRead|cannot be fetched"),
        ({"path": "absent.m2"}, "the server answers 404"),
        ({"path": "empty"}, "got an empty file"),
        ({"path": "set.tar.gz", "member": "folder/other"}, "expected the file folder/other in the archive"),
        ({"path": "gold.m2", "member": "folder/gold"}, "expected a tar or zip archive"),
        *(
            (
                {"path": path, "member": "folder/gold"},
                "expected a tar or zip archive, got something else or a damaged one",
            )
            for path in (
                *(f"{how}.tar.{ending}" for how in ("broken", "spoilt") for ending in ("gz", "bz2", "xz")),
                "broken.lzma",
            )
        ),
        ({"path": "login", "sha256": ""}, r"gold\.m2: expected a test set, got a web page; nothing was kept"),
        ({"path": "prose", "sha256": ""}, r"gold\.m2: line 1: expected .*; nothing was kept"),
        ({"path": "elsewhere"}, "cannot be fetched: it leads to 'ftp://127.0.0.1:9/gold.m2'"),
        ({"address": "http://127.0.0.1:9/nobody"}, "cannot be fetched"),
        ({"address": "file:///etc/passwd"}, "expected an address that begins with http"),
    ],
)
def test_what_is_not_the_set_leaves_nothing_behind(own_set, capsys, settings, message):
    folder = own_set(**settings)
    with pytest.raises(InputError, match=message):
        get_test_set("mine")
    assert [path.name for path in folder.rglob("*")] == ["sets.toml"]
    assert main(["data", "get", "mine"]) == 2
    assert len(capsys.readouterr().err.splitlines()) in (2, 3)  # licence, what is fetched, what is wrong


def test_a_file_that_one_has_is_taken(own_set, tmp_path):
    own_set(address="")
    with pytest.raises(OptionError, match="cannot be fetched: ask for it at http://owner"):
        get_test_set("mine")
    mine = tmp_path / "mine.m2"
    mine.write_bytes(GOLD.replace(b"\n", b"\r\n"))
    assert [path.name for path in get_test_set("mine", source=mine)] == ["gold.m2"]
    assert files_of("mine")[0].read_bytes() == mine.read_bytes()
    with pytest.raises(OptionError, match=r"expected a folder with test\.src, test\.ref0"):
        get_test_set("jfleg", source=mine)
    with pytest.raises(InputError, match="cannot be read"):
        get_test_set("jfleg", source=tmp_path)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("[mine", "expected TOML"),
        ("mine = 3", r"expected a table with \[\[mine.files\]\]"),
        ('[[mine.files]]\nname = "../gold.m2"\nrole = "gold"', "expected a file's name without folders"),
        ('[[mine.files]]\nname = "gold.m2"\nrole = "golden"', "role: expected one of gold, source, reference"),
        ('[[mine.files]]\nname = "a"\nrole = "source"', "expected one gold file, or a source and references"),
        ('[[mine.files]]\nname = 3\nrole = "gold"', "name: expected text"),
        ('["../mine"]\n[["../mine".files]]\nname = "a"\nrole = "gold"', "name of a test set without folders"),
        ('[[mine.files]]\nname = "a"\nrole = "gold"\nadress = "x"', "got 'adress'; did you mean address"),
        *(
            (
                '[[mine.files]]\nname = "a"\nrole = "source"\n'
                + "".join(f'[[mine.files]]\nname = "{name}"\nrole = "reference"\n' for name in names),
                "mine: name: expected another for each file, got '[aA]' twice",
            )
            for names in (["a"], ["b", "A"])
        ),
        ('[[mine.files]]\nname = ""\nrole = "gold"', "expected a file's name without folders, got ''"),
        ('["sets.toml"]\n[["sets.toml".files]]\nname = "a"\nrole = "gold"', "name of a test set without folders"),
        ('[mine]\npreset = "conll"\n[[mine.files]]\nname = "a"\nrole = "gold"', "preset: expected one of .*'conll'"),
        (
            '[mine]\nsentences = true\n[[mine.files]]\nname = "a"\nrole = "gold"',
            "sentences: expected a number, got True",
        ),
        ('[mine]\nsentences = -1\n[[mine.files]]\nname = "a"\nrole = "gold"', "sentences: expected a number, got -1"),
        ('[[mine.files]]\nname = "a"\nrole = "gold"\nsha256 = "12"', "sha256: expected 64 digits"),
        ("mine = " + "[" * 5000, "expected TOML: .*nested too deeply"),
        ("mine = " + "9" * 5000, "expected TOML: whole numbers of at most 64 bits"),
        ("mine = 0x" + "f" * 5000, "expected TOML: whole numbers of at most 64 bits"),
    ],
)
def test_a_wrong_table_is_one_line(own_set, table, message):
    (own_set() / "sets.toml").write_text(table)
    with pytest.raises(InputError, match=message):
        all_sets()


def test_a_table_may_begin_with_a_mark_and_a_hash_be_in_capitals(own_set):
    folder = own_set(sha256=content_hash(GOLD).upper())
    table = folder / "sets.toml"
    table.write_bytes(b"\xef\xbb\xbf" + table.read_bytes())
    assert [path.name for path in get_test_set("mine")] == ["gold.m2"]


def test_a_blank_first_line_is_part_of_the_content():
    assert content_hash(b"\na\n") != content_hash(b"a\n") == content_hash(b"a\r\n\r\n")


def test_an_archive_is_fetched_once_for_all_its_files(own_set, owner, capsys):
    entries = [("source", "a"), ("reference", "b")]
    (own_set() / "sets.toml").write_text(
        "".join(
            f'[[mine.files]]\nname = "{name}"\nrole = "{role}"\naddress = "{owner}/texts.zip"\nmember = "{name}"\n'
            for role, name in entries
        )
    )
    assert main(["data", "get", "mine"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert told[:2] == ["recte: mine; licence: none stated", f"recte: fetching {owner}/texts.zip"]
    assert [path.read_text() for path in files_of("mine")] == ["He go .\n", "He goes .\n"]
    assert sum("fetching" in line for line in told) == 1


def test_the_stored_hashes_are_those_of_the_owners_files(monkeypatch, tmp_path):
    monkeypatch.setenv("RECTE_DATA", str(tmp_path))
    places = {
        "conll14": ["conll14/gold.m2"],
        "conll14-alternatives": ["conll14/gold-with-alternatives.m2"],
        "jfleg": ["jfleg/test.src", *(f"jfleg/test.ref{r}" for r in range(4))],
        "jfleg-dev": ["jfleg/dev.src", *(f"jfleg/dev.ref{r}" for r in range(4))],
        "nlpcc18": ["chinese/nlpcc18/gold.m2"],
        "mucgec-dev": ["chinese/mucgec/dev.para"],
        "ua-gec": ["ukrainian/gec-only.test.m2"],
    }
    assert {*places, "bea19-dev"} == set(all_sets())
    for name, paths in places.items():
        listed = [Path(shared("data", *path.split("/"))) for path in paths]
        get_test_set(name, source=listed[0] if len(listed) == 1 else listed[0].parent)
        assert [path.read_bytes() for path in files_of(name)] == [path.read_bytes() for path in listed]
        assert [content_hash(path.read_bytes()) for path in listed] == [file.sha256 for file in all_sets()[name].files]


def test_gold_with_a_test_set_is_told(own_set, tmp_path, monkeypatch, capsys):
    own_set()
    get_test_set("mine")
    monkeypatch.chdir(tmp_path)
    Path("gold.m2").write_bytes(GOLD)
    Path("system.m2").write_bytes(GOLD.replace(b"goes", b"went"))
    Path("out.txt").write_text("He goes .\nI am .\n")
    line = "recte: warning: gold.m2 is scored as a system, since -t mine names the gold; leave one of them out\n"
    for files, told in (
        (["gold.m2", "out.txt"], line),
        (["out.txt", "gold.m2"], line),
        (["system.m2"], ""),
        (["out.txt"], ""),
    ):
        assert main(["score", "-t", "mine", *files]) == 0
        assert capsys.readouterr().err == told
    assert main(["score", "-s", "out.txt", "-r", "out.txt", "-i", "system.m2", "out.txt"]) == 2  # another source
    assert "system.m2 is scored as a system, since -s out.txt names the gold" in capsys.readouterr().err
    assert main(["score", "-q", "-t", "mine", "gold.m2", "out.txt"]) == 0
    assert capsys.readouterr().err == ""


def test_flags_have_the_last_word_over_a_preset(own_set, tmp_path, capsys):
    own_set()
    get_test_set("mine")
    output = tmp_path / "out.txt"
    output.write_text("He goes .\nI am .\n")
    assert main(["score", "-t", "mine", str(output), "--preset", "conll14", "--beta", "1"]) == 0
    assert "F1" in capsys.readouterr().out
    assert main(["score", "-t", "mine", str(output), "--preset", "conl14"]) == 2
    assert "did you mean conll14?" in capsys.readouterr().err
    assert main(["score", "-t", "mine", "-s", "x", "-r", "y", str(output)]) == 2
    assert "-t: expected no other gold" in capsys.readouterr().err


def test_what_there_is_can_be_listed(own_set, capsys):
    own_set()
    assert main(["data", "list"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in (*all_sets(), *PRESETS))


def test_the_hash_does_not_hang_on_line_ends():
    assert content_hash(b"a\r\nb\n\n\n") == hashlib.sha256(b"a\nb").hexdigest()


def test_a_set_that_was_damaged_is_not_scored(own_set, tmp_path, capsys):
    folder = own_set()
    get_test_set("mine")
    (folder / "mine" / "gold.m2").write_bytes(GOLD[:60])
    with pytest.raises(OptionError, match="test set mine is not whole any more; to get it: recte data get mine"):
        files_of("mine")
    assert main(["data", "get", "mine"]) == 0
    assert files_of("mine")[0].read_bytes() == GOLD


def test_a_set_without_a_hash_must_have_its_sentences(monkeypatch, tmp_path):
    monkeypatch.setenv("RECTE_DATA", str(tmp_path / "sets"))
    short = tmp_path / "short.m2"
    short.write_bytes(GOLD)
    with pytest.raises(InputError, match="expected 4,384 sentences, got 2; nothing was kept"):
        get_test_set("bea19-dev", source=short)


def test_a_set_s_own_preset_holds_where_no_metric_is_named(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("RECTE_DATA", str(tmp_path))
    get_test_set("jfleg", source=shared("data", "jfleg"))
    source = str(shared("data", "jfleg", "test.src"))
    assert main(["score", "-q", "-t", "jfleg", source, "-b"]) == 0
    assert capsys.readouterr().out == "40.54\n"
    assert main(["score", "-q", "-t", "jfleg", source, "-b", "-m", "m2"]) == 0
    assert capsys.readouterr().out == "0.00\n"


def test_a_damaged_archive_is_one_line(own_set):
    own_set("damaged.tar.gz", member="folder/gold", sha256="")
    with pytest.raises(InputError, match="expected a tar or zip archive"):
        get_test_set("mine")
