import type { Dataset } from './own/dataset.ts';
import { exportParts } from './own/export.ts';
import type { DatasetUse } from './picture/dataset.ts';
import { useSection } from './use-section.ts';

/** What one can do with the map of a dataset. A list that only this tab has can't be linked to or embedded. */
export function useOfDataset(shown: DatasetUse): HTMLElement {
  const { dataset, columns, currentState } = shown;
  let latest = dataset;
  const onOpened = (opened: Dataset) => {
    latest = opened;
  };
  const isStored = dataset.visibility !== 'tab';
  const canBeEmbedded = isStored && dataset.feature_count > 0;
  return useSection({
    onPicture: async () => (await import('./picture/dataset.ts')).openPictureOfDataset(shown),
    onEmbed: canBeEmbedded
      ? async () => (await import('./embed.ts')).openEmbed(latest, onOpened, currentState().drawing.legend?.words)
      : undefined,
    hasAddress: isStored,
    limits: async () => (await import('./embed.ts')).readersParts(latest, onOpened),
    data: () => {
      const { listed, rate, isCoarse } = currentState();
      return exportParts({ dataset, columns, rows: listed, rate, isCoarse });
    },
  });
}
