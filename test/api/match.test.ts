import { exports } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { freshAddress } from '../support/addresses.ts';
import { type Answer, api, type Body, get, MASTER, ORIGIN, post, workerWith } from '../support/api.ts';
import { revoke } from '../support/keys.ts';
import { keyOf, left } from '../support/limits.ts';
import { bearer, type Headers, newKey, person } from '../support/people.ts';
import { apart, publish } from '../support/snapshot.ts';

const JSON_HEADERS = { ...MASTER, 'Content-Type': 'application/json' };
const CSV = { ...MASTER, 'Content-Type': 'text/csv' };
const sendCsv = (body: BodyInit, query = '', headers: Headers = CSV) =>
  api(`/v1/match${query}`, { method: 'POST', headers, body });
const ADDED = 'psgc_code,psgc_level,psgc_name,psgc_match,psgc_score,psgc_candidates';

/** The places that tests match, from the seeded country. */
const { data: cebuTowns } = (await get('/v1/municities?province=Cebu&limit=3')).body;
const [town] = cebuTowns as Body[];

describe('POST /v1/match with JSON', () => {
  it('answers rows in order, with counts and ancestors', async () => {
    const rows = [
      { id: 'a', province: 'Cebu', municity: town.name },
      { id: 7, municity: 'Nowhere at all', province: 'Cebu' },
      { text: `${town.name}, Cebu` },
      { province: null, municity: null },
    ];
    const { status, body, headers } = await post('/v1/match', { rows }, {});
    expect(status).toBe(200);
    expect(headers.get('X-Data-Release')).toBeTruthy();
    expect(body.data.map(({ id, match, code }: Body) => [id, match, code])).toEqual([
      ['a', 'exact', town.code],
      [7, 'none', null],
      [null, expect.stringMatching(/exact|likely/), town.code],
      [null, 'none', null],
    ]);
    expect(body.data[0]).toMatchObject({ level: 'municity', name: town.name, score: 1 });
    expect(body.data[0].ancestors.map(({ code }: Body) => code)).toEqual(['0700000000', '0702200000']);
    const { exact, likely, ambiguous, none } = body.meta;
    expect([exact + likely, ambiguous, none]).toEqual([2, 0, 2]);
  });

  it('answers what the document shows as its answer', async () => {
    const { body: document } = await api('/openapi.json', { undeclared: true });
    const { rows } = document.components.schemas.MatchRequest.properties;
    const { body } = await post('/v1/match', { rows: rows.example }, {});
    const { schema } = document.paths['/v1/match'].post.responses[200].content['application/json'];
    expect(body).toEqual(schema.example);
  });

  it('answers from a snapshot as from the database', async () => {
    const bucket = apart();
    await publish({ active: true, bucket });
    const fromSnapshot = workerWith({ FILES: bucket });
    const texts = [`Poblacion, ${town.name}, Cebu`, 'Mabini Poblacion', 'Poblacion San Juan', 'Brgy. Santa Cruz Pob.'];
    const rows = [...texts, 'San Isidro', 'Manila', 'Nowhere at all', '0702205035'].map((text) => ({ text }));
    const [body, { status, body: other }] = [
      (await post('/v1/match', { rows })).body,
      await fromSnapshot('/v1/match', { method: 'POST', headers: JSON_HEADERS, body: JSON.stringify({ rows }) }),
    ];
    expect([status, other.data]).toEqual([200, body.data]);
  });

  it('says since and until which edition a name is that of its candidates', async () => {
    const { body } = await post('/v1/match', { rows: [{ text: 'Ligas II, Bacoor, Cavite' }] }, {});
    const [{ match, candidates }] = body.data;
    expect(match).toBe('ambiguous');
    expect(candidates.map(({ name, since, until }: Body) => [name, since, until])).toEqual(
      expect.arrayContaining([
        ['Ligas 1', null, '2023-1q'],
        ['Ligas 2', '2023-4q', null],
      ]),
    );
    const { text: table } = await sendCsv('Brgy,Town\nLigas II,Bacoor\n');
    expect(table).toMatch(/0402103079 Ligas 1, City of Bacoor, Cavite, [^;]+ \(so called until 2023-1q\)/);
    expect(table).toMatch(/0402103036 Ligas 2, City of Bacoor, Cavite, [^;]+ \(so called since 2023-4q\)/);
  });

  it('answers the level that is asked for', async () => {
    const { body } = await post('/v1/match', { rows: [{ province: 'Cebu', municity: town.name }], level: 'province' });
    expect(body.data[0]).toMatchObject({ code: '0702200000', level: 'province' });
    const query = await post('/v1/match?level=province', { rows: [{ province: 'Cebu', municity: town.name }] });
    expect(query.body.data[0]).toMatchObject({ code: '0702200000', level: 'province' });
  });

  it('refuses names of columns, which JSON has none of', async () => {
    const { status, body } = await post('/v1/match?municity=Town', { rows: [{ municity: town.name }] });
    expect([status, body.code, body.message]).toEqual([
      422,
      'columns_not_recognized',
      expect.stringMatching(/^municity: .*got "Town"/),
    ]);
  });

  it('takes 20 rows of anonymous callers', async () => {
    const rows = Array.from({ length: 21 }, () => ({ province: 'Cebu' }));
    expect((await post('/v1/match', { rows: rows.slice(1) }, {})).status).toBe(200);
    const refused = await post('/v1/match', { rows }, {});
    expect([refused.status, refused.body.code]).toEqual([401, 'authentication_required']);
  });

  it.each<[string, Body, (string | number)[]]>([
    ['no rows', {}, ['rows']],
    ['an empty list', { rows: [] }, ['rows']],
    ['a thousand and one rows', { rows: Array.from({ length: 1001 }, () => ({})) }, ['rows']],
    ['a row that is text', { rows: [{}, 'Cebu'] }, ['rows', 1]],
    ['a row that is null', { rows: [null] }, ['rows', 0]],
    ['a name that is a number', { rows: [{ province: 'Cebu' }, { municity: 5 }] }, ['rows', 1, 'municity']],
    ['a text that is too long', { rows: [{ text: 'x'.repeat(501) }] }, ['rows', 0, 'text']],
    ['a name that is too long', { rows: [{ barangay: 'x'.repeat(201) }] }, ['rows', 0, 'barangay']],
    ['members that nobody knows', { rows: [{ id: 1 }, { id: 2, Province: 'Cebu' }] }, ['rows', 1]],
    ['a member that is misspelled', { rows: [{ province: 'Cebu', municipality: 'Argao' }] }, ['rows', 0]],
    ['an id that loses digits', { rows: [{}, { id: 2 ** 53, province: 'Cebu' }] }, ['rows', 1, 'id']],
    ['an unknown level', { rows: [{}], level: 'sitio' }, ['level']],
  ])('refuses %s and names its place', async (_, body, path) => {
    const { status, body: refusal } = await post('/v1/match', body);
    expect([status, refusal.error?.issues[0].path]).toEqual([422, path]);
  });

  it('says the range of an id, not a number that was not sent', async () => {
    const { body } = await post('/v1/match', '{"rows":[{"id":9007199254740993},{"id":-9007199254740995}]}');
    expect(body.error.issues.map(({ message }: Body) => message.replace(/.*\(/, '('))).toEqual([
      '(got a number above 9007199254740991)',
      '(got a number below -9007199254740991)',
    ]);
  });

  it('counts a hundred rows as one request, also for the account, and all or none', async () => {
    const { key } = await keyOf(12);
    const ask = (count: number) =>
      post('/v1/match', { rows: Array.from({ length: count }, () => ({ province: 'Cebu' })) }, bearer(key));
    const first = await ask(101);
    expect([left(first)?.r, left(first, 'account')?.r]).toEqual([10, 598]);
    expect(left(await ask(901))).toMatchObject({ r: 0 });
    const refused = await ask(1);
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limit_exceeded']);

    const { key: other } = await keyOf(5);
    const askOther = (count: number) =>
      post('/v1/match', { rows: Array.from({ length: count }, () => ({})) }, bearer(other));
    expect(left(await askOther(300))?.r).toBe(2);
    const tooMuch = await askOther(300);
    expect([tooMuch.status, Number(tooMuch.headers.get('Retry-After')) > 0]).toEqual([429, true]);
    // What was refused does not count.
    const last = await askOther(200);
    expect([last.status, left(last)?.r]).toEqual([200, 0]);
  });
});

it('tables that begin at once get no more rows than their key may have in a minute', async () => {
  const { key } = await keyOf(10);
  const table = `province\n${'Cebu\n'.repeat(1000)}`;
  const headers = { ...bearer(key), 'Content-Type': 'text/csv', 'CF-Connecting-IP': freshAddress() };
  let rows = 0;
  const read = async () => {
    const request = new Request(`${ORIGIN}/v1/match`, { method: 'POST', headers, body: table });
    const answer = await exports.default.fetch(request);
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let isFirst = answer.status === 200; reader; isFirst = false) {
      // The rest of the table waits for the next minute.
      const chunk = await Promise.race([reader.read(), scheduler.wait(1500)]);
      if (!chunk || chunk.done) break;
      if (answer.status === 200) rows += chunk.value.split('\n').length - 1 - Number(isFirst);
    }
    await reader?.cancel();
  };
  await Promise.all(Array.from({ length: 8 }, read));
  expect(rows).toBeGreaterThan(500);
  // Of requests that begin at once some are counted only when the next one asks.
  expect(rows).toBeLessThanOrEqual(1500);
});

