import { nameKey } from '../../../../src/areas/names.ts';
import { CONTROL_CHARACTER } from '../../../../src/control-characters.ts';
import { NAME_LEVELS } from '../../../../src/names/source.ts';
import type { Notice } from '../../src/pages.ts';
import type { SearchHit } from '../../src/types.ts';
import { code, integer, oneOf } from '../command-line.ts';
import { standardOutput } from '../output.ts';
import { openService } from '../service.ts';
import { UsageError } from '../usage-error.ts';
import { parentsText, tableText } from '../words.ts';
import type { Found, Invocation } from './command.ts';

/** Characters that a search takes. */
const MAX_NAME_WORDS = 256;

interface Answer {
  readonly data: readonly SearchHit[];
  readonly meta?: { readonly notices?: readonly Notice[] };
}

export async function search({ words, options }: Invocation): Promise<Found> {
  const q = words.join(' ');
  if (nameKey(q).length < 2 || [...q].length > MAX_NAME_WORDS || CONTROL_CHARACTER.test(q)) {
    throw new UsageError(
      `Search for what? A name of 2 to ${MAX_NAME_WORDS} characters, such as: psgc search "San Juan, Metro Manila"`,
    );
  }
  const levels = options.level?.split(',').map((level) => oneOf('level', level, NAME_LEVELS));
  const query = {
    level: levels && [...new Set(levels)],
    parent: options.parent === undefined ? undefined : code('--parent', options.parent),
    limit: options.limit === undefined ? undefined : integer('limit', options.limit, { min: 1, max: 100 }),
    q,
  };
  const { transport } = await openService('search', options);
  const call = { path: '/v1/search', query, hasEdition: true };
  const { text, body } = await transport.verbatim<Answer>(call);
  const { data, meta } = body;
  if (options.json) await standardOutput.write(`${text}\n`);
  else {
    const rows = data.map((hit) => [hit.code, hit.name, hit.level, hit.match, parentsText(hit.ancestors)]);
    if (rows.length > 0)
      await standardOutput.write(tableText([['CODE', 'NAME', 'LEVEL', 'MATCH', 'LIES IN'], ...rows]));
    if (!options.quiet) {
      for (const { message } of meta?.notices ?? []) console.error(`psgc search: ${message}`);
      if (rows.length === 0) console.error(`psgc search: nothing is called "${q}".`);
    }
  }
  return data.length > 0;
}
