import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { columnsOf } from '../../src/downloads/columns.ts';
import worker from '../../src/worker.ts';
import { freshAddress } from '../support/addresses.ts';
import { api, type Body, get, MASTER, ORIGIN, openApi } from '../support/api.ts';
import type { Headers } from '../support/people.ts';

const CSV = { ...MASTER, 'Content-Type': 'text/csv' };
const sendCsv = (body: BodyInit, query = '', headers: Headers = CSV) =>
  api(`/v1/match${query}`, { method: 'POST', headers, body });

const latin = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const utf8 = (text: string) => new TextEncoder().encode(text);

/** A body of parts, each a text or bytes; an error in their place breaks it off. */
function bodyOf(parts: Iterable<string | Uint8Array | Error>): ReadableStream<Uint8Array> {
  const iterator = parts[Symbol.iterator]();
  return new ReadableStream({
    type: 'bytes',
    pull(controller) {
      const { done, value } = iterator.next();
      if (done) {
        controller.close();
        controller.byobRequest?.respond(0);
      } else if (value instanceof Error) controller.error(value);
      else controller.enqueue(typeof value === 'string' ? utf8(value) : value);
    },
  });
}

/** Asks the Worker itself: what lies between does not tell it that a body broke off. */
function fetchDirectly(request: Request): Promise<Response> {
  return Promise.resolve(worker.fetch(request as never, env as never, createExecutionContext()));
}

/** What is answered to a table: its text up to where it breaks off, if it does. */
async function answerOf(body: BodyInit, headers: Headers = CSV) {
  const request = new Request(`${ORIGIN}/v1/match`, { method: 'POST', headers, body });
  if (!request.headers.has('CF-Connecting-IP')) request.headers.set('CF-Connecting-IP', freshAddress());
  const response = await fetchDirectly(request);
  let text = '';
  let isBroken = false;
  try {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += chunk;
  } catch {
    isBroken = true;
  }
  const { status, headers: said } = response;
  return { status, headers: said, isBroken, text, last: text.trimEnd().split('\n').at(-1) ?? '' };
}

/** More rows than are looked at before an answer begins, which are 256 KiB. Long ones are fewer, and so quickly matched. */
const COUNT = 1500;
const ROWS = `Cebu,${'Argao'.padEnd(200)}\n`.repeat(COUNT);

