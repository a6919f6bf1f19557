"""
Writes what follows from something else: `models.py` from the OpenAPI document, and `_sync/` from `_async/`.

    python generate.py openapi.json            # writes
    python generate.py openapi.json --check    # says what differs, and writes nothing

Needs datamodel-code-generator of the version below.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any, cast

GENERATOR = "0.89.0"
#: Alternatives narrow a member of what they have in common, which the generator writes as a class that they extend.
HEADER = (
    "# Generated from the OpenAPI document by generate.py.\n"
    "# pyright: reportIncompatibleVariableOverride=false"
)
PACKAGE = Path(__file__).parent / "src" / "psgc_client"

#: Types of keyword arguments, of the parameters of an operation without those that methods have themselves.
FILTERS: dict[str, tuple[str, str, set[str]]] = {
    "RegionFilters": ("/v1/regions", "get", {"page", "format", "output"}),
    "ProvinceFilters": ("/v1/provinces", "get", {"page", "format", "output"}),
    "MunicityFilters": ("/v1/municities", "get", {"page", "format", "output"}),
    "BarangayFilters": ("/v1/barangays", "get", {"page", "format", "output"}),
    "SearchOptions": ("/v1/search", "get", {"q"}),
    "SuggestOptions": ("/v1/suggest", "get", {"q", "near"}),
    "MatchColumns": ("/v1/match", "post", set()),
    "ReverseOptions": ("/v1/geocode/reverse", "post", {"lat", "lon"}),
    "ChangeFilters": ("/v1/changes", "get", {"from", "to", "page"}),
    "DownloadFilters": ("/v1/downloads", "get", set()),
    "DatasetFilters": ("/v1/datasets", "get", {"page"}),
}

#: The other types that the client has, with all that they consist of.
MODELS = [
    "Region", "RegionDetail", "RegionDetailFeature", "Province", "ProvinceDetail", "ProvinceDetailFeature",
    "Municity", "MunicityDetail", "MunicityDetailFeature", "Barangay", "BarangayDetail", "BarangayDetailFeature",
    "AreaFeature", "Hierarchy", "SearchHit", "Suggestion", "PostalCode", "ParsedAddress", "Place", "MatchRow", "MatchedRow", "Sources", "Edition", "AreaChange",
    "CrosswalkRow", "Download", "DownloadSession", "ReleaseDocument", "Dataset", "DatasetInput", "DatasetPatch", "Feature", "FeatureInput",
    "FeaturePatch", "GeoJsonFeature", "WebhookEndpoint", "CreatedWebhookEndpoint", "WebhookEndpointInput",
    "WebhookEndpointPatch", "WebhookDelivery",
]  # fmt: skip

#: What becomes what in the package that waits.
WORDS = {
    r"from anyio import sleep": "from time import sleep",
    r"\basynccontextmanager\b": "contextmanager",
    r"\basync (def|with|for)\b": r"\1",
    r"\bawait ": "",
    r"\bAsync(\w+)": r"\1",
    r"\b__aenter__\b": "__enter__",
    r"\b__aexit__\b": "__exit__",
    r"\b__aiter__\b": "__iter__",
    r"\baiter_bytes\b": "iter_bytes",
    r"\baread\b": "read",
    r"\baclose\b": "close",
}


def schemas_of(document: dict[str, Any]) -> dict[str, Any]:
    """A document of the schemas that the client has, with those of parameters and the one that has no name."""
    schemas: dict[str, Any] = document["components"]["schemas"]
    for name, (path, method, without) in FILTERS.items():
        parameters = document["paths"][path][method]["parameters"]
        members = {
            each["name"]: {**each["schema"], "description": each.get("description", "")}
            for each in parameters
            if each["name"] not in without and each["in"] == "query"
        }
        schemas[name] = {"type": "object", "properties": members}
    session = document["paths"]["/v1/downloads/sessions"]["post"]["responses"]["200"]
    schemas["DownloadSession"] = session["content"]["application/json"]["schema"]["properties"]["data"]
    levels = ("Region", "Province", "Municity", "Barangay")
    schemas["AreaFeature"] = {"anyOf": [{"$ref": f"#/components/schemas/{each}DetailFeature"} for each in levels]}
    wanted = reachable(schemas, [*FILTERS, *MODELS])
    kept = {name: typed(schema) for name, schema in schemas.items() if name in wanted}
    return {"openapi": "3.1.0", "info": document["info"], "paths": {}, "components": {"schemas": kept}}


def reachable(schemas: dict[str, Any], names: list[str]) -> set[str]:
    """The names of schemas, and of those that these refer to."""
    found: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += re.findall(r'"#/components/schemas/(\w+)"', json.dumps(schemas[name]))
    return found


def typed(schema: Any) -> Any:
    """A schema without rules that are none of types: which members go together, and that there are no others."""
    if isinstance(schema, list):
        return [typed(each) for each in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    members = cast("dict[str, Any]", schema)
    rules = {"additionalProperties"} if members.get("additionalProperties") is False else set[str]()
    if all(set(each) <= {"required", "maxProperties"} for each in members.get("anyOf", [])):
        rules.add("anyOf")
    return {name: typed(each) for name, each in members.items() if name not in rules}


def models_of(document: dict[str, Any]) -> str:
    """The schemas as TypedDicts."""
    found = version("datamodel-code-generator")
    if found != GENERATOR:
        raise SystemExit(f"datamodel-code-generator {GENERATOR} is needed, and {found} is here.")
    with tempfile.TemporaryDirectory() as directory:
        source, target = Path(directory, "openapi.json"), Path(directory, "models.py")
        source.write_text(json.dumps(schemas_of(document)), encoding="utf-8")
        command = [sys.executable, "-m", "datamodel_code_generator", "--input", source, "--output", target]
        command += ["--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"]
        command += ["--target-python-version", "3.11", "--use-union-operator", "--use-standard-collections"]
        command += ["--enum-field-as-literal", "all", "--disable-timestamp", "--use-field-description"]
        command += ["--formatters", "builtin", "--disable-warnings"]
        command += ["--custom-file-header", HEADER]
        subprocess.run(command, check=True)
        return target.read_text(encoding="utf-8")


def waiting(source: str) -> str:
    """A module that waits in place of one that is awaited."""
    for word, other in WORDS.items():
        source = re.sub(word, other, source)
    return "# Generated from the module of the same name in _async by generate.py.\n" + source


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("document", type=Path)
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    document = json.loads(arguments.document.read_text(encoding="utf-8"))
    files = {PACKAGE / "models.py": models_of(document)}
    for module in sorted(Path(PACKAGE, "_async").glob("*.py")):
        files[PACKAGE / "_sync" / module.name] = waiting(module.read_text(encoding="utf-8"))
    differing = [path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text]
    if arguments.check:
        for path in differing:
            print(f"{path.relative_to(PACKAGE.parent)} is not what generate.py writes.", file=sys.stderr)
        raise SystemExit(1 if differing else 0)
    for path in differing:
        path.parent.mkdir(exist_ok=True)
        path.write_text(files[path], encoding="utf-8")


if __name__ == "__main__":
    main()
