import { LEVEL_NAMES } from '../areas/level-names.ts';
import type { Area } from '../areas/store.ts';
import { nameRelease, privateAnswer } from '../http/answers.ts';
import { isCsv } from '../http/csv-body.ts';
import { admitList, LIST, listRequest, listResponses } from '../match/admission.ts';
import { placeReader } from '../match/columns.ts';
import { FREE_ROWS, MAX_ROWS } from '../match/schemas.ts';
import { matchRows } from '../match/service.ts';
import type { MatchInput } from '../names/match.ts';
import type { NameLevel } from '../names/source.ts';
import { operation, Router } from '../operation.ts';
import { countRows } from '../rate-limits/rows.ts';
import { tableAnswer } from '../tables/answer.ts';
import type { TableWork } from '../tables/table.ts';
import { attributeOf } from './attributes.ts';
import { type CellOptions, joinColumns, joinLines } from './columns.ts';
import { JOINED_TABLE } from './examples.ts';
import { joinAnswer, joinBody, joinQuery } from './schemas.ts';
import { Join, type Joined, listedIn } from './service.ts';
import { openSources } from './sources.ts';

const BODY_EXAMPLE = 'Province,Poverty incidence\nLalawigan ng Cebu,22.1\nCompostela Valley,23.9\n';

/** The route that joins a list of places with areas. */
export function joinRoutes(): Router {
  const router = new Router(['match']);

  operation(router, {
    operationId: 'join_places',
    ...LIST,
    summary: 'Join a list of places with their areas',
    description: `Rows are matched as \`POST /v1/match\` matches them, by names or codes of any age, or by those of the edition \`from\`. Each row that is \`exact\` or \`likely\` gets its area of the edition asked for: the code, what it lies in, the attributes asked for, and the address of its boundary.\n\nA place that was divided since, or gave a part of it away, becomes several areas with weights. Multiply a sum of the row by \`weight_population\` or \`weight_area\`, then add up by the code.\n\nA list as JSON has up to ${MAX_ROWS} rows, ${FREE_ROWS} without credentials. A table as \`text/csv\` may have any number of rows, and needs credentials. Its answer is streamed: it has the columns that were sent, then more, and repeats a row for each of its areas. A hundred rows count as one request.`,
    request: listRequest(joinQuery, joinBody, BODY_EXAMPLE),
    responses: listResponses('The rows with their areas', joinAnswer, JOINED_TABLE),
    handler: async (c, { ctx, body, query }) => {
      const { level, edition, from, attributes = [], resolution = 'simple', ...named } = query;
      admitList(c, ctx, { doing: 'Joining', nouns: 'rows', count: body?.rows.length ?? 0, named });
      const sources = await openSources(ctx, { from, edition });
      nameRelease(c, sources.release);
      const areas = new Join(sources);
      const join = async (rows: readonly MatchInput[], wanted: NameLevel | undefined) => {
        const { data } = await matchRows(sources.index, { rows, level: wanted });
        return areas.rows(
          data.map((matched, i) => ({ row: rows[i] as MatchInput, matched })),
          wanted,
        );
      };
      const addressOf = (area: Area) => {
        // Without a box it has no boundary. Areas of older editions may have that of today all the same.
        if (area.bbox === null && edition === undefined) return null;
        const url = new URL(`/v1/${LEVEL_NAMES[listedIn(area.level)].plural}/${area.code}`, c.req.url);
        url.search = String(
          new URLSearchParams({ format: 'geojson', geometry: resolution, ...(edition && { edition }) }),
        );
        return url.href;
      };
      const options: CellOptions = { attributes, addressOf };
      if (isCsv(c)) {
        return tableAnswer(c, (headings, known) => {
          const { reads, read } = placeReader(headings, named, known);
          const linesOf: TableWork['linesOf'] = async (rows) =>
            (await join(rows.map(read), level)).map((joined) => joinLines(joined, options));
          return { reads, columns: joinColumns(attributes), linesOf };
        });
      }
      await countRows(c, body.rows.length);
      const joined = await join(
        body.rows.map(({ id: _, ...row }) => row),
        body.level ?? level,
      );
      const data = joined.map((row, i) => ({ ...jsonOf(row, options), id: body.rows[i]?.id ?? null }));
      const meta = { exact: 0, likely: 0, ambiguous: 0, none: 0 };
      for (const { match } of data) meta[match] += 1;
      return privateAnswer(c, data, meta);
    },
  });

  return router;
}

function jsonOf({ matched, former, parts }: Joined, { attributes, addressOf }: CellOptions) {
  return {
    ...matched,
    former: former ?? null,
    areas: parts.map(({ area, parents, ...link }) => ({
      code: area?.code ?? null,
      level: area?.level ?? null,
      name: area?.name ?? null,
      ...link,
      ...parents,
      attributes: Object.fromEntries(attributes.map((it) => [it, area && attributeOf(area, it)])),
      geometry_url: area && addressOf(area),
    })),
  };
}
