import { describe, expect, it } from 'vitest';
import { renderReference } from '../../scripts/pages/reference/render.ts';
import { SCOPES } from '../../src/auth/scopes.ts';
import { STATUS } from '../../src/errors.ts';
import { type Body, get, ORIGIN, openApi, undeclared } from '../support/api.ts';
import { some } from '../support/some.ts';

const document = await openApi();
const operations = some(
  Object.entries<Body>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Body>(methods).map(([method, operation]): [string, string, Body] => [method, path, operation]),
  ),
);

/** What a client needs of the headers of an error, by status. */
const ERROR_HEADERS = {
  400: ['X-Request-Id'],
  401: ['X-Request-Id', 'WWW-Authenticate'],
  416: ['X-Request-Id', 'Content-Range'],
  429: ['X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  503: ['X-Request-Id', 'Retry-After'],
};

/** How precise a number is tells nothing of what it may be. */
const PRECISIONS = ['double', 'int64'];

/** Expects a description of every member of a schema, and an example unless its type leaves no doubt. */
function expectDescribed(given: Body, place: string): void {
  const schema = given.$ref ? document.components.schemas[given.$ref.split('/').at(-1)] : given;
  for (const part of [...(schema.anyOf ?? []), ...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])]) {
    expectDescribed(part, place);
  }
  for (const [name, member] of Object.entries<Body>(schema.properties ?? {})) {
    const here = `${place}.${name}`;
    expect(member.description, `description of ${here}`).toBeTruthy();
    const { type, enum: words, example, default: preset, format, items } = member;
    const form = PRECISIONS.includes(format) ? undefined : format;
    const known = words ?? example ?? preset ?? form ?? items ?? (type === 'boolean' ? true : undefined);
    expect(known ?? ('example' in member ? null : undefined), `example of ${here}`).not.toBeUndefined();
    expectDescribed(member, here);
  }
}

