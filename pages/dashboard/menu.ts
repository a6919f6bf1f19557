import { button, el } from '../shared/dom.ts';

/**
 * Creates a button that opens a menu of actions. An action closes the menu, and a dialog that it opens gives the focus back to
 * the button.
 *
 * @param id of the record, which no other menu of the page has
 * @param label what a screen reader says of the button
 */
export function menu(id: string, label: string, actions: readonly HTMLElement[]): HTMLElement[] {
  const target = `menu-${id}`;
  const more = button('More', () => undefined, { popovertarget: target, 'aria-label': label, 'data-act': target });
  const items = el('div', { class: 'menu', id: target, popover: true, role: 'group', 'aria-label': label }, ...actions);
  // The menu closes before its action runs.
  items.addEventListener(
    'click',
    ({ target: pressed }) => {
      if (pressed === items) return;
      items.hidePopover();
      more.focus();
    },
    { capture: true },
  );
  return [more, items];
}
