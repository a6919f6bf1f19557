import { byId } from '../shared/dom.ts';

const SIZES = ['peek', 'half', 'full'] as const;
type Size = (typeof SIZES)[number];

/** Shares of the window's height above which a drag ends in the next larger size. */
const BOUNDS = [0.28, 0.7];

/** The share of the window's height that the sheet covers at the size `half`. */
const HALF = 0.38;

const PHONE = matchMedia('screen and (max-width: 760px)');

/** On a phone the panel is a sheet at the bottom, with the legend at its head. A tap, a drag or a key on its grip makes it larger or smaller. */
export function startSheet() {
  const panel = byId('panel', HTMLElement);
  const bar = byId('bar', HTMLElement);
  const grip = byId('grip', HTMLButtonElement);
  const legend = byId('legend', HTMLElement);
  const credit = byId('credit', HTMLElement);

  // Over the map of a phone the legend would hide what it explains.
  const placeLegend = () => (PHONE.matches ? grip.after(legend) : credit.before(legend));
  PHONE.addEventListener('change', placeLegend);
  placeLegend();

  const setSize = (size: Size) => {
    panel.dataset.size = size;
    grip.setAttribute('aria-expanded', String(size !== 'peek'));
  };
  const size = () => panel.dataset.size as Size;

  // What lies below the bar of pages and the search field on a phone follows their heights.
  const top = document.querySelector<HTMLElement>('.top');
  const measure = new ResizeObserver(() => {
    document.body.style.setProperty('--bar', `${bar.offsetHeight}px`);
    document.body.style.setProperty('--top', `${top?.offsetHeight ?? 0}px`);
  });
  for (const element of [bar, top]) if (element) measure.observe(element);

  let start: { y: number; height: number } | undefined;
  let dragged = false;
  grip.addEventListener('pointerdown', ({ clientY, pointerId }) => {
    start = { y: clientY, height: panel.offsetHeight };
    dragged = false;
    grip.setPointerCapture(pointerId);
  });
  grip.addEventListener('pointermove', ({ clientY }) => {
    if (!start) return;
    const moved = start.y - clientY;
    if (Math.abs(moved) < 6 && !dragged) return;
    dragged = true;
    panel.classList.add('dragged');
    panel.style.height = `${start.height + moved}px`;
  });
  const end = () => {
    if (dragged) {
      const share = panel.offsetHeight / innerHeight;
      setSize(SIZES[BOUNDS.filter((bound) => share > bound).length] ?? 'half');
    }
    start = undefined;
    panel.classList.remove('dragged');
    panel.style.height = '';
  };
  grip.addEventListener('pointerup', end);
  grip.addEventListener('pointercancel', end);
  grip.addEventListener('click', () => {
    // The browser sends a click at the end of a drag too.
    if (dragged) dragged = false;
    else setSize(size() === 'peek' ? 'half' : size() === 'half' ? 'full' : 'peek');
  });
  grip.addEventListener('keydown', (event) => {
    const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const next = step === undefined ? undefined : SIZES[SIZES.indexOf(size()) + step];
    if (step !== undefined) event.preventDefault();
    if (next) setSize(next);
  });

  return {
    /** Pixels at the top and the bottom of the map that the search field and the sheet cover. */
    covered: () =>
      PHONE.matches
        ? { top: bar.offsetHeight, bottom: Math.min(panel.offsetHeight, innerHeight * HALF) }
        : { top: 0, bottom: 0 },
    /** Shows as much of the map as of the panel. */
    showHalf: () => setSize('half'),
    /** Opens the sheet if only its top is visible. */
    reveal: () => {
      if (size() === 'peek') setSize('half');
    },
  };
}
