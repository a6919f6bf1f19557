"""Reads answers of FHIR, one a line, with the models of R4B, and prints what they are. Whatever does not fit ends it."""

import json
import sys
from importlib import import_module


def read(answer: dict) -> str:
    kind = answer["resourceType"]
    model = getattr(import_module(f"fhir.resources.R4B.{kind.lower()}"), kind)
    model.model_validate(answer)
    return kind


for line in sys.stdin:
    print(read(json.loads(line)))
