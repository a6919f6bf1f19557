import { LEVEL_NAMES } from '../../../../src/areas/level-names.ts';
import { likelyLevel } from '../../../../src/areas/psgc.ts';
import { PsgcError } from '../../src/errors.ts';
import type { Transport } from '../../src/transport.ts';
import type { Hierarchy, SearchHit } from '../../src/types.ts';
import { code } from '../command-line.ts';
import { standardOutput } from '../output.ts';
import { openService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { tableText } from '../words.ts';
import type { Found, Invocation } from './command.ts';

/** Ancestors in a hierarchy, from the region down. */
const ANCESTORS = ['region', 'province', 'host_province', 'municity', 'sub_municipality'] as const;

export async function get({ words, options }: Invocation): Promise<Found> {
  if (words.length !== 1) throw new UsageError('Get which place? Give one PSGC code, such as: psgc get 0702205000');
  const requested = code('CODE', words[0] ?? '');
  const { transport } = await openService('get', options);
  const { level, text, body } = await placeOf(transport, requested);
  if (options.json) {
    await standardOutput.write(`${text}\n`);
    return true;
  }
  const { data } = body;
  const path = `/v1/${LEVEL_NAMES[level].plural}/${data.code}/hierarchy`;
  const above = await transport.data<Hierarchy>({ path, hasEdition: true });
  const parents = ANCESTORS.flatMap((name) => {
    const area = above[name];
    return area && area.code !== data.code ? [[name, `${area.code} ${area.name}`]] : [];
  });
  const facts = Object.entries(data).flatMap(([name, value]) => {
    const shown = factText(value);
    return shown === '' ? [] : [[name, shown]];
  });
  await standardOutput.write(tableText([['level', level], ...facts, ...parents]));
  return true;
}

/** A member of a record in words; empty if missing. */
function factText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value.map((item) => (isCount(item) ? `${item.year}: ${item.population}` : factText(item))).join(', ');
}

function isCount(item: unknown): item is { year: number; population: number } {
  return typeof item === 'object' && item !== null && 'population' in item && 'year' in item;
}

type Level = keyof typeof LEVEL_NAMES;

/** A record and the text of its response. */
interface Answered {
  readonly level: Level;
  readonly text: string;
  readonly body: { readonly data: Readonly<Record<string, unknown>> & { readonly code: string } };
}

/** The record with a code. If its level differs from what the code's form suggests, a search finds it. */
async function placeOf(transport: Transport, requested: string): Promise<Answered> {
  const read = async (level: Level) => {
    const call = { path: `/v1/${LEVEL_NAMES[level].plural}/${requested}`, hasEdition: true };
    return { level, ...(await transport.verbatim<Answered['body']>(call)) };
  };
  const likely = likelyLevel(requested);
  try {
    return await read(likely);
  } catch (error) {
    if (!(error instanceof PsgcError) || error.code !== 'area_not_found') throw error;
    const hits = await transport.data<SearchHit[]>({
      path: '/v1/search',
      query: { q: requested, limit: 1 },
      hasEdition: true,
    });
    const level = hits[0]?.level;
    if (level === undefined || level === 'submunicipality' || level === likely) {
      throw new PsgcError({
        code: error.code,
        status: error.status,
        message: `No place has the PSGC code ${requested}.`,
      });
    }
    return read(level);
  }
}
