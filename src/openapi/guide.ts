import { SCOPES } from '../auth/scopes.ts';
import type { ErrorCode } from '../errors.ts';
import { STATUS } from '../errors.ts';
import { DEFAULT_KEY_RPM, WINDOW_SECONDS } from '../rate-limits/limit.ts';
import { MEANINGS } from './error-meanings.ts';

/** What a newcomer must know before the first request, in Markdown. It is the description of the OpenAPI document. */
export function guide(): string {
  return [START, AUTHENTICATION, LIMITS, CONVENTIONS, SIGNATURES, errors(), SOURCES].join('\n\n');
}

const START = `\
This service has the administrative geography of the Philippines: regions, provinces, cities and municipalities, and
barangays, by their Philippine Standard Geographic Code (PSGC). It has their boundaries at three resolutions, and finds what
lies at a point, around it, or in a polygon.

## First requests

Names, codes, parents, places (\`centroid\`, \`bbox\`) and residents (\`population\`, where the data release has it) are free
as JSON, without a key:

\`\`\`sh
curl '{origin}/v1/regions'
curl '{origin}/v1/municities/search?q=paranaque'
curl '{origin}/v1/provinces/0702200000'
\`\`\`

Boundaries, and what is found with them, need a key. Two things with shapes need none: the coarse maps of
\`/v1/downloads/overview\`, and datasets that their owners have opened to everyone (\`visibility\`). With a key:

\`\`\`sh
curl -H "Authorization: Bearer $API_KEY" '{origin}/v1/provinces?region=0700000000&format=geojson'
curl -H "Authorization: Bearer $API_KEY" '{origin}/v1/geocode/reverse?lat=10.3167&lon=123.8907'
\`\`\``;

const AUTHENTICATION = `\
## Authentication

Send the header \`Authorization: Bearer <token>\`. The token is one of three:

| token | whose | for |
|---|---|---|
| API key, \`svc_sk_<env>_<prefix>_<secret>\` | a user's | programs |
| session, a JSON Web Token of the identity provider | a user's | the dashboard, and managing keys |
| master token | the operator's | administration; it stands for no user |

Create a key in the dashboard or with \`POST /v1/api-keys\` and a session. The key is shown once: only its hash is stored.
Rotating a key gives a new one, and the old one works for a grace time of your choice. A key that another key makes or rotates
does not outlive it, and has no higher limit. All keys of an account share the limit of the account. A revoked key is refused
from the next request on.

Credentials that you send must be valid, also where none are needed, and beside a tile session. Only the index, version,
health, webhooks, this document and the pages ignore them.

A key without scopes may do everything but administration. A key with scopes may do what they say, and can not manage
keys. An operation that needs a scope names it. The scopes are ${SCOPES.map((scope) => `\`${scope}\``).join(', ')}.`;

const LIMITS = `\
## Rate limits

Requests are counted in a window of ${WINDOW_SECONDS} seconds that slides.

| caller | requests per minute |
|---|---|
| no credentials | 30 per address (IPv6: per /64, and 480 per /48), unless the operator chose another number |
| API key | ${DEFAULT_KEY_RPM}, or the \`rate_limit_rpm\` of the key |
| all API keys of an account together | 600, unless the operator chose another number, for all or for the account |
| session | not limited; work that counts as several requests: 600 of an account, unless the operator chose another number |
| address with an OGC session | 600 per network, and 3,000 for all sessions of the account |
| master token | not limited |

Limited answers carry \`RateLimit-Policy: "key";q=60;w=60, "account";q=600;w=60\` (60 requests in 60 seconds, and 600 of
all keys of the account) and \`RateLimit: "key";r=12;t=31, "account";r=480;t=20\` (12 left; the next comes free in 31
seconds). Other policies are \`free-tier\` (without a key), \`network\` (if the /48 has less left), \`session\` and \`sessions\` (of
the network and of the account, with a session in the address), and \`work\` (of a signed-in person). Beyond a limit the answer
is 429 \`rate_limit_exceeded\`, and \`Retry-After\` says after how many seconds to ask again. A refused request does not count.

A hundred rows of a list to match or to parse count as one request. A table that is longer than what is left of the limit is
answered at the pace of the limit. A file of \`GET /v1/downloads/areas/{code}\` counts by its areas and boundaries.`;

