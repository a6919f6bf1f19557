import { request, sentenceFor } from '../../shared/api.ts';
import { currentToken } from '../../shared/credentials.ts';
import { button, el, saveFile } from '../../shared/dom.ts';
import { EXPORT_FORMATS } from '../../shared/export-formats.ts';
import { isMissing, numberOf, textOf } from '../../shared/values.ts';
import type { Dataset } from './dataset.ts';
import type { Column, Row } from './rows.ts';

interface Exported {
  readonly dataset: Dataset;
  readonly columns: readonly Column[];
  /** What the table lists. */
  readonly rows: readonly Row[];
}

/** The buttons that save a dataset as a file. Most formats are only for those who have a key, so no link would do. */
export function exportParts({ dataset: { id, name, visibility }, columns, rows }: Exported): HTMLElement[] {
  const status = el('p', { class: 'quiet', role: 'status' });
  const save = async (format: string, read: () => Promise<Blob>) => {
    status.textContent = 'Reading…';
    try {
      saveFile(await read(), `${name}.${format}`);
      status.textContent = '';
    } catch (error) {
      status.textContent = sentenceFor(error, 'The export failed.');
    }
  };
  const isFree = currentToken() === undefined;
  const read = async (format: string) => {
    const path = isFree ? `/embed/datasets/${id}` : `/v1/datasets/${id}/export?format=${format}`;
    return (await request(path)).blob();
  };
  const stored = EXPORT_FORMATS.filter(({ format }) => visibility !== 'tab' && (!isFree || format === 'geojson'));
  const buttons = stored.map(({ format, name: label, about }) =>
    button(label, () => void save(format, () => read(format)), { title: about }),
  );
  const workbook = button('XLSX', () => void save('xlsx', () => workbookOf(columns, rows)), {
    title: 'the table as it is listed, for Excel and other spreadsheets',
  });
  return [
    el('p', { class: 'own-exports' }, ...buttons, workbook),
    ...(isFree && visibility !== 'tab' ? [el('p', { class: 'quiet' }, 'Other formats need a key.')] : []),
    status,
  ];
}

/** The properties of features as a workbook: numbers as numbers, all else as text. */
async function workbookOf(columns: readonly Column[], rows: readonly Row[]): Promise<Blob> {
  const { inWorker } = await import('../../match/workbook.ts');
  const cells = rows.map(({ properties }) =>
    columns.map(({ name, isNumeric }) => {
      const value = properties[name];
      return (isNumeric ? numberOf(value) : undefined) ?? (isNumeric && isMissing(value) ? null : textOf(value));
    }),
  );
  const bytes = await inWorker({ task: 'write', rows: [columns.map(({ name }) => name), ...cells] });
  return new Blob([bytes], { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' });
}
