"""Benchmarks are run by hand, rarely. These tests ensure that they can at least be imported."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

MODULES = sorted(each.stem for each in Path(__file__).parent.glob("[a-z]*.py"))


@pytest.mark.parametrize("module", [each for each in MODULES if not each.startswith("test_")])
def test_benchmark_module_can_be_imported(module: str):
    try:
        importlib.import_module(f"tests.bench.{module}")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "scipy":  # of the extra `bench`
            raise
        pytest.skip("Weights are fitted with scipy.")
