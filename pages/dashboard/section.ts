import { PsgcError, sentenceFor } from '../shared/api.ts';
import { button, el } from '../shared/dom.ts';

interface Section {
  readonly element: HTMLElement;
  /** What stands in it, as the subject of a sentence: `Your keys`. */
  readonly what: string;
  /** @throws PsgcError */
  readonly load: () => Promise<readonly Node[]>;
}

/**
 * Fills a part of the page. Where that fails, the part says why and has a button that tries again.
 *
 * @param onWrongSession called if the session is over or stands for no user, which is about the whole page
 */
export async function fillSection(section: Section, onWrongSession: (error: unknown) => void): Promise<void> {
  const { element, what, load } = section;
  if (element.childElementCount === 0) element.replaceChildren(el('p', { class: 'quiet' }, 'Reading…'));
  element.setAttribute('aria-busy', 'true');
  try {
    const nodes = await load();
    keepFocus(element, () => element.replaceChildren(...nodes));
  } catch (error) {
    if (error instanceof PsgcError && (error.status === 401 || error.code === 'user_required')) {
      element.replaceChildren();
      return onWrongSession(error);
    }
    const again = button('Try again', () => {
      again.disabled = true;
      again.textContent = 'Trying…';
      void fillSection(section, onWrongSession);
    });
    const reason = sentenceFor(error, String((error as Error).message));
    element.replaceChildren(
      el('div', { class: 'notice', role: 'alert' }, el('p', {}, `${what} can’t be shown. ${reason}`), again),
    );
  } finally {
    element.removeAttribute('aria-busy');
  }
}

/** Replaces what is in a part of the page. A button of a record keeps the focus, and else the part gets it. */
function keepFocus(element: HTMLElement, replace: () => void): void {
  const focused = element.contains(document.activeElement) ? document.activeElement : undefined;
  replace();
  if (focused) (successorOf(focused) ?? element).focus();
}

/** The button that has taken the place of one that is gone, by its `data-act`. */
export function successorOf(gone: Element): HTMLElement | undefined {
  const { act } = (gone as HTMLElement).dataset;
  return [...document.querySelectorAll<HTMLElement>('[data-act]')].find(({ dataset }) => dataset.act === act);
}
