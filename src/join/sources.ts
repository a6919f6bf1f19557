import { servedAreas } from '../areas/served-areas.ts';
import type { Area, AreaStore } from '../areas/store.ts';
import type { ServiceContext } from '../context.ts';
import type { History } from '../editions/history.ts';
import { openHistory } from '../editions/open.ts';
import type { CrosswalkRow } from '../editions/schemas.ts';
import { requireEditions } from '../editions/service.ts';
import { unlessUnavailable } from '../errors.ts';
import type { NameIndex } from '../names/index.ts';

/** What a table is joined with. */
export interface JoinSources {
  /** The names that rows are matched with. */
  readonly index: NameIndex;
  /** The areas that are answered. */
  readonly areas: AreaStore;
  readonly release: string;
  /** Where a code of the names is found among the areas; undefined where both are of one edition. */
  readonly counterparts: ((code: string) => CrosswalkRow[]) | undefined;
  /** The rows of a crosswalk for a code that only older editions have; undefined where none has it, or no history is there. */
  former(code: string): Promise<FormerCode | undefined>;
}

/** A code that the answered edition does not have. */
interface FormerCode {
  readonly level: Area['level'];
  readonly name: string;
  /** The last edition that has it. */
  readonly edition: string;
  readonly rows: CrosswalkRow[];
}

/**
 * What a table of an edition is joined with.
 *
 * @param editions `from`: that of the table's names and codes, any if not given; `edition`: that of the areas that are
 * answered, the served one if not given
 * @throws DomainError `edition_not_found`; `storage_unavailable` where `from` is given and no history can be read
 */
export async function openSources(
  ctx: ServiceContext,
  { from, edition }: { from: string | undefined; edition: string | undefined },
): Promise<JoinSources> {
  const areas = await servedAreas(ctx, edition);
  let counterparts: JoinSources['counterparts'];
  if (from !== undefined) {
    const { history, to } = await historyUntil(ctx, edition);
    if (from !== to) {
      requireEditions({ history }, { from, edition: to });
      counterparts = history.counterparts(from, to);
    }
  }
  const named = counterparts ? await servedAreas(ctx, from) : areas;
  const { release } = await areas.names();
  const { value } = await named.names();
  let past: Promise<Past | undefined> | undefined;
  const earlier = new Map<string, (code: string) => CrosswalkRow[]>();
  return {
    index: value.index,
    areas,
    release,
    counterparts,
    former: async (code) => {
      past ??= historyUntil(ctx, edition).catch(unlessUnavailable);
      const known = await past;
      const found = known?.history.latest(code);
      if (!known || !found || found.edition === known.to) return undefined;
      const { history, to } = known;
      if (!history.editions.some(({ id }) => id === to)) return undefined;
      const rowsOf = earlier.get(found.edition) ?? history.counterparts(found.edition, to);
      earlier.set(found.edition, rowsOf);
      return { ...found, rows: rowsOf(code) };
    },
  };
}

interface Past {
  readonly history: History;
  /** The edition that is answered. */
  readonly to: string;
}

async function historyUntil(ctx: ServiceContext, edition: string | undefined): Promise<Past> {
  const { history, release } = await openHistory(ctx);
  return { history, to: edition ?? release.replace(/-\d+$/, '') };
}
