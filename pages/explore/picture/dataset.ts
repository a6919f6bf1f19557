import { readOverview } from '../../shared/overview.ts';
import { greyOf, paletteFor } from '../map-colors.ts';
import type { Dataset } from '../own/dataset.ts';
import type { Features } from '../own/features.ts';
import type { OwnView } from '../own/view.ts';
import { COUNTRY } from '../places.ts';
import { openPicture } from './dialog.ts';

/** A dataset on the map, and how it is shown at the moment. */
export interface DatasetUse extends Pick<OwnView, 'columns' | 'currentState' | 'changeText'> {
  readonly dataset: Dataset;
  readonly features: Features;
}

/** The radius of a point without a size of its own, pixels. The map has the same. */
const RADIUS = 5;

/** Opens the dialog that saves the map of a dataset, as it is drawn now, as a picture. */
export async function openPictureOfDataset({ dataset, features, currentState, changeText }: DatasetUse): Promise<void> {
  const overview = await readOverview().catch(() => undefined);
  const { listed, drawing, drawn, symbology } = currentState();
  const { legend, sizes, labels, isOfAreas } = drawing;
  const palette = paletteFor(false);
  const { area, chosen, halo, classEdge } = palette;
  const colors = { ...greyOf(palette), edge: legend ? classEdge : halo };
  const plain = isOfAreas ? area : chosen;
  const lines = legend?.classes.map(({ label, color, isMissing = false }) => ({ label, color, isHatched: isMissing }));
  if (legend?.rest) lines?.push({ label: legend.rest, color: colors.land, isHatched: false });
  const { title, subtitle, notes, source } = symbology;
  openPicture({
    box: dataset.bbox ?? COUNTRY,
    fields: ['title', 'subtitle', 'notes', 'source'],
    onWords: changeText,
    parts: {
      title: legend?.words.title || title || dataset.name,
      subtitle,
      remark: legend?.remark ?? '',
      notes,
      source,
      legend: legend || sizes ? { title: legend?.title ?? '', lines: lines ?? [], sizes } : undefined,
      land: overview ? [overview.regions] : [],
      colors,
      labelsAt: (zoom) =>
        labels.flatMap(({ index, name, value, at, fromZoom, valueFromZoom }) => {
          const text = value && valueFromZoom <= zoom ? value : fromZoom <= zoom && !value ? name : '';
          const ground = legend?.classes[drawn.classes?.[index] ?? 0]?.color ?? plain;
          return text ? [{ text, at, ground }] : [];
        }),
    },
    shapesIn: async (frame) => {
      const shapes = await features.shapesOf(listed, frame);
      return shapes.map(({ feature, ...shape }) => {
        const { color = plain, isMissing = false } = legend?.classes[drawn.classes?.[feature] ?? 0] ?? {};
        return { ...shape, color, isHatched: isMissing, radius: drawn.radii?.[feature] ?? RADIUS };
      });
    },
  });
}
