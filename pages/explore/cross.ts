import type { Map as GlMap } from 'maplibre-gl';
import { byId } from '../shared/dom.ts';
import type { Margins } from './margins.ts';

interface CrossOptions {
  margins: () => Margins;
  /** What lies at a point: the name of an area, or what features of a dataset are there. */
  nameAt: (point: { x: number; y: number }) => string | undefined;
  choose: (point: { x: number; y: number }) => void;
}

/**
 * A cross in the middle of the map for whoever moves it with the keyboard. Its name, which is said too, is that of what
 * Enter chooses.
 */
export function startCross(map: GlMap, { margins, nameAt, choose }: CrossOptions): void {
  const canvas = map.getCanvas();
  const cross = byId('cross', HTMLElement);
  const label = byId('cross-name', HTMLElement);
  const announcement = byId('announcement', HTMLElement);

  /** The middle of what nothing stands over. */
  const middle = () => {
    const { clientWidth, clientHeight } = map.getContainer();
    const { top, right, bottom, left } = margins();
    return { x: (left + clientWidth - right) / 2, y: (top + clientHeight - bottom) / 2 };
  };
  const show = () => {
    const { x, y } = middle();
    cross.style.transform = `translate(${x}px, ${y}px)`;
    const name = nameAt({ x, y });
    label.textContent = name ?? '';
    return name;
  };
  const say = () => {
    const name = show();
    announcement.textContent =
      name === undefined ? 'Nothing is in the middle of the map.' : `${name}. Enter chooses it.`;
  };
  canvas.addEventListener('focus', () => {
    // A pointer that presses the map focuses it too.
    if (!canvas.matches(':focus-visible')) return;
    cross.hidden = false;
    say();
  });
  canvas.addEventListener('blur', () => {
    cross.hidden = true;
  });
  canvas.addEventListener('pointerdown', () => {
    cross.hidden = true;
  });
  canvas.addEventListener('keydown', (event) => {
    cross.hidden = false;
    if (event.key !== 'Enter') return;
    // The same key would press what gets the focus.
    event.preventDefault();
    if (show() === undefined) say();
    else choose(middle());
  });
  map.on('moveend', ({ originalEvent }) => {
    if (!cross.hidden && originalEvent instanceof KeyboardEvent) say();
  });
  // What was chosen is drawn, and what lies in the middle of it is named, but the panel says what it is.
  map.on('idle', () => {
    if (!cross.hidden) show();
  });
}
