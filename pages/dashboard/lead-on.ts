import type { Session } from './session.ts';

/** Other pages of the tab that ask with the token that it holds. */
const ASKING = 'a[href^="/explore"], a[href^="/docs"]';

/** Has the tab hold a token that was made just now when a link leads to a page that asks with it. */
export function leadOnWithToken(session: () => Session | undefined): void {
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(ASKING);
    const leaving = session();
    // Another tab holds nothing of this one.
    if (!link || !leaving || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    const go = () => location.assign(link.href);
    // Without a token the page asks for one.
    leaving.token().then(go, go);
  });
}