describe('the OpenAPI document', () => {
  it('is of version 3.1 and names the service and its version', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.info.title).toBe('Philippine Geographic Data Service');
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('has every operation once', () => {
    const ids = operations.map(([, , operation]) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const paths = operations.map(([method, path]) => `${method} ${path}`);
    for (const level of ['regions', 'provinces', 'municities', 'barangays']) {
      expect(paths).toEqual(
        expect.arrayContaining([
          `get /v1/${level}`,
          `post /v1/${level}/search`,
          `get /v1/${level}/{id}`,
          `get /v1/${level}/{id}/hierarchy`,
        ]),
      );
    }
    for (const path of ['/', '/v1', '/version', '/v1/version', '/healthcheck', '/v1/healthcheck'])
      expect(paths).toContain(`get ${path}`);
    expect(paths).toEqual(expect.arrayContaining(['get /v1/municities/search', 'get /v1/barangays/search']));
  });

  it.each(operations)(
    '%s %s has a summary, a tag, who may call it, and answers for what can go wrong',
    (_, path, operation) => {
      expect(operation.summary).toBeTruthy();
      expect(document.tags.map(({ name }: Body) => name)).toContain(operation.tags[0]);
      expect(operation.security).toBeDefined();
      expect(operation.responses[200]).toBeDefined();
      if (!path.startsWith('/v1/')) return;
      if (/version|healthcheck|webhooks/.test(path)) return;
      const input = operation.parameters || operation.requestBody;
      for (const status of [401, ...(input ? [422] : []), 500, 503])
        expect(operation.responses[status], String(status)).toBeDefined();
    },
  );

  it('lets every box of a record be null, and none of GeoJSON, which leaves it out', () => {
    const nullable = new Map<string, boolean>();
    const visit = (value: Body, path: string): void => {
      // What is sent may have any box, or null.
      if (value === null || typeof value !== 'object' || path.endsWith('Input')) return;
      const { type, bbox } = (value.type === 'object' && value.properties) || {};
      const isGeojson = /"(Feature|Point|Line|Poly|Multi|Geometry)/.test(JSON.stringify([type?.const, type?.enum]));
      if (bbox && isGeojson) expect([path, bbox.type, value.required.includes('bbox')]).toEqual([path, 'array', false]);
      else if (bbox) nullable.set(path, [bbox.type].flat().includes('null'));
      for (const [name, member] of Object.entries(value)) if (name !== 'example') visit(member, `${path}/${name}`);
    };
    visit(document, '');
    expect([...nullable].filter(([, isNullable]) => !isNullable)).toEqual([]);
    for (const name of ['Dataset', 'AdminDataset', 'Region', 'Province', 'Municity', 'Barangay', 'BarangayDetail']) {
      expect([name, nullable.get(`/components/schemas/${name}`)]).toEqual([name, true]);
    }
  });

  it('says of every number that it is double, and of every count of bytes beyond 32 bits that it is int64', () => {
    const found = new Map<string, Set<unknown>>();
    const visit = (value: Body, name = ''): void => {
      if (value === null || typeof value !== 'object') return;
      const types = [value.type].flat();
      const isLarge = /bytes/.test(name) && !(value.maximum < 2 ** 31);
      const kind = types.includes('number') ? 'number' : types.includes('integer') && isLarge ? 'bytes' : undefined;
      if (kind && !types.includes('string')) found.set(kind, (found.get(kind) ?? new Set()).add(value.format));
      for (const [key, member] of Object.entries<Body>(value)) {
        // What two counts are of is the name of their object.
        if (key !== 'example') visit(member, /^(allowed|used|properties)$/.test(key) ? name : key);
      }
    };
    visit(document);
    expect(Object.fromEntries(found)).toEqual({ number: new Set(['double']), bytes: new Set(['int64']) });
  });

  it('resolves all its references', () => {
    const references = JSON.stringify(document).match(/"#\/components\/[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(20);
    for (const reference of new Set(references)) {
      const [, , kind, name] = JSON.parse(reference).split('/');
      expect(document.components[kind][name], reference).toBeDefined();
    }
  });

  it('describes parameters as they are: integers with their bounds, words with their choices', () => {
    const list = document.paths['/v1/municities'].get.parameters;
    const schema = (name: string) => list.find((parameter: Body) => parameter.name === name)?.schema;
    expect(schema('page')).toMatchObject({ type: 'integer', minimum: 1, default: 1 });
    expect(schema('limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 10 });
    expect(schema('scope')).toMatchObject({ enum: ['geographic', 'admin'], default: 'geographic' });
    expect(list.find((parameter: Body) => parameter.name === 'output').deprecated ?? schema('output').deprecated).toBe(
      true,
    );
    for (const parameter of some(list)) expect(parameter.required ?? false, parameter.name).toBe(false);
  });

  it.each(operations)(
    '%s %s describes its parameters, with an example where the type says too little',
    (_, __, operation) => {
      for (const { name, schema, description, example } of operation.parameters ?? []) {
        expect(description ?? schema.description, name).toBeTruthy();
        const form = PRECISIONS.includes(schema.format) ? undefined : schema.format;
        const known = schema.enum ?? schema.example ?? schema.examples ?? schema.default ?? form ?? example;
        expect(known, `example of ${name}`).toBeDefined();
      }
    },
  );

  it.each(operations)(
    '%s %s describes the members of its body, with an example where the type says too little',
    (_, __, operation) => {
      for (const { schema } of Object.values<Body>(operation.requestBody?.content ?? {}))
        expectDescribed(schema, 'body');
    },
  );

  it.each(operations)('%s %s names the headers of its errors', (_, path, { responses }) => {
    if (/healthcheck|webhooks/.test(path)) return;
    for (const [status, names] of Object.entries(ERROR_HEADERS)) {
      const response = responses[status];
      if (response) expect(Object.keys(response.headers ?? {}), status).toEqual(expect.arrayContaining(names));
    }
  });

  it('has examples that are true: what they show is what is answered', async () => {
    const { Region, Province, Municity, Barangay, Place } = Object.fromEntries(
      Object.entries<Body>(document.components.schemas).map(([name, { example }]) => [name, example]),
    );
    // The boundaries of the tests are drawn by hand, so centroids, boxes, areas and densities differ.
    const withoutPlace = ({ centroid, bbox, area_km2, density_km2, ...record }: Body) => record;
    const listed = async (path: string) => (await get(path)).body.data.map(withoutPlace);
    expect(await listed('/v1/regions?codes=0700000000')).toEqual([withoutPlace(Region)]);
    expect(await listed('/v1/provinces?region=0700000000')).toContainEqual(withoutPlace(Province));
    expect(await listed('/v1/municities/search?q=City of Cebu')).toContainEqual(withoutPlace(Municity));
    expect(await listed('/v1/barangays?municity_code=0730600000&name=Capitol')).toEqual([withoutPlace(Barangay)]);
    expect(Place).toMatchObject({ region: Region, host_province: Province, municity: Municity, barangay: Barangay });
    for (const level of ['Region', 'Province', 'Municity', 'Barangay']) {
      const { example } = document.components.schemas[`${level}Detail`];
      const path = `/v1/${level === 'Municity' ? 'municitie' : level.toLowerCase()}s/${example.code}`;
      expect(withoutPlace((await get(path)).body.data), path).toEqual(withoutPlace(example));
    }
  });

  it('explains every code of an error in one table, by status', () => {
    const { description } = document.info;
    const rows = [...description.matchAll(/^\| (\d{3}) \| `([a-z_]+)` \| (.+) \|$/gm)].map(
      ([, status, code, meaning]) => ({ status: Number(status), code, meaning }),
    );
    expect(Object.fromEntries(rows.map(({ code, status }) => [code, status]))).toEqual(STATUS);
    for (const { code, meaning } of some(rows)) expect(meaning.length, code).toBeGreaterThan(15);
    expect(rows.map(({ status }) => status)).toEqual(rows.map(({ status }) => status).sort());
  });

  it('names only codes, parameters and members in its descriptions that exist', () => {
    const known = new Set<string>([...Object.keys(STATUS), ...operations.map(([, , { operationId }]) => operationId)]);
    const said: string[] = [];
    const visit = (value: Body, key = ''): void => {
      if (typeof value === 'string') {
        if (/^(description|summary)$/.test(key)) said.push(value);
        if (/^(name|const|enum)$/.test(key)) known.add(value);
      } else if (Array.isArray(value)) {
        for (const item of value) visit(item, key);
      } else if (value !== null && typeof value === 'object') {
        for (const [name, member] of Object.entries<Body>(value)) {
          known.add(name);
          visit(member, name);
        }
      }
    };
    visit(document);
    const words = said.flatMap((text) => text.match(/(?<![\w/.-])[a-z]+(_[a-z0-9]+)+(?![\w/])/g) ?? []);
    expect(words.length).toBeGreaterThan(50);
    expect([...new Set(words)].filter((word) => !known.has(word))).toEqual([]);
  });

  it('says how to authenticate, what the limits are, and whose the data is', () => {
    const { description } = document.info;
    for (const heading of ['Authentication', 'Rate limits', 'Errors', 'Data sources and licences']) {
      expect(description).toContain(`\n## ${heading}\n`);
    }
    for (const scope of SCOPES) expect(description).toContain(`\`${scope}\``);
  });

  it('names the address that it was asked for at', () => {
    expect(document.info.description).toContain(`curl '${ORIGIN}/v1/regions'`);
    expect(JSON.stringify(document)).not.toContain('{origin}');
  });

  it('may be kept for a while', async () => {
    expect((await undeclared('/openapi.json')).headers.get('Cache-Control')).toContain('max-age');
  });
});

describe('llms.txt', () => {
  it('has a title, a summary, and a link to every operation, each once', async () => {
    const { status, text, headers } = await undeclared('/llms.txt');
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# Philippine Geographic Data Service\n\n> .+\n/);
    const linked = [...text.matchAll(/^- \[([A-Z]+ \/\S*)\]\((\S+)\): .+$/gm)].map(([, name]) => name);
    const expected = operations.filter(([, path]) => path === '/' || path.startsWith('/v1/'));
    expect(linked.sort()).toEqual(expected.map(([method, path]) => `${method.toUpperCase()} ${path}`).sort());
    expect(text).toContain(`](${ORIGIN}/openapi.json)`);
    expect(text).not.toContain('{origin}');
    expect(text.length).toBeLessThan(20_000);
  });

  it('links only to places that the reference has', async () => {
    const { pages } = renderReference(document);
    const addressOf = (path: string) => (path === '' ? '/docs' : `/docs/${path}`);
    const idsOf = (body: string) => [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    const places = new Set(pages.flatMap(({ body }) => idsOf(body)));
    const targets = new Set(
      pages.flatMap(({ path, body }) => [addressOf(path), ...idsOf(body).map((id) => `${addressOf(path)}#${id}`)]),
    );
    const { text } = await undeclared('/llms.txt');
    const anchors = [...text.matchAll(/\/docs#([^)]+)\)/g)].map(([, id]) => id);
    expect(anchors.length).toBeGreaterThan(60);
    expect(anchors.filter((id) => !places.has(id))).toEqual([]);
    const within = pages.flatMap(({ path, contents, body }) =>
      [...`${contents}${body}`.matchAll(/href="(#|\/docs)([^"]*)"/g)].map(([, start, rest]) =>
        start === '#' ? `${addressOf(path)}#${rest}` : `/docs${rest}`,
      ),
    );
    expect(within.length).toBeGreaterThan(1000);
    expect([...new Set(within)].filter((target) => !targets.has(target))).toEqual([]);
  });
});
