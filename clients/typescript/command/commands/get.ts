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
import type { Asked, Found } from './command.ts';

/** Ancestors in a hierarchy, from the region down. */
const ANCESTORS = ['region', 'province', 'host_province', 'municity', 'sub_municipality'] as const;

/** What is known of the place with a code. */
export async function get({ words, options }: Asked): Promise<Found> {
  if (words.length !== 1) throw new UsageError('Get which place? Give one PSGC code, such as: psgc get 0702205000');
  const asked = code('CODE', words[0] ?? '');
  const { transport } = await openService('get', options);
  const { level, text, body } = await placeOf(transport, asked);
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

/** A part of a record in words; empty for what there is none of. */
function factText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (!Array.isArray(value)) return typeof value === 'object' ? JSON.stringify(value) : String(value);
  return value.map((item) => (isCount(item) ? `${item.year}: ${item.population}` : factText(item))).join(', ');
}

function isCount(item: unknown): item is { year: number; population: number } {
  return typeof item === 'object' && item !== null && 'population' in item && 'year' in item;
}

type Level = keyof typeof LEVEL_NAMES;

/** A record as it was answered. */
interface Answered {
  readonly level: Level;
  readonly text: string;
  readonly body: { readonly data: Readonly<Record<string, unknown>> & { readonly code: string } };
}

/** The record that a code names. Where that is not of the level that the form of the code says, a search knows it. */
async function placeOf(transport: Transport, asked: string): Promise<Answered> {
  const read = async (level: Level) => {
    const call = { path: `/v1/${LEVEL_NAMES[level].plural}/${asked}`, hasEdition: true };
    return { level, ...(await transport.verbatim<Answered['body']>(call)) };
  };
  const likely = likelyLevel(asked);
  try {
    return await read(likely);
  } catch (error) {
    if (!(error instanceof PsgcError) || error.code !== 'area_not_found') throw error;
    const hits = await transport.data<SearchHit[]>({
      path: '/v1/search',
      query: { q: asked, limit: 1 },
      hasEdition: true,
    });
    const level = hits[0]?.level;
    if (level === undefined || level === 'submunicipality' || level === likely) {
      throw new PsgcError({ code: error.code, status: error.status, message: `No place has the PSGC code ${asked}.` });
    }
    return read(level);
  }
}
