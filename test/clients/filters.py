"""Says what two other parsers of CQL2 make of filters: cql2 (of developmentseed/cql2-rs) and pygeofilter.

usage: filters.py < [{"text": <CQL2 text>, "json": <the same in CQL2 JSON; left out where there is none>}]

For each filter: "json", what cql2 reads the text as, and "text", how cql2 writes the JSON as text, null where it reads neither;
"is_read_by_pygeofilter", whether pygeofilter reads all that there is.
"""

import contextlib
import json
import sys

import cql2
from pygeofilter.parsers.cql2_json import parse as parse_json
from pygeofilter.parsers.cql2_text import parse as parse_text


def result_of(read):
    # Each parser has exceptions of its own, and of its parts.
    try:
        return read()
    except Exception:
        return None


def judge(text, written=None):
    return {
        "json": result_of(lambda: cql2.parse_text(text).to_json()),
        "text": None if written is None else result_of(lambda: cql2.parse_json(json.dumps(written)).to_text()),
        "is_read_by_pygeofilter": result_of(lambda: parse_text(text)) is not None
        and (written is None or result_of(lambda: parse_json(json.dumps(written))) is not None),
    }


# The grammar of pygeofilter prints what it can't read.
with contextlib.redirect_stdout(sys.stderr):
    judged = [judge(asked["text"], asked.get("json")) for asked in json.load(sys.stdin)]
json.dump(judged, sys.stdout)
