"""Where models run, and what their numbers depend on there: asked of torch once, and stored between runs.

To load torch takes seconds. A run whose results are all known needs nothing of it but the name of the machine, under
which they are kept. So what torch said is kept under all that it can depend on: processor, devices, drivers, versions,
and settings of the environment. Once torch is loaded it is asked again, and has the last word.
"""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from functools import cache
from glob import glob
from hashlib import blake2b
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from recte.caching.disk_cache import DiskCache
from recte.caching.row_cache import open_cache
from recte.errors import OptionError
from recte.extras import optional, version_of
from recte.models.linear_layers import has_packed_products

__all__ = ["Machine", "find_machine", "machine_for"]

_VARIABLES = (
    "ATEN_CPU_CAPABILITY",
    "CUDA_DEVICE_ORDER",
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
    "ROCR_VISIBLE_DEVICES",
)
_DEVICES = ("/dev/nvidia*", "/dev/kfd", "/proc/driver/nvidia/version", "/proc/driver/nvidia/gpus/*/information")
_LIBRARIES = ("torch", "transformers")
_PROCESSOR_LINES = 40  # of /proc/cpuinfo: its first processor


@dataclass(frozen=True)
class Machine:
    """A device by torch's name, and all that results depend on besides the model: the device's kind, how its products
    are made, versions of libraries.
    """

    device: str
    name: str


_known: dict[str, Machine] = {}


def machine_for(choice: str, option: str) -> Machine:
    """The machine of the device that is `wanted`, without torch where it is stored; `option` is for messages."""
    if choice not in _known:
        _known[choice] = _recall(choice) or find_machine(choice, option)
    return _known[choice]


def find_machine(choice: str, option: str) -> Machine:
    """The same, as torch says now."""
    torch = optional("torch", extra="neural", purpose=option)
    transformers = optional("transformers", extra="neural", purpose=option)
    device = _device(torch, choice)
    where = torch.cuda.get_device_name(device) if device.startswith("cuda") else _processor(torch, device)
    machine = Machine(device, f"{where}|torch {torch.__version__}|{transformers.__version__}")
    if _known.get(choice) != machine:
        _known[choice] = machine
        cache = _open_cache()
        if cache is not None and _surroundings():
            cache.write([(_key(choice), json.dumps(asdict(machine)).encode())])
    return machine


def _device(torch: Any, choice: str) -> str:
    if choice == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.zeros(1, device=choice)
    except Exception:
        raise OptionError(f"device: expected auto, cpu or a device that is here (cuda), got {choice!r}") from None
    return choice


def _processor(torch: Any, device: str) -> str:
    if device != "cpu":
        return device
    products = "packed" if has_packed_products(torch) else "plain"
    return f"{device} {torch.backends.cpu.get_cpu_capability()} {products}"


def _open_cache() -> DiskCache | None:
    return open_cache("machines")


def _recall(choice: str) -> Machine | None:
    cache = _open_cache()
    if cache is None or not _surroundings():
        return None
    stored = cache.read([_key(choice)]).get(_key(choice))
    try:
        return None if stored is None else Machine(**json.loads(stored))
    except (ValueError, TypeError):  # of another version of ours
        return None


def _key(choice: str) -> bytes:
    return blake2b(f"{choice}\0{_surroundings()}".encode("utf-8", "surrogateescape"), digest_size=16).digest()


@cache
def _surroundings() -> str:
    """All that torch's answer can depend on, as text; empty where a library is not installed."""
    origins = [getattr(find_spec(name), "origin", None) for name in _LIBRARIES]
    if None in origins:
        return ""
    libraries = [
        (name, version_of(name), origin, Path(origin).stat().st_mtime_ns)
        for name, origin in zip(_LIBRARIES, map(str, origins), strict=True)
    ]
    variables = [os.environ.get(name) for name in _VARIABLES]
    devices = [(path, _text(path)) for pattern in _DEVICES for path in sorted(glob(pattern))]
    machine = (platform.node(), platform.machine(), platform.system(), platform.release(), _processor_text())
    return repr((libraries, variables, devices, machine))


def _text(path: str) -> str:
    if path.startswith("/dev/"):
        return ""
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return "unreadable"


def _processor_text() -> str:
    """The processor's name and what it can do, without its clock."""
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as lines:
            first = [line for line, _ in zip(lines, range(_PROCESSOR_LINES), strict=False)]
    except OSError:
        return platform.processor()
    return "".join(line for line in first if line.startswith(("model name", "flags", "Features", "CPU part")))
