import { Refusal, remedyFor } from '../shared/api.ts';
import { byId, el } from '../shared/dom.ts';
import { type Finding, find } from './find.ts';
import { hashOf } from './places.ts';

/** How long typing may pause before it is searched for. */
const PAUSE_MS = 250;

/**
 * The search field: a combobox with a list of findings.
 * https://www.w3.org/WAI/ARIA/apg/patterns/combobox/
 */
export function startSearch(): void {
  const input = byId('search', HTMLInputElement);
  const list = byId('findings', HTMLElement);
  const status = byId('search-status', HTMLElement);
  let findings: readonly Finding[] = [];
  let active = -1;
  let typing: number | undefined;
  let asking: AbortController | undefined;
  /** What the findings are of. */
  let searched = '';

  /** Gives up what is being searched for: nothing may open the list or lead away later. */
  const stop = () => {
    clearTimeout(typing);
    asking?.abort();
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    activate(-1);
  };
  const activate = (index: number) => {
    active = index;
    for (const [i, option] of [...list.children].entries()) option.setAttribute('aria-selected', String(i === index));
    const option = list.children[index];
    if (option) {
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    } else {
      input.removeAttribute('aria-activedescendant');
    }
  };
  const open = () => {
    if (findings.length === 0) return;
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
  };
  const choose = ({ place, name }: Finding) => {
    stop();
    input.value = name;
    close();
    location.hash = hashOf(place);
  };
  const show = (found: readonly Finding[]) => {
    findings = found;
    list.replaceChildren(...found.map((finding, i) => optionOf(finding, i, () => choose(finding))));
    close();
    open();
  };
  /** @param andGo to the first of what is found */
  const search = async (andGo = false) => {
    stop();
    asking = new AbortController();
    const { signal } = asking;
    const text = input.value;
    try {
      const found = await find(text, signal);
      if (signal.aborted) return;
      searched = text;
      show(found);
      status.textContent =
        text.trim().length < 2 ? '' : found.length === 0 ? `Nothing is called “${text.trim()}”.` : '';
      status.dataset.count = String(found.length);
      const [first] = found;
      if (andGo && first) choose(first);
    } catch (error) {
      if (signal.aborted) return;
      show([]);
      status.textContent = error instanceof Refusal ? `${error.message} ${remedyFor(error)}` : 'The search failed.';
    }
  };

  input.addEventListener('input', () => {
    stop();
    typing = window.setTimeout(() => void search(), PAUSE_MS);
  });
  input.addEventListener('focus', () => input.select());
  input.addEventListener('keydown', (event) => {
    const { key } = event;
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault();
      if (input.value !== searched) return void search();
      if (list.hidden) open();
      if (list.hidden) return;
      const last = findings.length - 1;
      if (key === 'ArrowDown') activate(active >= last ? 0 : active + 1);
      else activate(active <= 0 ? last : active - 1);
    } else if (key === 'Enter') {
      event.preventDefault();
      const chosen = list.hidden ? undefined : findings[Math.max(active, 0)];
      // Findings of what was typed before are not what is meant.
      if (input.value !== searched) void search(true);
      else if (chosen) choose(chosen);
    } else if (key === 'Escape') {
      stop();
      if (list.hidden) input.value = '';
      close();
    }
  });
  input.addEventListener('blur', () => {
    stop();
    close();
  });
  document.addEventListener('keydown', (event) => {
    const typed = event.target instanceof Element && event.target.closest('input, select, textarea, dialog[open]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typed) return;
    event.preventDefault();
    input.focus();
  });
}

function optionOf({ name, about }: Finding, index: number, choose: () => void): HTMLElement {
  const option = el(
    'div',
    { role: 'option', id: `finding-${index}`, 'aria-selected': 'false' },
    el('span', { class: 'name' }, name),
    el('span', { class: 'about' }, about),
  );
  // The field must keep the focus, or the list would close before the click.
  option.addEventListener('mousedown', (event) => event.preventDefault());
  option.addEventListener('click', choose);
  return option;
}
