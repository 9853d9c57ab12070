"""Files at addresses: a store of objects, a web server, with and without a cluster."""

from __future__ import annotations

import gzip
import json
import time

import pytest

import recte
from cluster.part_files import write_parts
from cluster.stores import object_store, upload, web_server
from recte.cli import main
from recte.errors import InputError
from recte.evaluation.inputs import GoldFiles
from recte.files import byte_blocks, read_lines, read_raw_lines
from recte.remote_files import file_stamp, list_files, write_file

pytest.importorskip("fsspec", reason="needs the extra cluster")
pytestmark = pytest.mark.xdist_group("cluster")
CUTS = [0, 10, 20, 30, 40, 50]
LONG = b"".join(b"line %d\n" % number for number in range(600_000))  # more than a store sends at once


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Parts of a corpus, the same parts compressed, and a long file."""
    folder = tmp_path_factory.mktemp("stored")
    write_parts(folder, CUTS)
    for path in [*folder.glob("gold/*"), *folder.glob("one/*")]:
        packed = folder / f"{path.parent.name}-packed" / f"{path.name}.gz"
        packed.parent.mkdir(exist_ok=True)
        packed.write_bytes(gzip.compress(path.read_bytes()))
    (folder / "long.txt").write_bytes(LONG)
    (folder / "long.txt.gz").write_bytes(gzip.compress(LONG))
    (folder / "plain.txt.gz").write_bytes(b"no gzip\n")
    (folder / "gold" / "_SUCCESS").touch()
    return folder


@pytest.fixture(scope="module")
def s3(folder):
    with object_store() as address:
        upload(folder, address)
        yield address


@pytest.fixture(scope="module")
def http(folder):
    with web_server(folder) as address:
        yield address


@pytest.fixture(params=["s3", "http"])
def address(request):
    return request.getfixturevalue(request.param)


def test_streams_are_read_line_by_line_and_in_blocks(address):
    for name in ("long.txt", "long.txt.gz"):
        assert b"".join(byte_blocks(f"{address}/{name}")) == LONG
        assert list(read_lines(f"{address}/{name}")) == LONG.decode().splitlines()
        assert next(read_raw_lines(f"{address}/{name}")) == "line 0\n"


def test_folders_and_globs_are_listed(address, folder):
    parts = [f"{address}/gold/part-{number:02}.m2" for number in range(len(CUTS))]
    assert list_files(f"{address}/gold/") == parts
    assert list_files(f"{address}/gold/part-*.m2") == parts
    assert list_files(parts[2]) == [parts[2]]
    assert file_stamp(parts[2])[0] == f"size={(folder / 'gold' / 'part-02.m2').stat().st_size}"


def test_the_same_digits_from_addresses(address, folder):
    here = recte.cluster.count(f"{folder}/gold", [f"{folder}/one"])["one"]
    assert recte.cluster.count(f"{address}/gold/", [f"{address}/one/"])["one"] == here
    packed = recte.cluster.count(f"{address}/gold-packed/*.gz", {"one": f"{address}/one-packed/*.gz"})
    assert packed["one"] == here
    one_file = GoldFiles(gold=f"{address}/gold/part-01.m2")
    assert recte.cluster.count(one_file, {"one": f"{address}/one/part-01.txt"})["one"].rows.tolist() == (
        here.rows[10:20].tolist()
    )


def test_tables_at_addresses(address, folder):
    """A reader of tables moves about in the file."""
    pyarrow = pytest.importorskip("pyarrow", reason="needs the extra arrow")
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs the extra arrow")
    lines = (folder / "one" / "part-00.txt").read_text().splitlines()
    path = folder / "table" / "one.parquet"
    path.parent.mkdir(exist_ok=True)
    parquet.write_table(pyarrow.table({"output": lines}), path)
    if address.startswith("s3"):
        write_file(f"{address}/table/one.parquet", path.read_bytes())
    gold = f"{folder}/gold/part-00.m2"
    expected = recte.cluster.count(gold, {"one": f"{folder}/one/part-00.txt"})
    assert recte.cluster.count(gold, {"one": f"{address}/table/one.parquet"}) == expected


def test_what_is_wrong_at_an_address_is_one_line(address):
    for name in ("nothing.m2", "nothing/part-1.m2"):
        with pytest.raises(InputError, match=r"nothing.*: no such file$"):
            list(read_lines(f"{address}/{name}"))
        with pytest.raises(InputError, match=r"nothing.*: no such file$"):
            file_stamp(f"{address}/{name}")
    with pytest.raises(InputError, match=r"nothing-\*: expected files, got none$"):
        list_files(f"{address}/nothing-*")
    with pytest.raises(InputError, match=r"nothing/: no such file$"):
        list_files(f"{address}/nothing/")
    with pytest.raises(InputError, match="expected a gzip file"):
        list(read_lines(f"{address}/plain.txt.gz"))


def test_a_web_server_that_does_not_answer_is_not_a_missing_file(http):
    with pytest.raises(InputError, match=r"http://127\.0\.0\.1:1/gold\.m2: cannot be read: .*127\.0\.0\.1"):
        list(read_lines("http://127.0.0.1:1/gold.m2"))


def test_a_long_file_may_be_read_slowly(http, monkeypatch):
    """By default a client of web servers has five minutes for a file, here a second; work on what was read counts."""
    client = pytest.importorskip("aiohttp.client", reason="needs aiohttp, of the development extra")
    monkeypatch.setattr(client, "DEFAULT_TIMEOUT", client.ClientTimeout(total=1))
    from fsspec.implementations.http import HTTPFileSystem

    HTTPFileSystem.clear_instance_cache()
    blocks = byte_blocks(f"{http}/long.txt")
    first = next(blocks)
    time.sleep(1.5)
    assert first + b"".join(blocks) == LONG
    HTTPFileSystem.clear_instance_cache()


def test_a_file_that_changed_at_its_address_is_read_again(s3):
    write_file(f"{s3}/changing/a.txt", b"one\n")
    assert list_files(f"{s3}/changing/") == [f"{s3}/changing/a.txt"]
    before = file_stamp(f"{s3}/changing/a.txt")
    from fsspec.core import url_to_fs

    other, path = url_to_fs(f"{s3}/changing/a.txt", skip_instance_cache=True)  # as another process would
    other.pipe_file(path, b"one and more\n")
    assert file_stamp(f"{s3}/changing/a.txt") != before
    assert list(read_lines(f"{s3}/changing/a.txt")) == ["one and more"]


@pytest.mark.parametrize("store", ["s3", "http"])
def test_a_cluster_reads_and_keeps_parts_at_addresses(store, s3, http, folder, tmp_path, capsys, monkeypatch):
    """Workers read a store each by itself, and what they counted is kept in a store, for another run."""
    pytest.importorskip("distributed", reason="needs the extra cluster")
    monkeypatch.chdir(tmp_path)
    corpus = {"s3": s3, "http": http}[store]
    write_parts(tmp_path / "whole", [0])
    whole = [str(tmp_path / "whole" / name / file) for name, file in (("gold", "part-00.m2"), ("one", "part-00.txt"))]
    assert main(["score", *whole, "--names", "one", "-f", "json"]) == 0
    here = json.loads(capsys.readouterr().out)["scores"]
    command = ["score", f"{corpus}/gold/", f"{corpus}/one/", "-f", "json", "--cluster", "local:2"]
    command += ["--checkpoint", f"{s3}/kept-of-{store}/"]
    assert main(command) == 0
    first = capsys.readouterr()
    assert json.loads(first.out)["scores"] == here
    assert "checkpoint" not in first.err
    assert main(command) == 0
    again = capsys.readouterr()
    assert json.loads(again.out)["scores"] == here
    assert f"parts taken from the checkpoint: {len(CUTS)}" in again.err
