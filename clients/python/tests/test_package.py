"""What the package says of itself."""

from __future__ import annotations

import json
import re
from importlib.metadata import requires
from pathlib import Path

from psgc_client import __version__

HERE = Path(__file__).parent.parent
ROOT = HERE.parent.parent


def test_the_version_is_that_of_the_service_and_of_the_other_client() -> None:
    manifests = [ROOT / "package.json", HERE.parent / "typescript" / "package.json"]
    assert {json.loads(path.read_text(encoding="utf-8"))["version"] for path in manifests} == {__version__}


def test_the_readme_says_what_the_client_needs() -> None:
    needed = [re.split(r"[^\w-]", each)[0] for each in requires("psgc-client") or () if "extra ==" not in each]
    said = " and ".join(sorted(needed))
    assert f"The client itself needs {said} only." in (HERE / "README.md").read_text(encoding="utf-8")
