import type { View } from './data.ts';
import { useSection } from './use-section.ts';

interface PlaceOptions {
  readonly view: View;
  /** Called if the tab has no key and what is asked for needs one. */
  readonly onKeyNeeded: () => void;
}

/** What one can do with the map of a place. Its code is read when it is used. */
export function useOfPlace({ view, onKeyNeeded }: PlaceOptions): HTMLElement {
  const code = () => import('./picture/place.ts');
  const isDrawn = view.area.bbox !== null;
  return useSection({
    onPicture: isDrawn ? async () => (await code()).openPictureOfPlace(view) : undefined,
    onEmbed: isDrawn ? async () => (await import('./embed.ts')).openEmbedOfPlace(view.area) : undefined,
    hasAddress: true,
    data: async () => (await code()).dataParts(view, onKeyNeeded),
  });
}
