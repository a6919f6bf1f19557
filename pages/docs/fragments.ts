/**
 * Leads to the page that has what the fragment of the address names. All of the reference was one page once, and links
 * to operations such as `/docs#list_regions` are in use. Opens a schema that is closed.
 */
export function followFragments(contents: HTMLElement): void {
  const follow = () => {
    const fragment = location.hash.slice(1);
    if (fragment === '') return;
    const found = document.getElementById(fragment);
    if (found instanceof HTMLDetailsElement) found.open = true;
    if (found) return;
    const link = [...contents.querySelectorAll<HTMLAnchorElement>('nav a')].find(({ hash, pathname }) =>
      [hash.slice(1), `tag-${pathname.split('/').at(-1)}`, pathname.split('/').at(-1)].includes(fragment),
    );
    if (link) location.replace(fragment === link.hash.slice(1) ? link.href : link.pathname);
  };
  addEventListener('hashchange', follow);
  follow();
}
