import { byId } from '../shared/dom.ts';
import { readOverview } from '../shared/overview.ts';
import { creditOfPlaces } from './credit.ts';
import { embedParts } from './embed.ts';
import type { Dataset } from './own/dataset.ts';
import { exportParts } from './own/export.ts';
import type { Look } from './own/feature-tiles.ts';
import type { Features } from './own/features.ts';
import type { Drawing } from './own/layers.ts';
import type { Column, Row } from './own/rows.ts';
import { greyOf, paletteFor } from './palette.ts';
import { COUNTRY } from './places.ts';
import { useSection } from './use-section.ts';
import { shownOf } from './view-box.ts';

/** What is shown of a dataset at the moment. */
interface ShownNow {
  readonly listed: readonly Row[];
  readonly drawing: Drawing;
  readonly drawn: Pick<Look, 'classes' | 'radii'>;
}

interface UseOptions {
  readonly dataset: Dataset;
  readonly features: Features;
  readonly columns: readonly Column[];
  readonly now: () => ShownNow;
}

/** The radius of a point that has no size of its own, as on the map. */
const RADIUS = 5;

/** What one can do with the map of a dataset. A list that only this tab has can't be linked to or embedded. */
export function useOfDataset({ dataset, features, columns, now }: UseOptions): HTMLElement {
  let latest = dataset;
  const onOpened = (opened: Dataset) => {
    latest = opened;
  };
  const isStored = dataset.visibility !== 'tab';
  const onPicture = async (format: 'png' | 'svg') => {
    const { listed, drawing, drawn } = now();
    const { legend, labels, isOfAreas } = drawing;
    const title = legend?.words.title || dataset.name;
    const [{ pictureOf, sheetFor, zoomOf }, { measureTexts, savePicture }, overview] = await Promise.all([
      import('./picture/picture.ts'),
      import('./picture/files.ts'),
      readOverview().catch(() => undefined),
    ]);
    const sheet = sheetFor(shownOf(dataset.bbox ?? COUNTRY), { hasLegend: legend !== undefined });
    const shapes = await features.shapesOf(listed, sheet.frame);
    const palette = paletteFor(false);
    const { area, chosen, halo, classEdge } = palette;
    const colors = { ...greyOf(palette), edge: legend ? classEdge : halo };
    const plain = isOfAreas ? area : chosen;
    const drawnShapes = listed.flatMap(({ index }, place) => {
      const shape = shapes[place];
      if (!shape) return [];
      const { color = plain, isMissing = false } = legend?.classes[drawn.classes?.[index] ?? 0] ?? {};
      return [{ ...shape, color, isHatched: isMissing, radius: drawn.radii?.[index] ?? RADIUS }];
    });
    const lines = legend?.classes.map(({ label, color, isMissing = false }) => ({
      label,
      color,
      isHatched: isMissing,
    }));
    if (legend?.hasRest) lines?.push({ label: 'No data', color: colors.land, isHatched: false });
    const zoom = zoomOf(sheet.frame);
    const svg = pictureOf(
      { sheet, shapes: drawnShapes, measure: measureTexts() },
      {
        title,
        legend: legend && lines && { title: legend.title, lines },
        notes: legend?.words.notes ?? '',
        source: legend?.words.source ?? '',
        // What the author names as the source is said once.
        credit: legend?.words.source ? creditOfPlaces() : (byId('credit', HTMLElement).textContent ?? ''),
        land: overview ? [overview.regions] : [],
        colors,
        labels: labels.flatMap(({ name, value, at, fromZoom }) => {
          const text = value || (fromZoom <= zoom ? name : '');
          return text ? [{ text, at }] : [];
        }),
      },
    );
    await savePicture(svg, format, title);
  };
  return useSection({
    onPicture,
    hasAddress: isStored,
    parts: [
      ...(isStored && dataset.feature_count > 0 ? ([['Embed', () => embedParts(latest, onOpened)]] as const) : []),
      ['Data', () => exportParts({ dataset, columns, rows: now().listed })],
    ],
  });
}
