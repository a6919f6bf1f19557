import { EDITION_ID } from '../../../../src/areas/edition-id.ts';
import { NAME_LEVELS } from '../../../../src/names/source.ts';
import type { Notice, Page } from '../../src/pages.ts';
import type { AreaChange } from '../../src/types.ts';
import { code, oneOf } from '../command-line.ts';
import { standardOutput } from '../output.ts';
import { openService, type Service } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { tableText } from '../words.ts';
import type { Found, Invocation } from './command.ts';

/** Changes per page: the service's maximum. */
const PAGE = 100;

export async function changes({ words, options }: Invocation): Promise<Found> {
  if (words.length > 1) throw new UsageError('Changes of what? Give one PSGC code, or none for all of them.');
  const requested = words[0] === undefined ? undefined : code('CODE', words[0]);
  for (const name of ['from', 'to'] as const) {
    const given = options[name];
    if (given !== undefined && !EDITION_ID.test(given)) {
      throw new UsageError(`--${name} must be an edition, such as 2026-3q (got "${given}").`);
    }
  }
  const { from, to, kind } = options;
  const level = options.level === undefined ? undefined : oneOf('level', options.level, NAME_LEVELS);
  const filter = { from: from?.toLowerCase(), to: to?.toLowerCase(), level, kind };
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const service = await openService('changes', options);
  const {
    found,
    text,
    notices = [],
  } = requested !== undefined && !isFiltered
    ? await historyOf(service, requested)
    : await listed(service, { ...filter, code: requested });
  if (options.json) await standardOutput.write(`${text}\n`);
  else if (found.length > 0) await standardOutput.write(tableText([HEADINGS, ...found.map(cellsOf)]));
  else if (!options.quiet) {
    const messages = notices.map(({ message }) => message);
    for (const message of messages.length > 0 ? messages : ['nothing has changed.'])
      console.error(`psgc changes: ${message}`);
  }
  return found.length > 0;
}

/** Changes, and the text of their response. */
interface Answered {
  readonly found: readonly AreaChange[];
  readonly text: string;
  readonly notices?: readonly Notice[] | undefined;
}

/** The history of a code. `meta` gives the reason for an empty one. */
interface History {
  readonly data: readonly AreaChange[];
  readonly meta?: { readonly notices?: readonly Notice[] };
}

async function historyOf({ transport }: Service, requested: string): Promise<Answered> {
  const { text, body } = await transport.verbatim<History>({ path: `/v1/changes/${requested}` });
  return { found: body.data, text, notices: body.meta?.notices };
}

/** All pages of a list as one response. A list of one page stays as the service sent it. */
async function listed({ transport }: Service, filter: Readonly<Record<string, string | undefined>>): Promise<Answered> {
  const read = (page: number) =>
    transport.verbatim<Page<AreaChange>>({ path: '/v1/changes', query: { limit: PAGE, ...filter, page } });
  const first = await read(1);
  const found = [...first.body.data];
  for (let next = first.body.meta.next; next !== null; ) {
    const { data, meta } = (await read(next)).body;
    found.push(...data);
    next = meta.next;
  }
  if (first.body.meta.next === null) return { found, text: first.text };
  const { meta } = first.body;
  const links = { ...meta.links, next: null };
  const whole = { ...meta, limit: found.length, totalPages: 1, next: null, links };
  return { found, text: JSON.stringify({ ...first.body, data: found, meta: whole }) };
}

const HEADINGS = ['EDITION', 'KIND', 'LEVEL', 'BEFORE', 'AFTER'];

function cellsOf({ to_edition, kind, level, from, to }: AreaChange): string[] {
  const named = (parties: AreaChange['from']) => parties.map((party) => `${party.code} ${party.name}`).join(', ');
  return [to_edition, kind, level, named(from), named(to)];
}