describe('POST /v1/match with CSV', () => {
  it.each<[string, string, string, string]>([
    ['commas', `Province,Municipality\nCebu,${town.name}\n`, '', `Cebu,${town.name},${town.code}`],
    ['semicolons and CRLF', `Lalawigan;Bayan\r\nCebu;${town.name}\r\n`, '', `Cebu;${town.name};${town.code}`],
    ['tabs', `Prov.\tCity/Mun\nCebu\t${town.name}\n`, '', `Cebu\t${town.name}\t${town.code}`],
    [
      'quotes with line feeds',
      `"Note","Province","Town, or city"\n"a\n""b""","Cebu",${town.name}`,
      '?municity=Town%2C%20or%20city',
      `"a\n""b""","Cebu",${town.name},${town.code}`,
    ],
    ['a byte order mark', `\ufeffProvince,LGU\nCebu,${town.name}\n`, '', `Cebu,${town.name},${town.code}`],
    ['an address', `Complete Address\n"${town.name}, Cebu"\n`, '', `"${town.name}, Cebu",${town.code}`],
    ['formulas', `X,Province,City\n=1+1,Cebu,${town.name}\n`, '', `=1+1,Cebu,${town.name},${town.code}`],
    [
      'headings of other lists',
      `ADM2_EN,Name of Municipality\nCebu,${town.name}\n`,
      '',
      `Cebu,${town.name},${town.code}`,
    ],
    ['a code beside a name', `Province Code,1. City (Mun)\n0702200000,${town.name}\n`, '', `${town.name},${town.code}`],
    [
      'headings of other columns twice',
      `a,a,Province,LGU\n1,2,Cebu,${town.name}\n`,
      '',
      `1,2,Cebu,${town.name},${town.code}`,
    ],
    [
      "Excel's line of the separator",
      `\ufeffsep=;\r\nNote;Province, Region;LGU\r\na,b;Cebu;${town.name}\r\n`,
      '?province=Province%2C%20Region',
      `sep=;\r\nNote;Province, Region;LGU;${ADDED.replaceAll(',', ';')}\r\na,b;Cebu;${town.name};${town.code}`,
    ],
    ['columns that are named', `A,B\nCebu,${town.name}\n`, '?province=A&municity=b', `Cebu,${town.name},${town.code}`],
  ])('answers a table with %s', async (_, table, query, expected) => {
    const { status, text, headers, bytes } = await sendCsv(table, query);
    expect(status).toBe(200);
    expect([headers.get('Content-Type'), headers.get('X-Input-Encoding')]).toEqual([
      'text/csv; charset=utf-8',
      'utf-8',
    ]);
    expect(text).toContain(expected);
    expect(text.replaceAll(/[;\t]/g, ',')).toContain(`,${ADDED}`);
    expect(bytes[0] === 0xef).toBe(table.startsWith('\ufeff'));
    expect(text.endsWith(table.includes('\r\n') ? '\r\n' : '\n')).toBe(true);
  });

  it('keeps the order and empty lines', async () => {
    const names = cebuTowns.map(({ name }: Body) => name);
    const rows = Array.from({ length: 350 }, (_, i) => `${i},Cebu,${names[i % 3]}`);
    rows.splice(100, 0, '');
    const { text } = await sendCsv(`n,province,municity\n${rows.join('\n')}\n`);
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBe(352);
    expect(lines[101]).toBe('');
    const found = lines.filter((line, i) => i > 0 && line !== '').map((line) => line.split(','));
    expect(found.map(([n]) => Number(n))).toEqual(Array.from({ length: 350 }, (_, i) => i));
    expect(found.every((cells, i) => cells[3] === cebuTowns[i % 3].code)).toBe(true);
  });

  it('reads lines that are not UTF-8 as Windows-1252, and says so', async () => {
    const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
    const { text, headers } = await sendCsv(latin('City,n\nPara\xf1aque,\x961\n'));
    expect(headers.get('X-Input-Encoding')).toBe('windows-1252');
    expect(text).toContain('Parañaque,–1,1381000000,');
    const declared = await sendCsv(latin('City\nPara\xf1aque\n'), '', {
      ...CSV,
      'Content-Type': 'text/csv; charset=windows-1252',
    });
    expect(declared.text).toContain('Parañaque');
  });

  it.each<[string, BodyInit, string, Body]>([
    ['nothing', '', '', { code: 'invalid_csv' }],
    ['no headings', 'Cebu,Argao\nCebu,Danao\n', '', { code: 'columns_not_recognized', headings: ['Cebu', 'Argao'] }],
    [
      'a column that is not there',
      'Province\nCebu\n',
      '?municity=Town',
      { code: 'columns_not_recognized', headings: ['Province'] },
    ],
    ['a ragged row', 'Province,City\nCebu,Danao\nCebu\n', '', { code: 'invalid_csv', line: 3 }],
    ['a row with too many cells', 'Province\n\nCebu,1\n', '', { code: 'invalid_csv', line: 3 }],
    ['a NUL', 'Province,City\nCebu,Dan\0ao\n', '', { code: 'invalid_csv', line: 2 }],
    ['columns named twice', 'Province,City,City\nCebu,a,b\n', '', { code: 'invalid_csv', line: 1 }],
    ['such columns behind a separator', 'sep=;\nA;A\nCebu;b\n', '?province=A', { code: 'invalid_csv', line: 2 }],
    ['a column that the answer adds', 'Province,psgc_code\nCebu,1\n', '', { code: 'invalid_csv', line: 1 }],
    ['a quote that is not closed', 'Province,City\nCebu,"Danao\n', '', { code: 'invalid_csv', line: 2 }],
    [
      'a line of megabytes',
      `Province\n${'x'.repeat(3_000_000)}`,
      '',
      { line: 2, message: expect.stringContaining('a line of more than') },
    ],
    [
      'a heading of megabytes',
      'x'.repeat(3_000_000),
      '',
      { line: 1, message: expect.stringContaining('a line of more than') },
    ],
  ])('refuses %s', async (_, table, query, refusal) => {
    const { status, body } = await sendCsv(table, query);
    expect([status, body]).toMatchObject([422, refusal]);
  });

  it('is for callers with credentials, in the encodings that it takes, up to a size', async () => {
    const table = 'Province\nCebu\n';
    const answers: [Answer, number, string][] = [
      [await sendCsv(table, '', { 'Content-Type': 'text/csv' }), 401, 'authentication_required'],
      [await sendCsv(table, '', { ...CSV, 'Content-Type': 'text/csv; charset=utf-16' }), 415, 'unsupported_media_type'],
      [await sendCsv(table, '', { ...CSV, 'Content-Encoding': 'gzip' }), 415, 'unsupported_media_type'],
      [await sendCsv(table, '', { ...CSV, 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type'],
      [
        await workerWith({ UPLOAD_MAX_BYTES: '5' })('/v1/match', { method: 'POST', headers: CSV, body: table }),
        413,
        'payload_too_large',
      ],
    ];
    for (const [{ status, body }, expected, code] of answers) expect([status, body.code]).toEqual([expected, code]);
  });

  it('says in the last line what is wrong in an answer that has begun, and breaks off', async () => {
    // Long rows, since what is looked at before an answer begins is so many bytes.
    const rows = `Cebu,${town.name.padEnd(200)}\n`.repeat(1500);
    const response = await exports.default.fetch(
      new Request(`${ORIGIN}/v1/match`, { method: 'POST', headers: CSV, body: `Province,City\n${rows}Cebu\n` }),
    );
    expect(response.status).toBe(200);
    // Nobody knows yet in which encoding its later lines are.
    expect(response.headers.get('X-Input-Encoding')).toBe('utf-8, windows-1252');
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    })();
    await expect(reading).rejects.toThrow();
    const lines = text.trimEnd().split('\n');
    expect(lines.length).toBe(1502);
    expect(lines.at(-1)).toMatch(/^#error,invalid_csv,"The row in line 1502 has 1 cells/);
  });

  it('reads a body of several megabytes ahead of a slow reader, and answers it in order', {
    timeout: 60_000,
  }, async () => {
    const count = 20_000;
    const note = 'x'.repeat(160);
    let sent = 0;
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent === count) return controller.close();
        let text = sent === 0 ? 'n,province,municity,note\n' : '';
        for (const end = sent + 1000; sent < end; sent += 1) text += `${sent},Cebu,${town.name},${note}\n`;
        controller.enqueue(encoder.encode(text));
      },
    });
    const response = await exports.default.fetch(
      new Request(`${ORIGIN}/v1/match`, { method: 'POST', headers: CSV, body }),
    );
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const decoder = new TextDecoder();
    let { value } = await reader.read();
    // Nobody reads the answer. The client can send all of its body nevertheless.
    await vi.waitFor(() => expect(sent).toBe(count), { timeout: 20_000 });
    let rest = '';
    let next = 0;
    let wrong = 0;
    for (; value; { value } = await reader.read()) {
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('n,')) continue;
        if (!line.startsWith(`${next},Cebu,${town.name},${note},${town.code},`)) wrong += 1;
        next += 1;
      }
    }
    expect([next, wrong, rest]).toEqual([count, 0, '']);
  });

  it('counts rows as they come, and waits where the limit is used up', { timeout: 90_000 }, async () => {
    const { key } = await keyOf(30);
    const headers = { ...bearer(key), 'Content-Type': 'text/csv' };
    const table = (rows: number) => `Province\n${'Cebu\n'.repeat(rows)}`;
    expect((await sendCsv(table(2401), '', headers)).text.trim().split('\n').length).toBe(2402);
    expect(left(await get('/v1/regions?limit=1', bearer(key)))?.r).toBe(4);
    const response = await exports.default.fetch(
      new Request(`${ORIGIN}/v1/match`, {
        method: 'POST',
        headers: { ...headers, 'CF-Connecting-IP': freshAddress() },
        body: table(1500),
      }),
    );
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    let bytes = 0;
    const reading = (async () => {
      for (let read = await reader.read(); !read.done; read = await reader.read()) bytes += read.value.length;
    })();
    await scheduler.wait(1500);
    // 15 requests are more than the four that are left: what is above waits, and nothing is left for others.
    const before = bytes;
    expect((await get('/v1/regions?limit=1', bearer(key))).status).toBe(429);
    expect(before).toBeLessThan(800 * 40);
    await reader.cancel();
    await reading.catch(() => undefined);
  });
});