describe('the columns of a table', () => {
  it('have provinces by the short forms of their directions, and no region in place of one', async () => {
    const typed = { 'Ilocos N.': '0102800000', 'Surigao Nte': '1606700000', 'Mindoro Occ.': '1705100000' };
    const rows = Object.keys(typed).join('\n');
    const { text } = await sendCsv(`Lalawigan\n${rows}\nIlocos Reg\n`);
    const cells = text.split(/\r?\n/).map((line) => line.split(',').slice(1, 5));
    expect(cells.slice(1, 4).map(([code, level]) => [code, level])).toEqual(
      Object.values(typed).map((code) => [code, 'province']),
    );
    expect(cells[4]?.[3]).toBe('ambiguous');
  });

  it.each([
    ['Province,Location', '', 'province=Province; text=Location'],
    ['No,Residence,Region,Town', '', 'region=Region; municity=Town'],
    ['Name,Province', '', 'province=Province'],
    ['Pangalan,Lalawigan,Tirahan', '', 'province=Lalawigan; text=Tirahan'],
    ['Name,10-digit PSGC', '', 'code=10-digit%20PSGC; text=Name'],
    ['PSGC Code,Correspondence Code,Town', '', 'code=PSGC%20Code,Correspondence%20Code; municity=Town'],
    ['PSGC Code,Town,Geocode', '?code=Geocode', 'code=Geocode; municity=Town'],
    ['PSGC Code,Town', '?code=', 'municity=Town'],
    ['Prov;LGU;City Code', '', 'province=Prov; municity=LGU,City%20Code'],
    ['Name,Province', '?text=Name', 'text=Name; province=Province'],
    [
      'Bayan, o lungsod|Lalawigañ|No',
      '?municity=Bayan%2C%20o%20lungsod&province=Lalawiga%C3%B1',
      'province=Lalawiga%C3%B1; municity=Bayan%2C%20o%20lungsod',
    ],
  ])('%j%s are read as %j, which the answer says', async (headings, query, columns) => {
    const separator = /[;|]/.exec(headings)?.[0] ?? ',';
    const row = headings.split(separator).fill('').join(separator);
    const { status, headers } = await sendCsv(`${headings}\n${row}\n`, query);
    expect([status, headers.get('X-Columns')?.split('; ').sort()]).toEqual([200, columns.split('; ').sort()]);
    expect(headers.get('Access-Control-Expose-Headers')).toContain('X-Columns');
  });

  it('are known in a file that the service gives to download', async () => {
    const headings = columnsOf('municity', 'table').map(({ name }) => name);
    const rest = ','.repeat(headings.length - 10);
    const rows = [
      `Argao,0702205000,Municipality,,0702200000,,0700000000,Cebu,,Region VII (Central Visayas)${rest}`,
      `City of Cebu,0730600000,City,HUC,,0702200000,0700000000,,Cebu,Region VII (Central Visayas)${rest}`,
      // Without its code it is known by its name, and by what it lies in.
      `San Fernando,,Municipality,,0702200000,,0700000000,Cebu,,Region VII (Central Visayas)${rest}`,
    ];
    const { text, headers } = await sendCsv([headings.join(), ...rows, ''].join('\r\n'));
    expect(headers.get('X-Columns')).toBe('region=r_name; province=p_name,host_province_name; municity=code,name');
    const [, ...lines] = text.trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(headings.length, headings.length + 4))).toEqual([
      ['0702205000', 'municity', 'Argao', 'exact'],
      ['0730600000', 'municity', 'City of Cebu', 'exact'],
      ['0702241000', 'municity', 'San Fernando', 'exact'],
    ]);
  });

  it('are none of words for types of places, and of codes where they have them', async () => {
    const { text, headers } = await sendCsv(
      'Name,Code,Municipality\nArgao,0702205000,Municipality\nBogo,702211000,City\n',
    );
    expect(headers.get('X-Columns')).toBe('code=Code; text=Name');
    expect(text.split('\n').map((line) => line.split(',')[3])).toEqual([
      ...['psgc_code', '0702205000', '0702211000', undefined],
    ]);
  });

  it('are of codes beside names, by what stands in them, and the two are compared', async () => {
    const { text, headers } = await sendCsv(
      'Province,Province Code,Town,Town Code,LGU geocode\n,,San Jose,n/a,304926000\n,,San Jose,,\nBohol,,Talibon,0304926000,\nCebu,0702200000,Argao,,\n',
    );
    expect(headers.get('X-Columns')).toBe(
      'province=Province; municity=Town; code=LGU%20geocode,Town%20Code,Province%20Code',
    );
    expect(
      text
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(','))
        .map((cells) => [cells[5], cells[8]]),
    ).toEqual([
      ['0304926000', 'exact'],
      ['', 'ambiguous'],
      ['', 'ambiguous'],
      ['0702205000', 'exact'],
    ]);
  });

  it('are told in no time, however long a heading is', async () => {
    const started = performance.now();
    const { status, headers } = await answerOf(`${'('.repeat(900_000)},Town (now)\nCebu,Argao\n`);
    expect([status, headers.get('X-Columns')]).toEqual([200, 'municity=Town%20(now)']);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it('are none where a list of people has but names', async () => {
    const { status, body } = await sendCsv('Name,Age\nJuan San Juan,5\n');
    expect([status, body.code, body.message]).toEqual([
      422,
      'columns_not_recognized',
      expect.stringContaining('?text=Name'),
    ]);
  });
});

describe('the encoding of a table', () => {
  it.each<[string, BodyInit, string, RegExp]>([
    ['begins in UTF-8', bodyOf([`Province,City\n,Parañaque\n`, ROWS]), 'utf-8', /^Cebu,Argao +,0702205000/],
    [
      'begins in UTF-8 and goes on otherwise',
      bodyOf(['Province,City\n,Parañaque\n', ROWS, latin('Cebu,Argao\n,Para\xf1aque\n')]),
      'utf-8',
      new RegExp(`^#error,invalid_csv,"The table begins in UTF-8 and has a line that is not.*\\(line ${COUNT + 4}\\)`),
    ],
    [
      'begins in ASCII, which is either',
      bodyOf(['Province,City\n', ROWS, latin(',Para\xf1aque\n')]),
      'utf-8, windows-1252',
      /^,Parañaque,1381000000/,
    ],
    [
      'begins in Windows-1252',
      bodyOf([latin('Province,City\n,Para\xf1aque\n'), ROWS, ',Parañaque\n']),
      'windows-1252',
      /^,Parañaque,1381000000/,
    ],
  ])('that %s is said truly', async (_, body, encoding, last) => {
    const answer = await answerOf(body);
    expect([answer.status, answer.headers.get('X-Input-Encoding')]).toEqual([200, encoding]);
    expect(answer.last).toMatch(last);
    expect(answer.isBroken).toBe(answer.last.startsWith('#error'));
  });
});

describe('a table that is not whole', () => {
  const HEAD = 'Province,City\n';

  it.each<[string, Iterable<string | Error>, Headers, number]>([
    ['whose client is gone at once', [HEAD, 'Cebu,Argao\nCeb', new Error('gone')], {}, 3],
    ['that is shorter than was announced', [`${HEAD}Cebu,Argao\n`], { 'Content-Length': '1000' }, 3],
  ])('%s is refused with the line', async (_, parts, headers, line) => {
    const { status, text } = await answerOf(bodyOf(parts), { ...CSV, ...headers });
    expect([status, JSON.parse(text)]).toEqual([
      422,
      { code: 'invalid_csv', line, message: `The table broke off: its end did not arrive (line ${line}).` },
    ]);
  });

  it.each<[string, Iterable<string | Error>, Headers]>([
    ['whose client is gone later', [HEAD, ROWS, 'Ceb', new Error('gone')], {}],
    ['that is much shorter than was announced', [HEAD, ROWS], { 'Content-Length': '1000000' }],
  ])('%s ends with a line that says where', async (_, parts, headers) => {
    const answer = await answerOf(bodyOf(parts), { ...CSV, ...headers });
    expect([answer.status, answer.isBroken, answer.text.split('\n').length]).toEqual([200, true, COUNT + 4]);
    const fault = `The table broke off: its end did not arrive (line ${COUNT + 2}).`;
    expect(answer.last).toBe(`#error,invalid_csv,${fault}`);
  });
});

