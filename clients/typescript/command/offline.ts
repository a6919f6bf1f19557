import { lookUpCode } from '../../../src/areas/snapshot/current-codes.ts';
import type { OpenedAreas } from '../../../src/areas/snapshot/opened.ts';
import { DomainError } from '../../../src/errors.ts';
import { placeReader } from '../../../src/match/columns.ts';
import { matchRows, tableMatching } from '../../../src/match/service.ts';
import { buildIndex } from '../../../src/names/build.ts';
import type { NameIndex } from '../../../src/names/index.ts';
import type { MatchInput } from '../../../src/names/match.ts';
import type { NameLevel } from '../../../src/names/source.ts';
import { DEFAULT_HITS, searchPlaces } from '../../../src/search/service.ts';
import { Table } from '../../../src/tables/table.ts';
import { streamOf } from '../src/tables.ts';
import { textsOf } from './table-texts.ts';

/**
 * Replaces `fetch`: answers searches and matches from a snapshot with the service's own code. Nothing is sent.
 *
 * @returns responses with the service's bodies, byte for byte
 */
export function answerFrom(opened: OpenedAreas): typeof fetch {
  const index = buildIndex(opened);
  const names = { index, source: index.source, typeOf: (row: number) => opened.typeOf(row) };
  const codeLookup = async (level: Parameters<typeof lookUpCode>[1], code: string) => lookUpCode(opened, level, code);

  async function searched(query: URLSearchParams): Promise<Response> {
    const search = {
      q: query.get('q') ?? '',
      levels: query.has('level') ? (query.getAll('level') as NameLevel[]) : undefined,
      parent: query.get('parent') ?? undefined,
      limit: Number(query.get('limit') ?? DEFAULT_HITS),
    };
    const { hits, notices } = await searchPlaces(names, search, codeLookup);
    return Response.json({ data: hits, ...(notices && { meta: { notices } }), error: null });
  }

  return async (address, options) => {
    const request = new Request(address, options);
    const { pathname, searchParams: query } = new URL(request.url);
    try {
      if (pathname === '/v1/search') return await searched(query);
      if (pathname !== '/v1/match') throw new Error(`${pathname} is not answered without the network`);
      if (request.headers.get('Content-Type') === 'text/csv') return await tableCoded(index, request, query);
      const { rows, level } = (await request.json()) as { rows: MatchInput[]; level?: NameLevel };
      return Response.json({ ...(await matchRows(index, { rows, level })), error: null });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return Response.json({ message: error.message, code: error.code, ...error.facts }, { status: 422 });
    }
  };
}

async function tableCoded(index: NameIndex, { body }: Request, query: URLSearchParams): Promise<Response> {
  const { level, ...named } = Object.fromEntries(query) as { level?: NameLevel };
  const table = new Table((headings, rows) => tableMatching(index, { ...placeReader(headings, named, rows), level }));
  const lines = textsOf(table, body ?? new Blob([]).stream());
  // A fault at the beginning is an error response.
  const first = await lines.next();
  return new Response(streamOf(rest(first, lines)));
}

async function* rest(first: IteratorResult<string>, lines: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* lines;
}
