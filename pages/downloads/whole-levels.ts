import type { Download } from '../../clients/typescript/src/types.ts';
import { startCopyButton } from '../shared/copy.ts';
import { button, byId, el } from '../shared/dom.ts';
import { number, size } from '../shared/format.ts';
import { LEVEL_NAMES, LEVELS } from '../shared/levels.ts';

const FORMATS: Readonly<Record<string, string>> = {
  csv: 'CSV',
  'csv.gz': 'CSV, packed',
  'ndjson.gz': 'NDJSON, packed',
  'geojson.gz': 'GeoJSON, packed',
  fgb: 'FlatGeobuf',
  parquet: 'GeoParquet',
  topojson: 'TopoJSON',
  gpkg: 'GeoPackage, which is SQLite',
};

/**
 * Shows all files of whole levels of an edition, each with its hash.
 *
 * @param onDownload called for a layer, which needs a session
 */
export function showFiles(files: readonly Download[], onDownload: (file: Download) => void): void {
  const groups = LEVEL_NAMES.map((level): [Download['level'], string] => [level, LEVELS[level].nouns]);
  const sections = [['country', 'All levels and editions in one file'] as const, ...groups].flatMap(
    ([level, title]) => {
      const own = files.filter((file) => file.level === level);
      if (own.length === 0) return [];
      const rows = own.map((file) => row(file, onDownload));
      return [el('section', { 'aria-label': title }, el('h3', {}, title), el('ul', {}, ...rows))];
    },
  );
  const nothing = el('p', { class: 'quiet' }, 'There are no such files in this edition.');
  byId('files', HTMLElement).replaceChildren(...(sections.length > 0 ? sections : [nothing]));
}

function row(file: Download, onDownload: (file: Download) => void): HTMLElement {
  const label = `Download ${file.id}`;
  const kind = file.resolution === null ? 'table' : file.resolution;
  const copyHash = el('button', { type: 'button', 'aria-label': `Copy the SHA-256 of ${file.id}` }, 'Copy');
  startCopyButton(copyHash, () => file.sha256);
  return el(
    'li',
    {},
    el('b', {}, `${FORMATS[file.format] ?? file.format}, ${kind}`),
    el(
      'span',
      { class: 'quiet' },
      `${number(file.rows)} ${file.rows === 1 ? 'area' : 'areas'}, ${size(file.size_bytes)}`,
    ),
    el('details', {}, el('summary', {}, 'SHA-256'), el('p', { class: 'line' }, el('code', {}, file.sha256), copyHash)),
    file.resolution === null
      ? el('a', { class: 'button', href: file.href, download: file.id, 'aria-label': label }, 'Download')
      : button('Download', () => onDownload(file), { 'aria-label': label }),
  );
}
