import { ORIGIN } from './code.ts';
import type { OpenApi, Operation } from './openapi.ts';
import { sampleRequest } from './samples.ts';

/** A service that may be written to, and that has the history, the files and the tiles of its release. */
interface Service {
  /** Its origin. */
  readonly address: string;
  readonly masterToken: string;
  /** A token of a user who has nothing yet. */
  readonly session: string;
}

/** Operations that make what others need, in this order, and where its id stands in the requests of those. */
const MADE: Readonly<Record<string, RegExp>> = {
  create_api_key: /(?<=\/api-keys\/)[0-9a-f-]{36}/,
  create_dataset: /(?<=\/v1\/datasets\/|"dataset_id":"|\/features\/dataset\/)[0-9a-f-]{36}/,
  create_feature: /(?<=\/v1\/features\/)[0-9a-f-]{36}/,
  create_webhook_endpoint: /(?<=\/webhook-endpoints\/)[0-9a-f-]{36}/,
};
const USER = /(?<=\/admin\/users\/)[0-9a-f-]{36}/;

/** Operations that take away what others need, in this order. */
const TAKEN = [
  'delete_webhook_endpoint',
  'delete_feature',
  'delete_dataset',
  'revoke_api_key',
  'revoke_any_api_key',
  'delete_user',
  'restore_user',
];

/** What would change the release or the tiles of the service, or needs what no sample makes. */
const LEFT_OUT =
  /^(delete_account|receive_webhook|replay_webhook_delivery|activate_release|delete_release|put_|publish_|delete_tile|change_user)/;

/** The release that samples name. */
const RELEASE = '2026-3q-1';

const ORDER = [...Object.keys(MADE), 'all others', ...TAKEN];

/**
 * Examples of the answers to the samples, by operation: those with status 200 in JSON. Lists are shortened, and what is of this
 * service alone is replaced: its origin and release, ids, secrets, addresses of people, and times of today.
 *
 * @param say is told what has no example, and why
 */
export async function recordAnswers(
  document: OpenApi,
  service: Service,
  say: (text: string) => void,
): Promise<Record<string, unknown>> {
  const asked = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })))
    .filter(({ operation: { operationId, responses } }) => {
      return !LEFT_OUT.test(operationId) && responses['200']?.content?.['application/json'];
    });
  const release = (await fetch(`${service.address}/v1/regions`)).headers.get('X-Data-Release') as string;
  const ids = new Map<RegExp, string>();
  const answers = new Map<string, unknown>();
  const named = (text: string) =>
    [...ids].reduce((it, [place, id]) => it.replace(place, id), text.replaceAll(RELEASE, release));
  for (const { path, method, operation } of asked.toSorted((a, b) => placeOf(a.operation) - placeOf(b.operation))) {
    const { operationId, tags } = operation;
    const request = sampleRequest(document, path, method, operation);
    const token = tags[0] === 'admin' ? service.masterToken : service.session;
    const response = await fetch(service.address + named(request.path), {
      method: request.method,
      headers: { Authorization: `Bearer ${token}`, ...(request.body && { 'Content-Type': 'application/json' }) },
      body: request.form ? stations() : request.body ? named(request.body) : null,
    });
    if (response.headers.get('Content-Type') !== 'application/json') {
      await response.body?.cancel();
      continue;
    }
    const answer = await response.json();
    const { data } = answer as { data?: { id: string; user_id?: string } };
    const place = MADE[operationId];
    if (place && data) ids.set(place, data.id);
    if (place && data?.user_id) ids.set(USER, data.user_id);
    if (response.status === 200) {
      answers.set(operationId, exampleOf(answer, { [service.address]: ORIGIN, [release]: RELEASE }, ids));
    } else {
      say(`${operationId} has none: ${response.status} ${JSON.stringify(answer).slice(0, 200)}`);
    }
  }
  const inOrder = asked.map(({ operation: { operationId } }) => [operationId, answers.get(operationId)]);
  return Object.fromEntries(inOrder);
}

function placeOf({ operationId }: Operation): number {
  return ORDER.indexOf(ORDER.includes(operationId) ? operationId : 'all others');
}

/** The form that samples upload. */
function stations(): FormData {
  const geometry = { type: 'Point', coordinates: [123.6082, 9.8794] };
  const feature = { type: 'Feature', properties: { name: 'Argao Rural Health Unit' }, geometry };
  const form = new FormData();
  const text = JSON.stringify({ type: 'FeatureCollection', features: [feature] });
  form.set('file', new Blob([text]), 'health-stations.geojson');
  return form;
}

/** What is of one service alone, and what an example has in its place. */
const OWN: readonly [RegExp, string][] = [
  [/\bsvc_sk_\w{20,}/g, 'svc_sk_live_2aBcDeFgHiJk_LmNoPqRsTuVwXyZ0123456789'],
  [/\bwhsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [/\beyJ[\w-]+\.[\w.-]+/g, 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3OTU0MTQ0MDB9.c2lnbmF0dXJl'],
  [/[\w.]+@example\.com/g, 'maria@example.com'],
];

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const EXAMPLE_ID = '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11';
const EXAMPLE_DAY = '2026-11-21';

/**
 * @param own further texts of the service alone, and what takes the place of each
 * @param made ids of what the samples made
 */
function exampleOf(answer: unknown, own: Record<string, string>, made: ReadonlyMap<RegExp, string>): unknown {
  const ids = new Map([...made.values()].map((id) => [id, EXAMPLE_ID]));
  const today = new Date().toISOString().slice(0, 10);
  const replaced = Object.entries(own).reduce(
    (it, [text, by]) => it.replaceAll(text, by),
    JSON.stringify(shortened(answer)),
  );
  const text = OWN.reduce((it, [pattern, by]) => it.replace(pattern, by), replaced)
    .replace(UUID, (id) => {
      if (!ids.has(id)) ids.set(id, `${String(ids.size).padStart(8, '0')}${EXAMPLE_ID.slice(8)}`);
      return ids.get(id) as string;
    })
    .replace(new RegExp(`${today}T[\\d:.]+Z`, 'g'), `${EXAMPLE_DAY}T08:00:00.000Z`)
    .replaceAll(today, EXAMPLE_DAY);
  return JSON.parse(text);
}

/** Max items of a list in an example. */
const MAX_ITEMS = 2;
/** Max positions of a line or a ring, whose last one stays, so that a ring stays closed. */
const MAX_POSITIONS = 4;

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    // A position or a box.
    if (value.every((item) => typeof item === 'number')) return value;
    const isOfPositions = Array.isArray(value[0]) && typeof value[0][0] === 'number';
    if (!isOfPositions) return value.slice(0, MAX_ITEMS).map(shortened);
    return value.length > MAX_POSITIONS ? [...value.slice(0, MAX_POSITIONS - 1), value.at(-1)] : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}