describe('a line of 100 MB', () => {
  const MEGABYTE = 'x'.repeat(1_000_000);

  it.each([
    ['the second', 'Province,City\n', 2],
    ['a later one', `Province,City\n${ROWS}`, COUNT + 2],
  ])('is a fault of %s, and is not kept', { timeout: 60_000 }, async (_, before, line) => {
    let sent = 0;
    function* parts() {
      yield before;
      for (; sent < 100; sent += 1) yield MEGABYTE;
    }
    const { status, text, last, isBroken } = await answerOf(bodyOf(parts()));
    const fault = `The table has a line of more than 1048576 bytes. Rows must end with a line feed, and quotes must be closed (line ${line}).`;
    if (line === 2) expect([status, JSON.parse(text)]).toEqual([422, { code: 'invalid_csv', line, message: fault }]);
    else expect([status, isBroken, last]).toEqual([200, true, `#error,invalid_csv,"${fault}"`]);
    // The client could send all of it, and so reads the answer.
    expect(sent).toBe(100);
  });
});

describe('scores and limits of JSON', () => {
  const rowsOf = (rows: Body[], more: Body = {}) => ({
    method: 'POST',
    headers: { ...MASTER, 'Content-Type': 'application/json' },
    body: JSON.stringify({ rows, ...more }).replaceAll(
      /[ñ…]/g,
      (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  });

  it('has scores of three decimals', async () => {
    // What a row falls back to has a share of the score of its slips.
    const rows = ['Argaw', 'Dasmarinyas', 'Makatii', 'Para?aqe', 'Taguigg'].map((municity) => ({ municity }));
    const { body } = await api('/v1/match', rowsOf(rows, { level: 'barangay' }));
    const scores: number[] = body.data.flatMap(({ score, candidates }: Body) => [
      score,
      ...candidates.map((it: Body) => it.score),
    ]);
    expect(scores.some((score) => score > 0 && score < 1)).toBe(true);
    for (const score of scores) expect(String(score)).toMatch(/^(?:[01]|0\.\d{1,3})$/);
  });

  it('takes the largest list that the document allows, and of anonymous callers too', async () => {
    const { components } = await openApi();
    const members: Record<string, Body> = components.schemas.MatchRow.properties;
    const longestOf = (character: string) =>
      Object.fromEntries(
        Object.entries(members).map(([name, schema]) => {
          const most = schema.maxLength ?? schema.anyOf.find((it: Body) => it.maxLength).maxLength;
          return [name, character.repeat(most)];
        }),
      );
    // Twenty rows have the longest names that are compared. The others have as many bytes and nothing to compare.
    const names = Array.from({ length: 20 }, () => longestOf('ñ'));
    const whole = await api('/v1/match', rowsOf([...names, ...Array.from({ length: 980 }, () => longestOf('…'))]));
    expect([whole.status, whole.body.data.length]).toEqual([200, 1000]);
    const free = rowsOf(names);
    expect((await api('/v1/match', { ...free, headers: { 'Content-Type': 'application/json' } })).status).toBe(200);
  });
});

describe('GET /v1/regions/search and /v1/provinces/search', () => {
  it.each([
    ['/v1/regions/search?q=calabarzon', '0400000000', 'Region IV-A (CALABARZON)'],
    ['/v1/regions/search?q=metro+manila', '1300000000', 'National Capital Region (NCR)'],
    ['/v1/regions/search?q=central+visayaz', '0700000000', 'Region VII (Central Visayas)'],
    ['/v1/provinces/search?q=davao+de+oro', '1108200000', 'Davao de Oro'],
    ['/v1/provinces/search?q=pangasnan', '0105500000', 'Pangasinan'],
    ['/v1/provinces/search?q=camsur', '0501700000', 'Camarines Sur'],
  ])('%s finds %s first', async (path, code, name) => {
    const { status, body } = await get(path, MASTER);
    expect([status, body.data[0]]).toMatchObject([200, { code, name }]);
  });

  it('keep to their limit and refuse what the others do', async () => {
    for (const level of ['regions', 'provinces']) {
      expect((await get(`/v1/${level}/search?q=region&limit=1`, MASTER)).body.data.length, level).toBeLessThan(2);
      for (const query of ['', 'q=', 'q=cebu&limit=0']) {
        expect((await get(`/v1/${level}/search?${query}`, MASTER)).status, `${level} ${query}`).toBe(422);
      }
    }
  });
});
