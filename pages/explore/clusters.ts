import { byId, el } from '../shared/dom.ts';

/** Says in the legend what circles with a number are, as long as the map shows some. */
export function explainClusters(areShown: boolean): void {
  const legend = byId('legend', HTMLElement);
  const known = legend.querySelector('.of-clusters');
  if (areShown === (known !== null)) return;
  if (areShown) {
    const sign = el('span', { class: 'cluster-sign', 'aria-hidden': 'true' }, '12');
    const sentence = 'A circle with a number stands for so many points. Click it, or come nearer, to see them.';
    legend.append(el('p', { class: 'of-clusters' }, sign, sentence));
  } else known?.remove();
  legend.hidden = legend.childElementCount === 0;
}