describe('POST /v1/match with CSV and a key that is revoked meanwhile', () => {
  it('stops, and says so in the last line', async () => {
    const someone = await person();
    const key = await newKey(someone.session, { rate_limit_rpm: 600 });
    const lines = new TransformStream<Uint8Array, Uint8Array>();
    const writer = lines.writable.getWriter();
    const rows = new TextEncoder().encode(`Cebu,${town.name.padEnd(200)}\n`.repeat(1500));
    const sending = (async () => {
      await writer.write(new TextEncoder().encode('Province,City\n'));
      await writer.write(rows);
    })();
    const response = await exports.default.fetch(
      new Request(`${ORIGIN}/v1/match`, {
        method: 'POST',
        headers: { ...bearer(key.key), 'Content-Type': 'text/csv', 'CF-Connecting-IP': freshAddress() },
        body: lines.readable,
      }),
    );
    await sending;
    expect(response.status).toBe(200);
    expect((await revoke(key.id, someone.session)).status).toBe(200);
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
    })();
    await writer.write(rows).catch(() => undefined);
    await writer.close().catch(() => undefined);
    await expect(reading).rejects.toThrow();
    expect(text.trimEnd().split('\n').at(-1)).toBe('#error,api_key_revoked,The API key has been revoked.');
  });
});

