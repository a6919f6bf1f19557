import type { Session } from '../shared/session.ts';

/** Links to pages that send requests with the token of the tab. */
const LINKS_WITH_TOKEN = 'a[href^="/explore"], a[href^="/docs"], a[href^="/match"]';

/** Gives the tab a new token when a link leads to a page that uses it. */
export function renewTokenOnLinks(session: () => Session | undefined): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(LINKS_WITH_TOKEN);
    const current = session();
    // With one of these keys the link opens another tab, which asks this one for a token.
    if (!link || !current || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const follow = () => location.assign(link.href);
    // If there is no new token, the page asks for one.
    current.token().then(follow, follow);
  });
}
