import type { z } from '@hono/zod-openapi';
import { DomainError } from '../errors.ts';
import { choiceParam, integerParam, textParam, wordParam } from '../http/params.ts';
import { LEVEL_NAMES, type LevelNames } from './level-names.ts';
import { codeParam, codeParamOf, codesParams, parentFrom, parentOf, regionParam } from './params.ts';
import { isNcr } from './psgc.ts';
import { type AreaFilter, type Level, type Parent, type ProvinceScope, SUB_MUNICIPALITY } from './store.ts';

/** What is particular to a level. Everything else about the four is the same and written once. */
export interface LevelRules extends LevelNames {
  readonly level: Level;
  /** Codes of well-known areas, for the document. The second one has neighbours. */
  readonly examples: readonly [string, string];
  /** Name and limit of the list of codes in a batch search. */
  readonly batch: { readonly field: 'ids' | 'codes'; readonly max: number };
  /** Query parameters of the list that narrow it, and the filter they make. */
  readonly list: Narrowing;
  /** The same for text search. */
  readonly search: Narrowing;
  /** The level whose boundaries `geometry=true` nests into a single record. */
  readonly nested?: Level;
}

interface Narrowing {
  /** What must be given, in a sentence, where something must. */
  readonly required?: string;
  readonly params: z.ZodRawShape;
  // biome-ignore lint/suspicious/noExplicitAny: typed by `params` where it is written, see narrowing()
  readonly filter: (query: any) => AreaFilter;
}

function narrowing<const Params extends z.ZodRawShape>(
  params: Params,
  filter: (query: z.output<z.ZodObject<Params>>) => AreaFilter,
  required?: string,
): Narrowing {
  return { params, filter, ...(required === undefined ? {} : { required }) };
}

/** More than anybody has counted. */
const MAX_POPULATION = 2_147_483_647;

const municityCodeParam = codeParamOf('0730600000');

/** Conditions for a province; the National Capital Region, which has none, counts as one. */
function inProvince(parent: Parent, scope: ProvinceScope): AreaFilter {
  return isNcr(parent) ? { regions: [parent] } : { province: { parent, scope } };
}

const EVERYWHERE = narrowing({}, () => ({}));

function beginning(example: string) {
  return textParam({ description: 'Beginning of the name', example }).optional();
}

/** Parameters that narrow a list to a province or a region. */
const provinceParams = {
  province: textParam({
    min: 1,
    description: 'Exact name of the province; ignored if province_code is given',
    example: 'Cebu',
  }).optional(),
  province_code: codeParam.optional(),
  region: regionParam.optional(),
  scope: choiceParam(
    ['geographic', 'admin'],
    'geographic: includes cities that lie in the province but do not belong to it; admin: only those that belong to it',
  )
    .optional()
    .openapi({ default: 'geographic' }),
};

/** The filter that these parameters make; undefined where neither a province nor a region is given. */
function inProvinceOrRegion({
  province,
  province_code,
  region,
  scope = 'geographic',
}: z.output<z.ZodObject<typeof provinceParams>>): AreaFilter | undefined {
  const parent = parentFrom(province_code, province);
  const inRegion = region === undefined ? [] : [parentOf(region)];
  if (!parent) return region === undefined ? undefined : { regions: inRegion };
  const within = inProvince(parent, scope);
  return { ...within, regions: [...(within.regions ?? []), ...inRegion] };
}

/** Parameters of every list that narrow it by what is known of areas. */
const commonParams = {
  island_group: choiceParam(['luzon', 'visayas', 'mindanao'] as const, 'Filter by island group').optional(),
  population_min: integerParam({
    min: 0,
    max: MAX_POPULATION,
    description: 'Minimum number of residents',
    example: 100_000,
  }).optional(),
  population_max: integerParam({
    min: 0,
    max: MAX_POPULATION,
    description: 'Maximum number of residents',
    example: 500_000,
  }).optional(),
};

const incomeClass = {
  income_class: textParam({
    min: 1,
    description: 'Income classification; 4th includes 4th*',
    example: '1st',
  }).optional(),
};

