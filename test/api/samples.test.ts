import { beforeAll, describe, expect, it } from 'vitest';
import recorded from '../../scripts/pages/reference/recorded-answers.json';
import { samplesOf } from '../../scripts/pages/reference/samples.ts';
import { api, type Body, expectDeclared, MASTER, ORIGIN, openApi, post } from '../support/api.ts';
import { type Headers, person } from '../support/people.ts';
import { some } from '../support/some.ts';

const document = await openApi();

interface Shown {
  id: string;
  /** Whether the answer is JSON. */
  json: boolean;
  admin: boolean;
  method: string;
  /** From the root, with its query. */
  path: string;
  body: string | undefined;
}

/** The requests that the reference shows, read from their samples in curl as its forms read them. */
const samples: Shown[] = Object.entries<Body>(document.paths)
  .filter(([path]) => path.startsWith('/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries<Body>(methods).map(([method, operation]) => {
      const code = samplesOf(document, path, method, operation)[0]?.code ?? '';
      return {
        id: operation.operationId,
        json: operation.responses['200']?.content?.['application/json'] !== undefined,
        admin: operation.tags[0] === 'admin',
        method: /-X ([A-Z]+)/.exec(code)?.[1] ?? 'GET',
        path: /'(\S+)'/.exec(code)?.[1]?.slice(ORIGIN.length) ?? '',
        body: /-d '([\s\S]+)'$/.exec(code)?.[1],
      };
    }),
  );

/** What a sample can't do by itself: it needs a file, a published one, an archive of tiles, a published history, or the signature of a provider. */
const NOT_ALONE =
  /^(delete_account|upload_dataset|list_downloads|get_catalog|create_download_session|get_download|download_snapshot|download_overview|get_release|get_release_signature|create_webhook_endpoint|replay_webhook_delivery|get_dataset_file|receive_webhook|list_editions|list_changes|get_changes_atom|get_changes_json_feed|get_changes_of_code|get_crosswalk|activate_release|delete_release|get_snapshot|put_snapshot_object|publish_snapshot)$|tile(?!_archives)|tilejson/;

/** The ids in addresses and bodies of samples, and which object of the test takes the place of each. */
const NAMED = [
  [/(?<=\/v1\/datasets\/|"dataset_id":"|\/features\/dataset\/)[0-9a-f-]{36}/, 'dataset'],
  [/(?<=\/v1\/features\/)[0-9a-f-]{36}/, 'feature'],
  [/(?<=\/api-keys\/)[0-9a-f-]{36}/, 'key'],
  [/(?<=\/admin\/users\/)[0-9a-f-]{36}/, 'user'],
  [/(?<=\/webhook-endpoints\/)[0-9a-f-]{36}/, 'endpoint'],
] as const;

/** Operations without a recorded answer. The reference makes an example of their schemas. */
const NOT_RECORDED = [
  'activate_release',
  'change_user',
  'delete_account',
  'delete_release',
  'delete_tile_archive',
  'get_download',
  'publish_snapshot',
  'put_snapshot_object',
  'put_tile_archive',
  'receive_webhook',
  'replay_webhook_delivery',
];

describe('the samples of the reference', () => {
  let session: Headers;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
    ({ session } = await person());
    for (const [kind, id] of [
      ['key', 'create_api_key'],
      ['dataset', 'create_dataset'],
      ['feature', 'create_feature'],
    ] as const) {
      const { path, body } = samples.find((sample) => sample.id === id) as Shown;
      const answer = await post(path, named(body ?? ''), session);
      expect([id, answer.status, answer.text]).toEqual([id, 200, expect.any(String)]);
      ids[kind] = answer.body.data.id;
      if (kind === 'key') ids.user = answer.body.data.user_id;
    }
    // The sample follows areas, which needs the history of the editions.
    const endpoint = { url: 'https://example.com/hooks/psgc', events: ['release.activated'] };
    ids.endpoint = (await post('/v1/webhook-endpoints', endpoint, session)).body.data.id;
  });

  /** A text with the ids of the test's objects in place of those in samples. */
  function named(text: string): string {
    return NAMED.reduce((replaced, [place, kind]) => replaced.replace(place, ids[kind] ?? ''), text);
  }

  const tried = some(samples.filter(({ id }) => !NOT_ALONE.test(id)));
  const LAST = ['delete_webhook_endpoint', 'delete_feature', 'delete_dataset', 'revoke_api_key', 'revoke_any_api_key'];
  const late = ({ id }: Shown) => LAST.indexOf(id);

  it.each(tried.toSorted((a, b) => late(a) - late(b)).map((sample) => [sample.id, sample] as const))(
    '%s is sent as it is shown, and answered',
    async (_, { admin, method, path, body }) => {
      const headers = { ...(admin ? MASTER : session), ...(body ? { 'Content-Type': 'application/json' } : {}) };
      const answer = await api(named(path), { method, headers, body: body === undefined ? null : named(body) });
      expect([path, body, answer.status, answer.status === 200 ? '' : answer.text]).toEqual([path, body, 200, '']);
    },
  );

  it('exist for every operation, and all but a few are sent', () => {
    expect(tried.length).toBeGreaterThan(samples.length - 35);
  });

  it('name nothing that is deprecated, and read files as files', () => {
    for (const { id, body } of some(samples)) expect([id, body]).not.toEqual([id, expect.stringContaining('"output"')]);
    const operation = document.paths['/v1/tiles/{slug}/{z}/{x}/{y}.mvt'].get;
    const [curl, script, python] = samplesOf(document, '/v1/tiles/{slug}/{z}/{x}/{y}.mvt', 'get', operation);
    expect(curl?.code).toContain("-o '30.mvt'");
    expect(script?.code).toContain('response.arrayBuffer()');
    expect(python?.code).toMatch(/\)\.content$/);
    const { put } = document.paths['/v1/admin/tiles/{slug}'];
    expect(samplesOf(document, '/v1/admin/tiles/{slug}', 'put', put)[0]?.code).toContain(
      "--data-binary '@provinces.pmtiles'",
    );
  });
});

describe('the recorded answers', () => {
  const answers: Record<string, unknown> = recorded;

  it.each(some(samples.filter(({ id }) => id in answers)).map(({ id, method, path }) => [id, method, path] as const))(
    'of %s keep to the document',
    async (id, method, path) => {
      const types = ['application/json', 'application/json'] as [string, string];
      await expectDeclared({ path, init: { method }, status: 200, types }, answers[id]);
    },
  );

  it('exist for all operations but those that change what is served, or need what no sample makes', () => {
    const missing = samples.filter(({ id, json }) => json && !(id in answers)).map(({ id }) => id);
    expect(missing.toSorted()).toEqual(NOT_RECORDED);
    expect(Object.keys(answers).filter((id) => !samples.some((sample) => sample.id === id))).toEqual([]);
  });
});
