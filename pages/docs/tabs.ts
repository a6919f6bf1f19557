/** The session storage's key for the language that was chosen last. */
const STORAGE_KEY = 'language';

/** Starts the language tabs of code samples. Choosing a language for one sample chooses it for all that have it. */
export function startTabs(samples: Iterable<HTMLElement>): void {
  const all = [...samples];
  const choose = (language: string) => {
    for (const sample of all) show(sample, language);
    sessionStorage.setItem(STORAGE_KEY, language);
  };
  for (const sample of all) {
    const tabs = tabsOf(sample);
    tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => {
        // Samples above may change their height. The tab must stay where it is on the screen.
        const before = tab.getBoundingClientRect().top;
        choose(tab.dataset.language ?? '');
        scrollBy({ top: tab.getBoundingClientRect().top - before, behavior: 'instant' });
      });
      tab.addEventListener('keydown', ({ key }) => {
        const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
        const next = tabs[(i + step + tabs.length) % tabs.length];
        if (step === 0 || !next) return;
        choose(next.dataset.language ?? '');
        next.focus();
      });
    });
  }
  const chosen = sessionStorage.getItem(STORAGE_KEY);
  if (chosen) choose(chosen);
}

function tabsOf(sample: HTMLElement): HTMLElement[] {
  return [...sample.querySelectorAll<HTMLElement>('[role=tab]')];
}

function show(sample: HTMLElement, language: string): void {
  const tabs = tabsOf(sample);
  if (!tabs.some((tab) => tab.dataset.language === language)) return;
  for (const tab of tabs) {
    const chosen = tab.dataset.language === language;
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
    const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
    if (panel) panel.hidden = !chosen;
  }
}
