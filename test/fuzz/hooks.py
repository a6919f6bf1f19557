"""What Schemathesis has to know besides the OpenAPI document. Each exception says what no schema can say."""

import json
import os
import re
import uuid
from urllib.parse import parse_qs, urlsplit

import schemathesis
from schemathesis import GenerationMode

# The body of an archive is sent as it is, as any binary one.
schemathesis.serializer.alias("application/vnd.pmtiles", "application/octet-stream")

# The user whose session the requests have. It must stay an administrator, or nothing of administration would be tested.
OWN_ID = os.environ["FUZZ_USER_ID"]

# Codes of refusals that depend on what is stored, on who asks, or on what several values mean together: what is in the ids
# of the operations that may refuse with them, as a pattern, and what they depend on.
BEYOND_SCHEMA = {
    "api_key_exceeds_maker": ("api_key", "the limits of the key that asks"),
    "api_key_not_active": ("api_key", "whether the key is active"),
    "api_key_replaced": ("api_key", "whether the key was rotated before"),
    "columns_not_recognized": ("match|parse|join|geocode", "the headings of the table that is sent"),
    "extract_too_large": ("download_areas", "how large the boundaries of areas are"),
    "confirmation_mismatch": ("delete_account", "who asks"),
    "expires_at_in_past": ("api_key", "the time of day"),
    "invalid_archive": ("tile_archive", "bytes that are an archive"),
    "invalid_csv": ("match|parse|join|geocode", "bytes that are a table"),
    "invalid_file": ("upload", "bytes that are what the name of the file says"),
    "invalid_snapshot": ("snapshot", "bytes that have the digest which a header announces, and are stored"),
    "missing_areas": ("webhook_endpoint", "one of several events requires another member"),
    "missing_municity": ("barangay", "one of several parameters is required, and OpenAPI has no word for that"),
    "missing_province": ("municit", "one of several parameters is required, and OpenAPI has no word for that"),
    "owner_not_allowed": ("dataset|api_key", "who asks"),
    "owner_not_found": ("dataset|api_key", "which users there are"),
    "release_not_checked": ("release", "how a release was loaded"),
    "srid_fixed": ("dataset", "what the features were sent in"),
    "storage_ref_fixed": ("dataset", "whether the dataset has a stored file"),
    "too_many_api_keys": ("api_key", "how many keys there are"),
    "too_many_areas": ("areas_covered", "how many areas lie where the polygon does"),
    "too_many_features": ("count_dataset", "how many features the dataset has"),
    "user_not_restorable": ("restore_user", "when the user was deleted"),
    "too_many_webhook_endpoints": ("webhook_endpoint", "how many endpoints there are"),
    "unsupported_file_type": ("upload", "the ending of the file's name, which a form sends beside its fields"),
    "unsupported_srid": ("dataset|feature", "which reference systems the database knows"),
    "webhook_url_not_allowed": ("webhook_endpoint", "what an address leads to"),
}

# The same for issues of parameters and bodies, and for geometries: what their messages say.
RULES_BEYOND_SCHEMA = (
    "lon: must be given",  # unless lng is: one of two parameters is required
    "must be given with dataset_id",  # one field of a form requires another
    "south not above north",  # one number of a box limits another
    "must have a ring that bounds something",  # an area
    "must not cross",  # edges
    "must not overlap",
    "must be closed",  # the last position of a ring is the first one
    "numbers as those before it",  # all positions of a geometry have two numbers, or all have three
    "must be a longitude",  # the range of coordinates depends on the reference system
    "must be a latitude",
    "must be within what SRID",
    "outside of what the reference system",  # where the database finds it out, which names no position
    "must be a box",  # south is not above north
    "must be a JSON object of headings",  # what is in the text of a field
    "must name an encoding",  # one of two hundred names, in many spellings
    "must have at least 2 letters or digits",  # characters beyond Latin-1 that are neither
    "must not be nested deeper",  # depth
    "must be at most 9007199254740991",  # a whole number that JSON's readers take for another one
    "U+0000",  # a character that may be nowhere in a JSON value, in names neither
)

# Every address that is shorter than this reaches the Worker, characters.
LONG_ADDRESS = 30_000


def is_positive(case):
    return case.meta is None or case.meta.generation.mode == GenerationMode.POSITIVE


@schemathesis.hook
def before_call(context, case, kwargs):
    query = case.query or {}
    changes_user = case.operation.definition.raw.get("operationId") in ("change_user", "delete_user")
    if changes_user and case.path_parameters.get("id") == OWN_ID:
        case.path_parameters["id"] = str(uuid.uuid4())
    if query.get("confirm") == OWN_ID:
        query["confirm"] = str(uuid.uuid4())
    if not is_positive(case):
        return
    # A session is a text that the service has signed. A request without one has the bearer.
    query.pop("session", None)
    # A key that was sent before is refused with another body, and the example is sent often.
    for name in list(case.headers or {}):
        if name.lower() == "idempotency-key":
            case.headers[name] = str(uuid.uuid4())


@schemathesis.hook
def after_call(context, case, response):
    with open(os.environ["FUZZ_REACHED"], "a") as reached:
        phase = "" if case.meta is None else case.meta.phase.name.value
        reached.write(f"{case.operation.definition.raw['operationId']} {phase}\n")


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if response.status_code == 414 and len(response.request.url) > LONG_ADDRESS:
        # The server in front of the Worker refuses addresses that are too long for it, whatever they ask for.
        return False
    kind = type(failure).__name__
    sent = parse_qs(urlsplit(response.request.url).query, keep_blank_values=True)
    if kind == "AcceptedNegativeData" and sent.get("limit") == [""] and "`limit`" in failure.message:
        # The limit of a search may be null, which a query says with an empty value. An empty object is sent as one too.
        return False
    if kind == "AcceptedNegativeData" and case.method == "PATCH" and "Missing request body" in failure.message:
        # A missing body is the same as an empty object, and a change lacks none of its members.
        return False
    if kind == "AcceptedNegativeData" and "Invalid component: positive test case" in failure.message:
        # Schemathesis 4.32 marks a form as invalid that it has made as a valid one: links between operations mix both.
        return False
    if kind not in ("RejectedPositiveData", "EnsureResourceAvailability"):
        return True
    try:
        body = json.loads(response.content)
    except ValueError:
        return True
    if kind == "EnsureResourceAvailability":
        # A dataset that is made without a file has none, and one that was not made public is shown to nobody.
        missing = {"get_dataset_file": "file_not_found", "get_embedded_dataset": "dataset_not_found"}
        return missing.get(case.operation.definition.raw.get("operationId"), "") != body.get("code")
    operations, _ = BEYOND_SCHEMA.get(body.get("code"), (None, ""))
    if operations and re.search(operations, case.operation.definition.raw.get("operationId", "")):
        return False
    issues = (body.get("error") or {}).get("issues", [])
    messages = [issue["message"] for issue in issues] or [body.get("message", "")]
    # One fault that is explained must not hide another that is not.
    return not all(any(rule in message for rule in RULES_BEYOND_SCHEMA) for message in messages)
