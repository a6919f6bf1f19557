import { ORIGIN } from './code.ts';
import type { OpenApi, Operation } from './openapi.ts';
import { sampleRequest } from './samples.ts';

// Records what a server answers to the samples of the reference, and makes examples of the answers.

/** A server that may be written to. */
interface Server {
  /** Its origin. */
  readonly address: string;
  readonly masterToken: string;
  /** A token of a user who has nothing yet. */
  readonly session: string;
}

/** What samples need: operations that make it, in this order, and where its id stands in addresses and bodies. */
const MADE = {
  create_api_key: /(?<=\/api-keys\/)[0-9a-f-]{36}/,
  create_dataset: /(?<=\/v1\/datasets\/|"dataset_id":"|\/features\/dataset\/)[0-9a-f-]{36}/,
  create_feature: /(?<=\/v1\/features\/)[0-9a-f-]{36}/,
  create_webhook_endpoint: /(?<=\/webhook-endpoints\/)[0-9a-f-]{36}/,
  user: /(?<=\/admin\/users\/)[0-9a-f-]{36}/,
} as const;

/** Operations that take away what the others need, in this order. */
const LAST = [
  'delete_webhook_endpoint',
  'delete_feature',
  'delete_dataset',
  'revoke_api_key',
  'revoke_any_api_key',
  'delete_user',
  'restore_user',
];

/** What would change the release or the tiles of the server, or needs what no sample makes. */
const LEFT_OUT =
  /^(delete_account|receive_webhook|replay_webhook_delivery|activate_release|delete_release|put_|publish_|delete_tile|change_user)/;

/**
 * Examples of the answers to the samples, by operation: those of status 200 in JSON. Lists are shortened, and what is of this
 * server alone is replaced: its origin, ids, secrets, and times of today.
 */
export async function recordAnswers(
  document: OpenApi,
  server: Server,
  say: (text: string) => void,
): Promise<Record<string, unknown>> {
  const made = new Map<string, string>();
  const asked = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
    );
  const order = [...Object.keys(MADE), ''].concat(LAST);
  const placeOf = ({ operation: { operationId } }: (typeof asked)[number]) =>
    order.indexOf(operationId) < 0 ? order.indexOf('') : order.indexOf(operationId);
  const answers: Record<string, unknown> = {};
  for (const { path, method, operation } of asked.toSorted((a, b) => placeOf(a) - placeOf(b))) {
    const { operationId, responses, tags } = operation;
    const request = sampleRequest(document, path, method, operation);
    if (LEFT_OUT.test(operationId) || !responses['200']?.content?.['application/json']) continue;
    const named = (text: string) =>
      Object.entries(MADE).reduce((it, [by, at]) => it.replace(at, made.get(by) ?? '$&'), text);
    const token = tags[0] === 'admin' ? server.masterToken : server.session;
    const response = await fetch(server.address + named(request.path), {
      method: request.method,
      headers: { Authorization: `Bearer ${token}`, ...(request.body && { 'Content-Type': 'application/json' }) },
      body: request.form ? stations() : request.body === undefined ? null : named(request.body),
    });
    const answer = await response.json();
    if (response.status !== 200) {
      say(`${operationId} has none: ${response.status} ${JSON.stringify(answer).slice(0, 200)}`);
      continue;
    }
    const { data } = answer as { data: { id: string; user_id?: string } };
    if (operationId in MADE) made.set(operationId, data.id);
    if (operationId === 'create_api_key') made.set('user', data.user_id as string);
    answers[operationId] = exampleOf(answer, server.address, made);
  }
  return Object.fromEntries(
    asked.flatMap(({ operation: { operationId: id } }) => (id in answers ? [[id, answers[id]]] : [])),
  );
}

/** The form that samples upload. */
function stations(): FormData {
  const geometry = { type: 'Point', coordinates: [123.6082, 9.8794] };
  const feature = { type: 'Feature', properties: { name: 'Argao Rural Health Unit' }, geometry };
  const form = new FormData();
  form.set(
    'file',
    new Blob([JSON.stringify({ type: 'FeatureCollection', features: [feature] })]),
    'health-stations.geojson',
  );
  return form;
}

/** What is of one server alone, and what an example has in its place. */
const OWN: readonly [RegExp, string][] = [
  [/\bsvc_sk_\w{20,}/g, 'svc_sk_2aBcDeFgHiJkLmNoPqRsTuVwXyZ012345'],
  [/\bwhsec_[\w+/=]+/g, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  [/\beyJ[\w-]+\.[\w.-]+/g, 'eyJhbGciOiJIUzI1NiJ9.eyJleHAiOjE3OTU0MTQ0MDB9.c2lnbmF0dXJl'],
];

/** Max items of a list in an example; and of positions, which make a ring with the last. */
const MAX_ITEMS = 2;
const MAX_POSITIONS = 3;

/** An answer as an example: with shorter lists, and without what is of one server alone. */
function exampleOf(answer: unknown, address: string, made: ReadonlyMap<string, string>): unknown {
  const ids = new Map([...made.values()].map((id) => [id, EXAMPLE_ID]));
  const today = new Date().toISOString().slice(0, 10);
  const text = JSON.stringify(shortened(answer))
    .replaceAll(address, ORIGIN)
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, `${String(ids.size).padStart(8, '0')}${EXAMPLE_ID.slice(8)}`);
      return ids.get(id) as string;
    })
    .replaceAll(new RegExp(`${today}T[\\d:.]+Z`, 'g'), '2026-11-21T08:00:00.000Z')
    .replaceAll(today, '2026-11-21');
  return JSON.parse(OWN.reduce((it, [own, example]) => it.replace(own, example), text));
}

const EXAMPLE_ID = '5b0f0a7e-54c6-4c1b-9d7a-0d8f6d6f2c11';

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isRing = Array.isArray(value[0]) && typeof value[0][0] === 'number';
    const items = isRing && value.length > MAX_POSITIONS ? [...value.slice(0, MAX_POSITIONS), value.at(-1)] : value;
    return (isRing ? items : items.slice(0, isNumbers(value) ? value.length : MAX_ITEMS)).map(shortened);
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shortened(member)]));
}

/** Whether a list is a position or a box, which is never shortened. */
function isNumbers(list: readonly unknown[]): boolean {
  return list.every((item) => typeof item === 'number');
}
