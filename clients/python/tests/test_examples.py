# pyright: basic
# The types of pandas are partly unknown to the strict rules.
"""The examples of the README and of the service's documents, as they stand there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

HERE = Path(__file__).parent.parent
DOCS = HERE.parent.parent / "docs"
DOCUMENTS = {HERE / "README.md": "python", DOCS / "quick-start.md": "py", DOCS / "clients.md": "py"}


def blocks_of(document: Path) -> list[str]:
    text = document.read_text(encoding="utf-8")
    return re.findall(rf"^```{DOCUMENTS[document]}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_the_examples_of(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # Examples are of people, who have endpoints; the master token has none.
    monkeypatch.setenv("PSGC_TOKEN", os.environ["PSGC_SESSION"])
    places = {"Name": ["Ana", "Ben"], "Province": ["Cavite", "Cebu"], "Town": ["Dasmarinas", "Argaw"]}
    pd.DataFrame(places).to_excel("places.xlsx", index=False)
    Path("sites.csv").write_text("site,North,East\nA,10.3167,123.8907\n", encoding="utf-8")
    blocks = blocks_of(document)
    assert blocks
    names: dict[str, Any] = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, str(document), "exec"), names)
    matched = pd.read_excel("matched.xlsx", dtype=str)
    assert list(matched["psgc_code"]) == ["0402106000", "0702205000"] and list(matched["Name"]) == ["Ana", "Ben"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_spreadsheet_is_coded_in_five_lines_in(document: Path) -> None:
    (block,) = [each for each in blocks_of(document) if "places.xlsx" in each]
    assert len([line for line in block.splitlines() if line]) == 5
