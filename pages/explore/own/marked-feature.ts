import type { Geometry } from 'geojson';
import { button, el } from '../../shared/dom.ts';
import { analysisEntry } from '../analysis-entry.ts';
import { wholeText } from './data-text.ts';
import type { Features } from './features.ts';
import { type Column, factsOf, type Row } from './rows.ts';

/**
 * The section with the facts of the marked feature.
 *
 * @param nameOf the name of a feature, empty where it has none
 * @param onMark called with the feature to mark instead; undefined for none
 */
export function createMarkedFeature(
  { geometryOf, nameOf }: Pick<Features, 'geometryOf'> & { nameOf: (row: Row) => string },
  columns: readonly Column[],
  onMark: (row: Row | undefined) => void,
) {
  const element = el('section', { class: 'own-feature' });
  return {
    element,
    /** @param atClick the features at the clicked point, of which `row` is one; empty if it was chosen in the table */
    show(row: Row | undefined, { isListed, atClick }: { isListed: boolean; atClick: readonly Row[] }) {
      element.hidden = !row;
      if (!row) return element.replaceChildren();
      const heading = el('h2', {}, wholeText(nameOf(row) || 'Marked row'));
      const close = button('Unmark', () => onMark(undefined));
      if (!isListed) {
        const sentence = 'It is filtered out, so neither the table nor the map shows it.';
        return element.replaceChildren(heading, el('p', { class: 'quiet' }, sentence), close);
      }
      const items = factsOf(row, columns).map(([name, value]) =>
        el('div', {}, el('dt', {}, wholeText(name)), el('dd', {}, wholeText(value))),
      );
      const nowhere = row.type ? undefined : el('p', { class: 'quiet' }, 'It has no place on the map.');
      const nth = atClick.indexOf(row) + 1;
      const showNext = () => {
        onMark(atClick[nth % atClick.length]);
        // The button for the one after it stands in place of this one.
        element.querySelector('button')?.focus();
      };
      const next = atClick.length > 1 ? button(`${nth} of ${atClick.length} here: show the next`, showNext) : '';
      const covered = /Polygon$/.test(row.type ?? '')
        ? analysisEntry('Areas that it covers', async (module) =>
            module.coveredForm((await geometryOf(row)) as Geometry),
          )
        : '';
      element.replaceChildren(heading, next, el('dl', { class: 'facts' }, ...items), nowhere ?? '', covered, close);
    },
  };
}
