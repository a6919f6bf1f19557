import { byId } from '../shared/dom.ts';

/** The table of contents. A button opens it if the page is narrow, and the link to the section that is being read is marked. */
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
  markPosition(contents);
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
