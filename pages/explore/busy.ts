import { byId } from '../shared/dom.ts';

/** After how long it is said that the map may not come, as where a browser draws it without a graphics card. */
const SLOW_MS = 15_000;
const SLOW = 'The map is slow to come here. The list leads everywhere meanwhile.';

/** Shows over the map that something is read or drawn, as long as it is. Until the map is opened, its drawing is complete. */
export function startBusy() {
  const sign = byId('map-busy', HTMLElement);
  const map = byId('map', HTMLElement);
  const panel = byId('panel-body', HTMLElement);
  let timer = 0;
  const show = () => {
    const isBusy = map.dataset.drawn === '' || panel.getAttribute('aria-busy') === 'true';
    if (isBusy === !sign.hidden) return;
    sign.hidden = !isBusy;
    sign.textContent = 'Loading…';
    clearTimeout(timer);
    if (isBusy) timer = window.setTimeout(() => sign.replaceChildren(SLOW), SLOW_MS);
  };
  const changes = new MutationObserver(show);
  return {
    watch() {
      show();
      changes.observe(map, { attributeFilter: ['data-drawn'] });
      changes.observe(panel, { attributeFilter: ['aria-busy'] });
    },
    /** Where there is no map, nothing is drawn. */
    stop() {
      changes.disconnect();
      clearTimeout(timer);
      sign.hidden = true;
    },
  };
}
