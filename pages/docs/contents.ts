import { byId } from '../shared/dom.ts';

/**
 * The table of contents. Typing filters it, a button opens it if the page is narrow, and the link to the section that is
 * being read is marked.
 */
export function startContents(contents: HTMLElement): void {
  const toggle = byId('open-contents', HTMLButtonElement);
  const setOpen = (opened: boolean) => {
    toggle.setAttribute('aria-expanded', String(opened));
    contents.dataset.open = String(opened);
  };
  toggle.addEventListener('click', () => setOpen(toggle.getAttribute('aria-expanded') !== 'true'));
  contents.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest('a')) setOpen(false);
  });
  contents.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape' || toggle.getAttribute('aria-expanded') !== 'true') return;
    setOpen(false);
    toggle.focus();
  });
  startFilter(contents);
  markPosition(contents);
}

function startFilter(contents: HTMLElement): void {
  const filter = byId('filter', HTMLInputElement);
  const status = byId('filter-status', HTMLElement);
  const lists = [...contents.querySelectorAll<HTMLElement>('nav ul')].map((list) => ({
    list,
    heading: list.previousElementSibling as HTMLElement,
    closed: list.hidden,
    items: [...list.children].map((item) => ({
      item: item as HTMLElement,
      text: `${item.textContent} ${(item as HTMLElement).dataset.words ?? ''}`.toLowerCase(),
    })),
  }));
  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { list, heading, closed, items } of lists) {
      let shown = 0;
      for (const { item, text } of items) {
        item.hidden = !words.every((word) => text.includes(word));
        if (!item.hidden) shown += 1;
      }
      found += shown;
      heading.hidden = shown === 0;
      // The entries of other pages are shown only to those who search.
      list.hidden = shown === 0 || (words.length === 0 && closed);
    }
    status.textContent = words.length > 0 ? `${found} found` : '';
  };
  filter.addEventListener('input', apply);
  startKeys(contents, filter);
}

/** The keys of the search: a slash goes to it, the arrows go through what was found, Enter opens the first. */
function startKeys(contents: HTMLElement, filter: HTMLInputElement): void {
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    if (key !== '/' || ctrlKey || metaKey || altKey) return;
    if (target instanceof HTMLElement && target.matches('input, textarea, select')) return;
    event.preventDefault();
    if (filter.checkVisibility()) filter.select();
    else byId('open-contents', HTMLButtonElement).click();
    filter.focus();
  });
  contents.addEventListener('keydown', (event) => {
    const { key } = event;
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
    const links = [...contents.querySelectorAll<HTMLAnchorElement>('nav li a')].filter((link) =>
      link.checkVisibility(),
    );
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (key === 'Enter' && at < 0 && document.activeElement === filter && filter.value.trim() !== '') links[0]?.click();
    if (step === 0) return;
    event.preventDefault();
    const next = at + step;
    if (next < 0) filter.focus();
    else links[Math.min(next, links.length - 1)]?.focus();
  });
}

/** Marks the link to the section at the top of the window, and scrolls it into view. */
function markPosition(contents: HTMLElement): void {
  const links = new Map<string, HTMLAnchorElement>();
  for (const link of contents.querySelectorAll<HTMLAnchorElement>('nav li a')) {
    if (link.pathname === location.pathname) links.set(link.hash.slice(1), link);
  }
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const link = links.get(target.id);
        if (!isIntersecting || !link) continue;
        for (const other of links.values()) other.removeAttribute('aria-current');
        link.setAttribute('aria-current', 'location');
        const body = byId('contents-body', HTMLElement);
        const { top, bottom } = link.getBoundingClientRect();
        const frame = body.getBoundingClientRect();
        if (top < frame.top || bottom > frame.bottom) body.scrollTop += top - frame.top - frame.height / 3;
      }
    },
    { rootMargin: '-70px 0px -75% 0px' },
  );
  for (const id of links.keys()) {
    const section = document.getElementById(id);
    if (section) observer.observe(section);
  }
}
