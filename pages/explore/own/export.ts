import { request, sentenceFor } from '../../shared/api.ts';
import { button, el, saveFile } from '../../shared/dom.ts';
import { EXPORT_FORMATS, exportName } from '../../shared/export-formats.ts';
import type { Dataset } from './dataset.ts';
import type { Column, Row } from './rows.ts';
import type { RateColumn } from './styling.ts';
import { cellsOf, headingsOf } from './workbook-cells.ts';

interface Exported {
  readonly dataset: Dataset;
  readonly columns: readonly Column[];
  /** What the table lists. */
  readonly rows: readonly Row[];
  /** What the table has beside the columns of the dataset. */
  readonly rate: RateColumn | undefined;
  /** Whether its numbers are counts of points by coarse boundaries. */
  readonly isCoarse: boolean;
}

/** The buttons that save a dataset as a file. A private one needs a key, so no link would do. */
export function exportParts(exported: Exported): HTMLElement[] {
  const { dataset, rows } = exported;
  const { id, name, visibility } = dataset;
  const status = el('p', { class: 'quiet', role: 'status' });
  const save = async (fileName: string, read: () => Promise<Blob>) => {
    status.textContent = 'Reading…';
    try {
      saveFile(await read(), fileName);
      status.textContent = '';
    } catch (error) {
      status.textContent = sentenceFor(error, 'The export failed.');
    }
  };
  const buttons = EXPORT_FORMATS.map((format) =>
    button(
      format.name,
      () =>
        void save(exportName(name, format), async () =>
          (await request(`/v1/datasets/${id}/export?format=${format.format}`)).blob(),
        ),
      { title: format.about },
    ),
  );
  const listed = button(
    `Excel, ${rows.length === 1 ? 'the listed row' : `the ${rows.length.toLocaleString('en')} listed rows`}`,
    () => void save(`${name}.xlsx`, () => workbookOfRows(exported)),
    { title: 'the table as it is listed here' },
  );
  return [
    ...(visibility === 'tab' ? [] : [el('p', { class: 'own-exports' }, ...buttons)]),
    el('p', { class: 'own-exports' }, listed),
    status,
  ];
}

/** The properties of features as a workbook. Columns of numbers are told as in the exports of the service and of /match. */
async function workbookOfRows({ columns, rows, rate, isCoarse }: Exported): Promise<Blob> {
  const cells = cellsOf(columns, rows, rate);
  const { workbookOf } = await import('../../match/workbook.ts');
  return workbookOf([headingsOf(columns, rate, isCoarse), ...cells]);
}
