import { byId } from '../shared/dom.ts';

/** Shows over the map that something is read or drawn, as long as it is. Until the map is opened, its drawing is complete. */
export function startBusy() {
  const sign = byId('map-busy', HTMLElement);
  const map = byId('map', HTMLElement);
  const panel = byId('panel-body', HTMLElement);
  const show = () => {
    sign.hidden = map.dataset.drawn !== '' && panel.getAttribute('aria-busy') !== 'true';
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
      sign.hidden = true;
    },
  };
}
