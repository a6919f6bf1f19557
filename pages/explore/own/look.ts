import type { Choices } from './address.ts';
import { classesOf, radiiOf } from './classes.ts';
import type { Features } from './features.ts';
import { type Filters, isChosen, toggled } from './filters.ts';
import type { Drawing, Legend } from './layers.ts';
import type { Column, Row } from './rows.ts';

/** The columns that can be the sizes of points. Their coordinates, repeated in a column, say nothing as sizes. */
export function sizesOf({ coordinates }: Features, columns: readonly Column[]): Column[] {
  return columns.filter(({ name, isNumeric }) => isNumeric && !coordinates.includes(name));
}

/** What tiles of features show, and what their colours stand for. */
export function createLook(features: Features, columns: readonly Column[]) {
  const { rows } = features;
  const sizes = sizesOf(features, columns);
  const remembered = {
    listed: remember((listed: readonly Row[]) =>
      listed.length === rows.length ? undefined : Uint32Array.from(listed, ({ index }) => index),
    ),
    classes: remember((color: Column | undefined) => {
      const classes = color && classesOf(rows, color);
      return classes && { classes: classes.classes, places: Uint8Array.from(rows, classes.classOf) };
    }),
    radii: remember((size: Column | undefined) => size && Uint8Array.from(rows, radiiOf(rows, size.name))),
  };
  let latest = 0;
  return {
    /**
     * @param onFilter is called with the filters that a click in the legend chooses; without it no class can be chosen
     * @returns the look and its legend, once the tiles have it; undefined if another one was asked for since
     */
    async show(
      listed: readonly Row[],
      { color: colored, size: sized, filters }: Choices,
      onFilter?: (filters: Filters) => void,
    ): Promise<Pick<Drawing, 'look' | 'legend'> | undefined> {
      latest += 1;
      const mine = latest;
      const color = columns.find(({ name }) => name === colored);
      const size = sizes.find(({ name }) => name === sized);
      // Colours stand for the same values, whatever is listed.
      const known = remembered.classes(color);
      await features.show({
        listed: remembered.listed(listed),
        classes: known?.places,
        radii: remembered.radii(size),
      });
      if (mine !== latest) return undefined;
      if (!color || !known) return { look: mine, legend: undefined };
      const { classes, places } = known;
      const counts = classes.map(() => 0);
      for (const { index } of listed) {
        const place = places[index] ?? 0;
        counts[place] = (counts[place] ?? 0) + 1;
      }
      const legend: Legend = {
        title: color.name,
        classes: classes.map((one, place) => ({
          ...one,
          count: counts[place] ?? 0,
          isChosen: one.filter !== undefined && isChosen(filters, color.name, one.filter),
          choose: one.filter && onFilter && (() => one.filter && onFilter(toggled(filters, color.name, one.filter))),
        })),
      };
      return { look: mine, legend };
    },
  };
}

/** Gives the same again as long as it is asked for the same. */
function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined;
  return (key) => {
    if (!last || last.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}
