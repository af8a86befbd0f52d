"""What the generators share: where packages lie, and writing rows as tests/golden does."""

import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
FIXTURES = HERE.parent / "fixtures"
sys.path.insert(0, str(ROOT / "tests/golden"))

import files  # noqa: E402
from files import Draws  # noqa: E402, F401

files.HERE = FIXTURES
write = files.write


def package(name, path):
    """A file of a package that fetch.mjs has fetched: folders are called name-version."""
    [folder] = [f for f in (ROOT / "build/pretrained").glob(f"{name}-*") if f.is_dir()]
    return folder / path


def worst(found, exact):
    """By how much at most values of f32 differ from those of f64."""
    return float(abs(found - exact).max())
