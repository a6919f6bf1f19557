import { z } from '@hono/zod-openapi';
import { ageSchema } from '../areas/edition-age.ts';
import { NAME_LEVELS } from '../names/source.ts';
import { BASES } from './link.ts';

export const KINDS = [
  ...['created', 'abolished', 'renamed', 'recoded', 'moved', 'merged', 'split', 'reclassified', 'redrawn'],
] as const;

const edition = (about: string) => z.string().openapi({ description: about, example: '2026-3q' });
const code = z.string().max(10).openapi({ description: 'PSGC code, ten digits', example: '1830200000' });

export const editionSchema = z
  .object({
    id: edition('Its id, for the parameter edition'),
    published: z.string().nullable().openapi({
      description: 'Day of publication; null if its list does not say',
      example: '2026-09-30',
    }),
    ...ageSchema.shape,
    release: z.string().openapi({ description: 'The data release that serves it', example: '2026-3q-1' }),
    active: z.boolean().openapi({ description: 'Whether it is the default edition' }),
    counts: z
      .record(z.string(), z.number().int())
      .openapi({ description: 'Number of areas of each kind', example: { regions: 18, provinces: 82 } }),
    boundary_set: z.enum(['none', 'display', 'full']),
    previous: edition('The previous available edition').nullable(),
  })
  .openapi('Edition');

const party = z.object({
  code,
  name: z.string(),
  share: z.number().min(0).max(1).nullable().openapi({
    description:
      'In `from`: share of the new area that came from this one. In `to`: share of the old area that went to this one. Null without boundaries',
  }),
});

export const changeSchema = z
  .object({
    kind: z.enum(KINDS),
    level: z.enum(NAME_LEVELS),
    from: z.array(party),
    to: z.array(party),
    from_edition: edition('The edition before it'),
    to_edition: edition('The first available edition that shows it'),
    basis: z.enum(BASES).openapi({
      description: 'How it is known: by correspondence code, code, name, or a note',
    }),
    note: z
      .string()
      .nullable()
      .openapi({ description: 'The law or footnote that is its source; null if none is recorded' }),
  })
  .openapi('AreaChange', {
    example: {
      kind: 'moved',
      level: 'municity',
      from: [{ code: '0630200000', name: 'City of Bacolod', share: null }],
      to: [{ code: '1830200000', name: 'City of Bacolod', share: null }],
      from_edition: '2023-4q',
      to_edition: '2026-3q',
      basis: 'code',
      note: null,
    },
  });

/** A change of areas between two consecutive editions. */
export type Change = z.output<typeof changeSchema>;

/** Number of matching changes by kind. */
export const kindCounts = z.record(z.string(), z.number().int()).openapi({
  description: 'Number of changes of each kind, whatever kind is requested',
  example: { moved: 19, renamed: 54 },
});

/** Columns of a crosswalk, also the order of columns in CSV. */
export const CROSSWALK_COLUMNS = [
  ...['from_code', 'from_name', 'to_code', 'to_name', 'relation', 'weight_area', 'weight_population', 'basis'],
  'estimated',
] as const;

/** What became of an area between two editions. */
export const RELATIONS = ['same', 'renamed', 'recoded', 'merged', 'split', 'partial', 'none'] as const;

export const weight = (description: string) => z.number().min(0).max(1).nullable().openapi({ description });

const shareOf = (what: string) => weight(`Share of the ${what} of from_code; shares of one code add up to 1`);

export const crosswalkRow = z
  .object({
    from_code: code,
    from_name: z.string(),
    to_code: code.nullable(),
    to_name: z.string().nullable(),
    relation: z.enum(RELATIONS).openapi({
      description:
        'What `from_code` became; a part of it if there are several rows. `same`: an area with the same code and name, which may also have gained land from others. `none`: no successor is known',
    }),
    weight_area: shareOf('land'),
    weight_population: shareOf('residents'),
    basis: z.enum(BASES),
    estimated: z.enum(['area', 'population', 'both']).nullable().openapi({
      description: 'Weights without a measurement: the parts, or the barangays in them, count equally',
    }),
  })
  .openapi('CrosswalkRow', {
    example: {
      from_code: '0630200000',
      from_name: 'City of Bacolod',
      to_code: '1830200000',
      to_name: 'City of Bacolod',
      relation: 'recoded',
      weight_area: 1,
      weight_population: 1,
      basis: 'code',
      estimated: null,
    },
  });

/** A code of one edition and its counterpart in another. */
export type CrosswalkRow = z.output<typeof crosswalkRow>;

const author = z.object({ name: z.string() });

/** JSON Feed 1.1, as far as the feed of changes has it. */
export const jsonFeedSchema = z
  .object({
    version: z.literal('https://jsonfeed.org/version/1.1'),
    title: z.string(),
    home_page_url: z.string().openapi({ description: 'The list of changes' }),
    feed_url: z.string(),
    authors: z.array(author),
    items: z.array(
      z.object({
        id: z.string().openapi({ description: 'The same at every address of the service, and in Atom' }),
        url: z.string().openapi({ description: 'URL of the changes of the edition' }),
        title: z.string().openapi({ example: 'PSGC 3Q 2026: 12 changes in Cebu' }),
        date_published: z
          .string()
          .openapi({ description: 'Reference date of the list', example: '2026-09-30T00:00:00Z' }),
        content_text: z.string().openapi({ description: 'One line per change' }),
      }),
    ),
  })
  .openapi('ChangesFeed');
