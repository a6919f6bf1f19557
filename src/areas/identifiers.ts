import type { Area } from './store.ts';

/** Regions of each island group, by the first two digits of their codes, and so of all codes in them. */
export const ISLAND_GROUPS = {
  luzon: ['01', '02', '03', '04', '05', '13', '14', '17'],
  visayas: ['06', '07', '08', '18'],
  mindanao: ['09', '10', '11', '12', '15', '16', '19'],
} as const;

export type IslandGroup = keyof typeof ISLAND_GROUPS;

const GROUP_OF: ReadonlyMap<string, IslandGroup> = new Map(
  Object.entries(ISLAND_GROUPS).flatMap(([group, regions]) => regions.map((region) => [region, group as IslandGroup])),
);

/** The island group that an area lies in, by its code; null for a region that is newer than this table. */
export function islandGroupOf(code: string): IslandGroup | null {
  return GROUP_OF.get(code.slice(0, 2)) ?? null;
}

/**
 * ISO 3166-2:PH of provinces, without `PH-`, from 001 on by the digits `PPP` of their codes.
 * https://www.iso.org/obp/ui/#iso:code:3166:PH
 */
const PROVINCES = (
  'ABR AGN AGS AKL ALB ANT BAS BAN BTN BTG BEN BOH BUK BUL CAG CAN CAS CAM CAP CAT CAV CEB' +
  ' DAV DAS DAO EAS IFU ILN ILS ILI ISA KAL LUN LAG LAN LAS LEY MAG - MAD MAS MSC MSR MOU' +
  ' NEC NER NCO NSA NUE NUV MDC MDR PLW PAM PAN QUE QUI RIZ ROM WSA SIG SOR SCO SLE SUK SLU' +
  ' SUN SUR TAR TAW ZMB ZAN ZAS - - - AUR BIL GUI SAR APA COM ZSI - DIN DVO MGN MGS'
).split(' ');

/** Those of regions whose ISO code is not their first two digits. Negros Island (18) has none. */
const REGIONS: Readonly<Record<string, string | null>> = {
  '04': '40',
  '13': '00',
  '14': '15',
  '15': '14',
  '16': '13',
  '17': '41',
  '18': null,
  '19': '14',
};

/** ISO 3166-2, which regions and provinces have: `PH-CEB`. Null for others. */
export function iso31662Of({ level, code }: Pick<Area, 'level' | 'code'>): string | null {
  if (level === 'region') {
    const region = code.slice(0, 2);
    const iso = REGIONS[region] === undefined ? region : REGIONS[region];
    return iso !== null && GROUP_OF.has(region) ? `PH-${iso}` : null;
  }
  const iso = level === 'province' ? PROVINCES[Number(code.slice(2, 5)) - 1] : undefined;
  return iso === undefined || iso === '-' ? null : `PH-${iso}`;
}

/** Digits of a code that the P-code of a level has. */
export const PCODE_DIGITS: Readonly<Record<Area['level'], number>> = {
  region: 2,
  province: 5,
  municity: 7,
  submunicipality: 7,
  barangay: 10,
};

/**
 * The P-code of the humanitarian common operational datasets (COD-AB): `PH` and the digits of the code that name an area
 * of its level. They write the Special Geographic Area as 19 099.
 */
export function pcodeOf({ level, code }: Pick<Area, 'level' | 'code'>): string {
  const written = code.startsWith('19999') ? `19099${code.slice(5)}` : code;
  return `PH${written.slice(0, PCODE_DIGITS[level])}`;
}