describe('POST /v1/geocode/reverse with CSV', () => {
  const send = (body: string, query = '') => api(`/v1/geocode/reverse${query}`, { method: 'POST', headers: CSV, body });

  it('appends what lies at each point, and says of every other row why nothing does', async () => {
    const [west, south, east, north] = (await get('/v1/barangays/0730600001')).body.data.bbox;
    const [lon, lat] = [(west + east) / 2, (south + north) / 2];
    const rows: [cells: string, match: string][] = [
      [`${lat};${lon}`, 'contains'],
      [`${String(lat).replace('.', ',')}; ${lon}`, 'contains'],
      [';', 'empty'],
      [' ;1', 'invalid: lat is empty'],
      ['1;', 'invalid: lon is empty'],
      ['x;1', 'invalid: lat is not a decimal number'],
      [`10°17'N;123`, 'invalid: lat is not a decimal number'],
      ['10;12 3', 'invalid: lon is not a decimal number'],
      ['10;1e999', 'invalid: lon is not from -180 to 180'],
      [`${lon};${lat}`, 'invalid: lat and lon are swapped'],
      ['91;123', 'invalid: lat is not from -90 to 90'],
      ['10;181', 'invalid: lon is not from -180 to 180'],
      ['10;116.5', 'none'],
    ];
    const { status, text, headers } = await send(
      `site;Latitude;Longitude\n${rows.map(([cells]) => `A;${cells}\n`).join('')}`,
    );
    expect([status, headers.get('X-Columns')]).toEqual([200, 'lat=Latitude; lon=Longitude']);
    const [head = [], ...lines] = text
      .trimEnd()
      .split('\n')
      .map((line) => line.split(';'));
    expect(head.slice(3)).toEqual(
      'region_code region_name province_code province_name host_province_code host_province_name municity_code municity_name barangay_code barangay_name match distance_m submunicipality_code submunicipality_name'.split(
        ' ',
      ),
    );
    expect(lines[0]).toMatchObject({
      3: '0700000000',
      5: '',
      7: '0702200000',
      9: '0730600000',
      11: '0730600001',
      14: '0',
    });
    expect(lines.map((cells) => cells[13])).toEqual(rows.map(([, match]) => match));
    expect(
      lines
        .slice(2)
        .flatMap((cells) => [...cells.slice(3, 13), cells[14]])
        .join(''),
    ).toBe('');
    const near = await send(`a,b\n10,116.5\n${lat},${lon}\n`, '?lat=a&lon=b&level=province&within=500');
    expect(near.text.trimEnd().split('\n')[2]).toContain('0702200000');
  });

  it('refuses a table without positions', async () => {
    const { status, body } = await send('north,east\n1,2\n');
    expect([status, body.code, body.headings]).toEqual([422, 'columns_not_recognized', ['north', 'east']]);
  });
});
