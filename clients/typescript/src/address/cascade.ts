import { el } from './dom.ts';
import { type Field, LEVELS, type Setting } from './field.ts';
import { type AddressPlace, placeOf } from './places.ts';

interface Area {
  readonly code: string;
  readonly name: string;
  readonly p_code?: string | null;
  readonly host_province_code?: string | null;
}

type Codes = Readonly<Record<string, string>>;

/**
 * Stands in the list of provinces for cities and municipalities that neither belong to a province of the region nor lie in one, as
 * Isabela City, whose host province is in another region.
 */
const NONE: Area = { code: '-', name: 'Independent city' };

/** The longest page of a list. */
const limit = '100';

/** A drop-down for each level, which is loaded when the one above is chosen. */
export function cascadeField({ ask, level, within, name, placeholder, choose, say, fail }: Setting): Field {
  const levels = Object.keys(LEVELS);
  const selects = levels
    .slice(0, levels.indexOf(level) + 1)
    .map((id) => el('select', { id, 'aria-label': LEVELS[id] ?? '' }));
  const labels = selects.map((select) => el('label', {}, LEVELS[select.id] ?? '', select));
  let running: AbortController | undefined;

  const chosen = (at: number) => selects[at]?.value ?? '';
  /** The areas that lie in what is chosen above. @param at index of their level: 0 for regions to 3 for barangays */
  const areasOf = async (at: number, signal: AbortSignal): Promise<readonly Area[]> => {
    if (at < 1) return ask<Area>('regions', { limit }, signal);
    if (at > 2) return ask<Area>('barangays', { municity_code: chosen(2), limit }, signal);
    const query = { region: chosen(0), limit };
    const provinces = await ask<Area>('provinces', query, signal);
    if (!selects[2]) return provinces;
    const municities = await ask<Area>('municities', query, signal);
    const provinceOf = ({ p_code, host_province_code }: Area) =>
      provinces.find(({ code }) => code === (p_code ?? host_province_code)) ?? NONE;
    if (at > 1) return municities.filter((it) => provinceOf(it).code === (chosen(1) || NONE.code));
    return provinces[0] && municities.some((it) => provinceOf(it) === NONE) ? [...provinces, NONE] : provinces;
  };
  /**
   * Fills the drop-downs from one down, and stops behind the first in which nothing is chosen. If something is chosen in all, gives
   * the place. A failure is told, with a button that tries again.
   *
   * @param from index of the first drop-down to fill
   * @param known codes to choose, by level
   */
  const load = async (from: number, known: Codes = {}): Promise<void> => {
    running?.abort();
    running = new AbortController();
    const { signal } = running;
    say('');
    const fill = (select: HTMLSelectElement, first: string, areas: readonly Area[]) =>
      select.replaceChildren(new Option(first, ''), ...areas.map((area) => new Option(area.name, area.code)));
    for (const [at, select] of selects.entries()) if (at >= from) fill(select, '–', []);
    try {
      if (within && from < 1) {
        const fixed = codesOf(await placeOf(ask, within, signal));
        known = { ...fixed, ...known };
        for (const select of selects) select.disabled = select.id in fixed;
      }
      for (const [at, select] of selects.entries()) {
        if (at >= from) {
          const areas = await areasOf(at, signal);
          if (signal.aborted) return;
          fill(select, placeholder || 'Choose', areas);
          // A region without provinces has cities only.
          if (labels[at]) labels[at].hidden = at === 1 && !!labels[2] && !areas[0];
          // A known city whose province is not in the list lies under the last option.
          const wanted = [known[select.id], known.municity && NONE.code];
          select.value = areas.find(({ code }) => wanted.includes(code))?.code ?? '';
        }
        if (!select.value && !labels[at]?.hidden) return;
      }
      // Only suggestions have the label and the ancestors that the form sends.
      const place = await placeOf(ask, chosen(selects.length - 1), signal);
      if (!signal.aborted) choose(place);
    } catch (error) {
      if (!signal.aborted) fail(error, () => load(from, known));
    }
  };
  for (const [at, select] of selects.entries()) {
    select.onchange = () => {
      choose(
        undefined,
        selects.some(({ disabled, value }) => !disabled && value),
      );
      load(at + 1);
    };
  }
  return {
    element: el('fieldset', { 'aria-label': name }, ...labels),
    controls: selects,
    show: (place) => load(0, codesOf(place)),
    stop: () => running?.abort(),
  };
}

/** The codes of a place and of what it lies in, by their levels. */
function codesOf(place: AddressPlace | undefined): Codes {
  return Object.fromEntries(place ? [...place.ancestors, place].map((it) => [it.level, it.code]) : []);
}
