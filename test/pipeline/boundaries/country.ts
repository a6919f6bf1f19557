import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findBoundaryFiles } from '../../../scripts/pipeline/boundaries/read/files.ts';
import type { SourceFeature } from '../../../scripts/pipeline/boundaries/read/formats/format.ts';
import type { Ring } from '../../../scripts/pipeline/boundaries/read/geometry.ts';
import { type Survey, surveyFiles } from '../../../scripts/pipeline/boundaries/read/survey.ts';
import type { Release } from '../../../scripts/pipeline/psgc/area.ts';
import { toRelease } from '../../../scripts/pipeline/psgc/areas.ts';
import type { PublishedRow } from '../../../scripts/pipeline/psgc/publication.ts';
import { publication, row } from '../psgc/rows.ts';

/** Two regions, a province each; the first has two municipalities, the second one; each municipality two barangays. */
export const COUNTRY: readonly PublishedRow[] = [
  row('Reg', '0100000000', 'Region I'),
  row('Prov', '0102800000', 'Ilocos Norte'),
  row('Mun', '0102801000', 'Adams'),
  row('Bgy', '0102801001', 'Adams Poblacion'),
  row('Bgy', '0102801002', 'Adams Ilaya'),
  row('Mun', '0102802000', 'Bacarra'),
  row('Bgy', '0102802001', 'Bani'),
  row('Bgy', '0102802002', 'Buyon'),
  row('Reg', '0200000000', 'Region II'),
  row('Prov', '0201500000', 'Cagayan'),
  row('Mun', '0201501000', 'Abulug'),
  row('Bgy', '0201501001', 'Alinunu'),
  row('Bgy', '0201501002', 'Bagu'),
];

export function country(rows: readonly PublishedRow[] = COUNTRY): Release {
  return toRelease(publication(rows));
}

/** The six barangays, from west to east. */
export const BARANGAYS = ['0102801001', '0102801002', '0102802001', '0102802002', '0201501001', '0201501002'];

/** A rectangle from its south-western corner, counter-clockwise; a tenth of a degree unless told. */
export function box(x: number, y: number, width = 0.1, height = 0.1): Ring {
  const [east, north] = [Number((x + width).toFixed(6)), Number((y + height).toFixed(6))];
  return [
    [x, y],
    [east, y],
    [east, north],
    [x, north],
    [x, y],
  ];
}

export function polygon(...rings: Ring[]) {
  return { type: 'Polygon', coordinates: rings };
}

/** A GeoJSON feature with the code as its property `psgc`. */
export function feature(psgc: unknown, geometry: unknown, properties: Record<string, unknown> = {}) {
  return { type: 'Feature', properties: { psgc, ...properties }, geometry };
}

/** The place of the i-th barangay. */
export function place(i: number): Ring {
  return box(Number((120 + i / 10).toFixed(1)), 18);
}

/** The six barangays as features, in a row from west to east, each touching the next. */
export function barangays() {
  return BARANGAYS.map((code, i) => feature(code, polygon(place(i))));
}

export function collection(features: unknown[]): string {
  return JSON.stringify({ type: 'FeatureCollection', features });
}

export function lines(features: unknown[]): string {
  return `${features.map((it) => JSON.stringify(it)).join('\n')}\n`;
}

/** A new directory with these files; a name that ends in `.gz` is packed. Whoever asks for it removes it. */
export async function directoryOf(files: Record<string, string | Uint8Array>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'pgds-test-boundaries-'));
  for (const [name, content] of Object.entries(files)) {
    const packed = name.endsWith('.gz') && typeof content === 'string' ? gzipSync(content) : content;
    await writeFile(join(directory, name), packed);
  }
  return directory;
}

/** What boundary files of these names hold for the small country. */
export async function surveyed(files: Record<string, string>, release = country()): Promise<Survey> {
  const directory = await directoryOf(files);
  try {
    return await surveyFiles(await findBoundaryFiles(directory), release, { scratch: directory });
  } finally {
    await rm(directory, { recursive: true });
  }
}

export async function all(features: AsyncIterable<SourceFeature>): Promise<SourceFeature[]> {
  const list: SourceFeature[] = [];
  for await (const it of features) list.push(it);
  return list;
}
