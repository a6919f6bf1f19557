"""Reads OpenMetrics text from standard input with the official parser, and prints the types and samples as JSON."""

import json
import sys

from prometheus_client.openmetrics.parser import text_string_to_metric_families

families = list(text_string_to_metric_families(sys.stdin.read()))
json.dump(
    {
        family.name: {
            "type": family.type,
            "unit": family.unit,
            "samples": [sample.value for sample in family.samples],
        }
        for family in families
    },
    sys.stdout,
)