/** The filter that these parameters make. */
function byAttributes(
  query: z.output<z.ZodObject<typeof commonParams>> & { income_class?: string | undefined },
): AreaFilter {
  return {
    islandGroup: query.island_group,
    populationMin: query.population_min,
    populationMax: query.population_max,
    incomeClass: query.income_class || undefined,
  };
}

const MUNICITY_PARENT =
  'Cities and municipalities are listed by parent: give province_code (e.g. province_code=0702200000), province (its exact name) or region.';
const BARANGAY_PARENT =
  'Barangays are listed by parent: give municity_code (e.g. municity_code=1380600000), municity (its exact name), province_code, province (its exact name) or region.';

export const LEVELS: Readonly<Record<Level, LevelRules>> = {
  region: {
    level: 'region',
    ...LEVEL_NAMES.region,
    examples: ['0700000000', '1300000000'],
    batch: { field: 'ids', max: 100 },
    list: narrowing(
      {
        search: textParam({ description: 'Part of the name', example: 'visayas' }).optional(),
        ...codesParams,
        ...commonParams,
      },
      ({ search, codes, 'codes[]': bracketed, ...query }) => ({
        ...byAttributes(query),
        nameContains: search || undefined,
        codes: codes || bracketed ? [...(codes ?? []), ...(bracketed ?? [])] : undefined,
      }),
    ),
    search: EVERYWHERE,
  },
  province: {
    level: 'province',
    ...LEVEL_NAMES.province,
    examples: ['0702200000', '0401000000'],
    batch: { field: 'codes', max: 100 },
    nested: 'municity',
    list: narrowing(
      { region: regionParam.optional(), name: beginning('Ne'), ...incomeClass, ...commonParams },
      ({ region, name, ...query }) => ({
        ...byAttributes(query),
        regions: region === undefined ? [] : [parentOf(region)],
        nameStartsWith: name || undefined,
      }),
    ),
    search: EVERYWHERE,
  },
  municity: {
    level: 'municity',
    ...LEVEL_NAMES.municity,
    examples: ['0730600000', '1380600000'],
    batch: { field: 'codes', max: 1000 },
    nested: 'barangay',
    list: narrowing(
      {
        ...provinceParams,
        name: beginning('San'),
        type: wordParam(
          ['City', 'Municipality', 'SGU', SUB_MUNICIPALITY] as const,
          'Filter by type. Sub-municipalities of Manila are listed only with SubMun',
        ).optional(),
        city_class: wordParam(['HUC', 'ICC', 'CC'] as const, 'Filter by city class').optional(),
        ...incomeClass,
        ...commonParams,
      },
      ({ name, type, city_class, ...query }) => {
        const within = inProvinceOrRegion(query);
        if (!within) throw new DomainError('missing_province', MUNICITY_PARENT);
        const attributes = { ...byAttributes(query), type, cityClass: city_class };
        return { ...within, ...attributes, nameStartsWith: name || undefined };
      },
      MUNICITY_PARENT,
    ),
    search: EVERYWHERE,
  },
  barangay: {
    level: 'barangay',
    ...LEVEL_NAMES.barangay,
    examples: ['0730600040', '1380601001'],
    batch: { field: 'codes', max: 1000 },
    list: narrowing(
      {
        municity: textParam({
          min: 1,
          description: 'Exact name of the city, municipality or sub-municipality; ignored if municity_code is given',
          example: 'City of Cebu',
        }).optional(),
        municity_code: municityCodeParam.optional(),
        ...provinceParams,
        name: beginning('Pob'),
        ...commonParams,
      },
      ({ municity, municity_code, name, ...query }) => {
        const parent = parentFrom(municity_code, municity);
        const within = inProvinceOrRegion(query);
        if (!parent && !within) throw new DomainError('missing_municity', BARANGAY_PARENT);
        return {
          ...within,
          ...byAttributes(query),
          ...(parent && { municity: parent }),
          nameStartsWith: name || undefined,
        };
      },
      BARANGAY_PARENT,
    ),
    search: narrowing(
      { municity_code: municityCodeParam.optional(), province_code: codeParam.optional() },
      ({ municity_code, province_code }) => ({
        ...(municity_code === undefined ? {} : { municity: { code: municity_code } }),
        ...(province_code === undefined ? {} : inProvince({ code: province_code }, 'geographic')),
      }),
    ),
  },
};