const CONVENTIONS = `\
## Conventions

- **Codes are text.** Ten digits, leading zero kept: \`0702200000\` is the province of Cebu. Codes of nine digits and codes
  from before an area moved to another region lead to the area of today; \`Content-Location\` then has its address. The
  numeric \`id\` of a record changes with every data release: never keep it.
- **Envelope.** \`{ "data": …, "error": null }\`, lists with \`meta\` for their pages. GeoJSON and the batch searches are bare.
- **GeoJSON.** \`format=geojson\`, as \`application/geo+json\`: RFC 7946, WGS 84, longitude before latitude, in degrees, at
  most six decimals. Lists are complete then, without pages.
- **Resolution.** \`geometry=simple\` for overview maps, \`medium\` for a province on a screen, \`detailed\` for analysis.
- **Caching.** Answers of geography have a strong \`ETag\`; send it in \`If-None-Match\` and an unchanged answer is a 304
  without a body. \`X-Data-Release\` says which data the answer was made from.
- **Sending again.** A request that creates something takes \`Idempotency-Key: "<a UUID>"\`. If its answer is lost, send it
  again within a day: the answer is what the first one made, and nothing is made twice.
- **Unknown parameters** of the query, and unknown members of a body, change nothing, unless they are refused (422). Every
  answer names the first five in \`X-Unknown-Parameters\`, and where it is an envelope also in \`meta.notices\`.
- **Browsers** may call the service from any page.
- **Asking about a request.** Every answer has \`X-Request-Id\`.
- **Deprecated:** the parameter \`output\` (use \`format\`), and the field \`materialize_features\` of uploads (use
  \`feature_storage\`). Answers to their use have the header \`Deprecation\`. Both work in all versions 1.x.`;

const SIGNATURES = `\
## Signatures of webhooks

What the service sends to [webhook endpoints](/docs/webhook-endpoints) is signed by
[Standard Webhooks](https://www.standardwebhooks.com). The header \`webhook-signature\` has \`v1,\` and the HMAC-SHA256, in Base64,
of \`<webhook-id>.<webhook-timestamp>.<body>\`: two of the headers, and the body as it is sent. The key is what follows
\`whsec_\` in the secret, decoded from Base64. While a secret is being rotated the header has two signatures, with a space between.
Refuse a timestamp that is more than five minutes off.
[Libraries](https://github.com/standard-webhooks/standard-webhooks/tree/main/libraries) do this in every common language:

\`\`\`js
import { Webhook } from 'standardwebhooks';

// The body as it was sent, before it is parsed.
const { type, data } = new Webhook(secret).verify(body, headers);
\`\`\``;

function errors(): string {
  const rows = errorLines().map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`);
  return `\
## Errors

An error is \`{ "message": …, "code": … }\`. The message is for people and may change; the code is for programs and stays.
A parameter or body that does not fit its schema is 422, in a shape of its own:
\`{ "success": false, "error": { "name": "ZodError", "issues": [{ "code", "path", "message" }] } }\`. Each fault has an issue,
which says what was got and what would be right.

| status | code | meaning |
|---|---|---|
${rows.join('\n')}`;
}

const SOURCES = `\
## Data sources and licences

Codes and names: Philippine Statistics Authority (PSA), [Philippine Standard Geographic Code](https://psa.gov.ph/classification/psgc).
They are free to use with acknowledgement of the PSA as the source.

Boundaries depend on the data release: \`GET /v1/sources\` names the source, licence and attribution of everything that is
served. Say the attribution where you show the data. Boundaries made from the humanitarian set of PSA, NAMRIA and OCHA
are CC BY-IGO: credit PSA, NAMRIA and OCHA. Boundaries are generalised and settle no dispute about where a border runs.`;

interface ErrorLine {
  readonly status: number;
  readonly code: ErrorCode;
  readonly meaning: string;
}

/** Every code that an answer can carry, by status and name. */
function errorLines(): ErrorLine[] {
  return (Object.keys(STATUS) as ErrorCode[])
    .map((code) => ({ status: STATUS[code], code, meaning: MEANINGS[code] }))
    .sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}
