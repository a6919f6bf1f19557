/**
 * Leads to the page that has what the fragment of the URL names. All of the reference was one page once, and links
 * to operations such as `/docs#list_regions` are in use. Opens a schema that is closed.
 */
export function followFragments(contents: HTMLElement): void {
  const follow = async () => {
    const fragment = location.hash.slice(1);
    if (fragment === '') return;
    const found = document.getElementById(fragment);
    if (found instanceof HTMLDetailsElement) found.open = true;
    if (found) return;
    const page = [...contents.querySelectorAll<HTMLAnchorElement>('h2 a')].find(({ pathname }) =>
      [`tag-${pathname.split('/').at(-1)}`, pathname.split('/').at(-1)].includes(fragment),
    );
    const address = page?.pathname ?? (await (await import('./search.ts')).addressOf(fragment));
    if (address !== undefined && location.hash.slice(1) === fragment) location.replace(address);
  };
  addEventListener('hashchange', () => void follow());
  void follow();
}
