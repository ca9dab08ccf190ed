"""Many workers: the same bytes whoever computes, in whatever order, and whoever dies."""

import os
import signal
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from importlib.util import find_spec

import pytest
from lemmata.gpu import devices, sweeps
from lemmata.gpu import workers as workers_module
from lemmata.gpu.sweeps import collect, compute, sweep
from lemmata.gpu.workers import dask, processes

AXES = {"r_min": [0.0, 0.9], "N": [6, 12], "L": [6], "draw": range(40)}


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The bytes of the results computed without workers."""
    folder = tmp_path_factory.mktemp("alone")
    sweep("reconstruction", AXES, folder)
    return (folder / "results.nc").read_bytes()


class Backwards(Executor):
    """Works when asked for a result, last piece first."""

    def __init__(self):
        self.asked = []

    def submit(self, fn, /, *args, **kwargs):
        future = Future()
        self.asked.append((future, fn, args))
        if len(self.asked) == 5:
            for future, fn, args in reversed(self.asked):
                future.set_result(fn(*args))
        return self.asked[-1][0]


@pytest.mark.parametrize("executor", [Backwards, lambda: ThreadPoolExecutor(3)], ids=["backwards", "threads"])
def test_any_executor_gives_the_same_bytes(executor, tmp_path, alone):
    with executor() as workers:
        sweep("reconstruction", AXES, tmp_path, executor=workers)
    assert (tmp_path / "results.nc").read_bytes() == alone


def test_shards_in_any_order_give_the_same_bytes(tmp_path, alone):
    cells = []
    for part in (3, 1, 2):
        with pytest.raises(ValueError, match="expected all 5 pieces" if cells else "without sweep.json"):
            collect(tmp_path)
        compute("reconstruction", AXES, tmp_path, shard=(part, 3), progress=lambda stage, done, total: cells.append((done, total)))
    assert cells == [(0, 32), (32, 32), (0, 64), (32, 64), (64, 64), (0, 64), (32, 64), (64, 64)]
    collect(tmp_path)
    assert (tmp_path / "results.nc").read_bytes() == alone
    with pytest.raises(ValueError, match="expected a shard i/n with 1 <= i <= n, got 3/2"):
        compute("reconstruction", AXES, tmp_path, shard=(3, 2))


def test_more_shards_than_pieces(tmp_path):
    compute("reconstruction", AXES, tmp_path, shard=(9, 9))
    assert not list(tmp_path.glob("*.npy"))


@pytest.mark.skipif(os.name != "posix", reason="kills a process")
def test_processes_give_the_same_bytes_and_may_die(tmp_path, alone):
    def kill_one_between_two_sweeps():
        with processes(2) as workers:
            assert workers is not None
            sweep("reconstruction", AXES, tmp_path / "whole", executor=workers)
            os.kill(workers.submit(os.getpid).result(), signal.SIGKILL)
            sweep("reconstruction", AXES, tmp_path / "killed", executor=workers)

    with pytest.raises(ValueError, match="expected workers that live, got one that died"):
        kill_one_between_two_sweeps()
    assert (tmp_path / "whole" / "results.nc").read_bytes() == alone
    assert not (tmp_path / "killed" / "results.nc").exists()
    sweep("reconstruction", AXES, tmp_path / "killed")
    assert (tmp_path / "killed" / "results.nc").read_bytes() == alone


def test_workers_of_another_kind_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(workers_module, "made_with", lambda device: devices.made_with(device) | {"blas": "openblas 0 Other"})
    with ThreadPoolExecutor(1) as workers, pytest.raises(ValueError, match=r"expected workers with the code.* got blas .* here"):
        sweep("reconstruction", AXES, tmp_path, executor=workers)
    assert not list(tmp_path.glob("*.npy"))


def test_at_least_one_job():
    with pytest.raises(ValueError, match="at least 1 job, got 0"), processes(0):
        pass
    with processes(1) as workers:
        assert workers is None


@pytest.mark.programs
@pytest.mark.skipif(os.name != "posix" or find_spec("distributed") is None, reason="needs POSIX and distributed (extra dask)")
@pytest.mark.filterwarnings("default")
def test_a_dask_worker_that_is_killed_is_made_up_for(tmp_path, monkeypatch, alone):
    killed = tmp_path / "killed"

    def rows_of(*arguments):
        from lemmata.gpu.workers import rows_of as compute_rows

        if arguments[1] == 2 and not killed.exists():
            killed.write_text(str(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return os.getpid(), compute_rows(*arguments)

    class Heard(Executor):
        """Passes all on, and keeps in mind who computed."""

        def submit(self, fn, /, *arguments, **_):
            def keep(done):
                pid, rows = done.result()
                by[arguments[1]] = pid
                future.set_result(rows)

            future = Future()
            workers.submit(fn, *arguments).add_done_callback(keep)
            return future

    by: dict[int, int] = {}
    with dask("local", 2) as workers:
        monkeypatch.setattr(sweeps, "rows_of", rows_of)
        sweep("reconstruction", AXES, tmp_path / "a", executor=Heard())
    # the worker may have handed in other pieces before it died, not this one
    assert by[2] != int(killed.read_text())
    assert len(by) == 5
    assert os.getpid() not in by.values()
    assert (tmp_path / "a" / "results.nc").read_bytes() == alone


@pytest.mark.skipif(find_spec("distributed") is None, reason="needs distributed (extra dask)")
@pytest.mark.filterwarnings("default")
def test_a_scheduler_that_cannot_be_reached_is_one_line():
    for address in ("nowhere", "gopher://nowhere:1"):
        with pytest.raises(ValueError, match="expected a Dask scheduler such as tcp://HOST:8786, or local"), dask(address):
            pass
    with pytest.raises(ValueError, match="--jobs for this machine's workers only"), dask("tcp://localhost:8786", 2):
        pass
