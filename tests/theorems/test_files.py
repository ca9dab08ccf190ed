"""What may be written: new files and regular writable ones, whole or not at all."""

import os
import socket
import sys
from pathlib import Path

import pytest
from lemmata.theorems import files
from lemmata.theorems.files import require_folder, require_other, require_writable, write_all, write_whole


def in_the_way(kind: str, folder: Path) -> Path:
    """Something that must not be replaced by a file."""
    path, other = folder / "target", folder / "other"
    other.write_text("other")
    match kind:
        case "link":
            path.symlink_to(other)
        case "dangling link":
            path.symlink_to(folder / "nowhere")
        case "link to a directory":
            path.symlink_to(folder, target_is_directory=True)
        case "directory":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "socket":
            with socket.socket(socket.AF_UNIX) as server:
                server.bind(str(path))
        case "device":
            return Path("/dev/null")
        case "read-only file":
            path.write_text("kept")
            path.chmod(0o444)
        case "file in a read-only folder":
            (folder / "closed").mkdir()
            (folder / "closed" / "target").write_text("kept")
            (folder / "closed").chmod(0o555)
            return folder / "closed" / "target"
        case "new file in a read-only folder":
            (folder / "closed").mkdir(mode=0o555)
            return folder / "closed" / "new" / "target"
        case "file below a file":
            return other / "target"
    return path


KINDS = ("link", "dangling link", "link to a directory", "directory", "pipe", "socket", "device", "read-only file",
         "file in a read-only folder", "new file in a read-only folder", "file below a file")  # fmt: skip


@pytest.mark.skipif(os.name != "posix", reason="pipes, devices and permissions of POSIX")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_regular_writable_file_stays(kind, tmp_path):
    path = in_the_way(kind, tmp_path)
    before = sorted((p.name, p.lstat().st_mode) for p in tmp_path.rglob("*")), path.lstat().st_mode if os.path.lexists(path) else None
    for refuse in (lambda: require_writable(path), lambda: write_whole(path, "new"), lambda: write_all({tmp_path / "a": "a", path: "b"})):
        with pytest.raises(ValueError, match=r"\Aexpected .*, got '.*', which is .*\Z"):
            refuse()
    assert before == (
        sorted((p.name, p.lstat().st_mode) for p in tmp_path.rglob("*")),
        path.lstat().st_mode if os.path.lexists(path) else None,
    )
    assert (tmp_path / "other").read_text() == "other"


def test_a_new_file_and_its_folders(tmp_path):
    target = tmp_path / "a" / "b" / "file"
    write_whole(target, "größer\n")
    mask = os.umask(0)
    os.umask(mask)
    assert target.read_bytes() == "größer\n".encode()
    assert target.stat().st_mode & 0o777 == 0o666 & ~mask
    assert [p.name for p in target.parent.iterdir()] == ["file"]


def test_a_file_keeps_its_permissions(tmp_path):
    target = tmp_path / "file"
    target.write_text("old")
    target.chmod(0o640)
    write_whole(target, b"new")
    assert (target.read_bytes(), target.stat().st_mode & 0o777) == (b"new", 0o640)


def test_a_folder_may_be_a_link(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    write_whole(tmp_path / "link" / "file", "x")
    assert (tmp_path / "real" / "file").read_text() == "x"
    assert (tmp_path / "link").is_symlink()


@pytest.mark.parametrize(("one", "other"), [("a", "a"), ("net", "NET"), ("a/../b", "b"), ("é", "é"), ("link/a", "real/a")])
def test_two_outputs_never_share_a_name(one, other, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    require_writable(tmp_path / "b" if one == "a" else tmp_path / "a", tmp_path / other)
    with pytest.raises(ValueError, match="expected different files to write"):
        require_writable(tmp_path / one, tmp_path / "another", tmp_path / other)


def test_what_is_read_is_not_written(tmp_path):
    (tmp_path / "in.json").write_text("{}")
    os.link(tmp_path / "in.json", tmp_path / "hard.json")
    require_other(tmp_path / "out.json", tmp_path / "in.json")
    for name in ("in.json", "IN.json", "hard.json"):
        with pytest.raises(ValueError, match="expected another file to write than the one that is read"):
            require_other(tmp_path / name, tmp_path / "in.json")


def test_folders(tmp_path):
    require_folder(tmp_path / "new", ["a.png", "b.png"])
    (tmp_path / "a.png").symlink_to(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="a symbolic link"):
        require_folder(tmp_path, ["a.png"])
    with pytest.raises(ValueError, match="expected a folder"):
        require_folder(Path("-"))
    assert not (tmp_path / "new").exists()


def interrupted_at(step: int, contents: dict) -> bool:
    """Write with a KeyboardInterrupt before the step-th line of ``files`` that is run; False if it was done before."""
    left = step

    def trace(frame, event, _):
        nonlocal left
        if frame.f_code.co_filename != files.__file__:
            return None
        if event == "line":
            left -= 1
            if left == 0:
                raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        write_all(contents)
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False


def test_an_interrupt_at_any_line_leaves_whole_files_and_no_other(tmp_path):
    step, seen = 0, set()
    while True:
        step += 1
        folder = tmp_path / str(step)
        folder.mkdir()
        (folder / "old").write_text("old")
        stopped = interrupted_at(step, {folder / "old": "new", folder / "more": "more"})
        found = {p.name: p.read_text() for p in folder.iterdir()}
        # the two appear one right after the other, when both are written
        assert found in ({"old": "old"}, {"old": "new"}, {"old": "new", "more": "more"})
        seen.add(tuple(found.items()))
        if not stopped:
            break
    assert step > 20
    assert len(seen) >= 2


def test_of_several_files_none_appears_if_one_fails(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        write_all({tmp_path / "a": "fine", tmp_path / "b": "\ud800"})
    assert list(tmp_path.iterdir()) == []
