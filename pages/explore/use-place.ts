import { NAMING } from './country-names.ts';
import type { Country, View } from './data.ts';
import { useSection } from './use-section.ts';

interface CountryOptions {
  readonly country: Country;
  readonly edition: string | undefined;
  /** Whether there are boundaries to draw. */
  readonly isDrawn: boolean;
  /** Called if the tab has no key and what is asked for needs one. */
  readonly onKeyNeeded: () => void;
}

/** What one can do with the map of the country. Its code is read when it is used. */
export function useOfCountry({ country, edition, isDrawn, onKeyNeeded }: CountryOptions): HTMLElement {
  const code = () => import('./picture/place.ts');
  return useSection({
    onPicture: isDrawn ? async () => (await code()).openPictureOfCountry(edition, NAMING) : undefined,
    // A frame shows the current edition.
    onEmbed: isDrawn ? async () => (await import('./embed.ts')).openEmbedOfPlace(undefined) : undefined,
    hasAddress: true,
    data: async () => (await code()).dataPartsOfCountry(country, edition, onKeyNeeded),
  });
}

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
    onPicture: isDrawn ? async () => (await code()).openPictureOfPlace(view, NAMING) : undefined,
    onEmbed: isDrawn ? async () => (await import('./embed.ts')).openEmbedOfPlace(view.area) : undefined,
    hasAddress: true,
    data: async () => (await code()).dataParts(view, onKeyNeeded),
  });
}
