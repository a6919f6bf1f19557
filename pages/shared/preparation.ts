// A server for development serves pages before all is there that they show. This is read only where something lacks, and
// imports nothing, so that the other scripts of the pages are not cut into more files for its sake.

const POLL_MS = 2000;

/** What is being prepared, for people. */
const WORDS = {
  geography: 'the areas of the country',
  boundaries: 'the boundaries of cities and barangays',
  database: 'the database for keys and datasets',
  editions: 'editions and changes',
  files: 'the map of the country and the files',
  copy: 'the areas in the database',
  tiles: 'the map of all levels',
} as const;

export type Part = keyof typeof WORDS;

/** A part that is not there yet, and the share of it that is done. */
interface Prepared {
  readonly what: Part;
  readonly progress: number;
}

/** The parts that the page lacks. */
const awaited = new Set<Part>();
/** Whether the page lacks the first part of those that are left too. */
let lacksFirst = false;
let isLooking = false;
/** Whether this server has nothing to prepare: then it is not asked again. */
let isReady = false;

/**
 * Shows how far the parts are that the page lacks, until they are there. Whenever one has come, the page is loaded
 * again, unless it prevents that in the event `prepared` of the window.
 *
 * @param part the first one that is still being prepared, if none is named
 */
export async function showPreparation(part?: Part): Promise<void> {
  if (part) awaited.add(part);
  else lacksFirst = true;
  if (isLooking || isReady) return;
  isLooking = true;
  const [bar, words, progress] = makeBar();
  let preparing: readonly Prepared[] = [];
  for (;;) {
    const before = preparing;
    const answer = await readPreparing();
    // A server that doesn't answer makes nothing meanwhile, and may be started again: what it said last holds.
    preparing = answer ?? before;
    isReady = answer?.length === 0;
    const [next] = preparing;
    if (next && lacksFirst) awaited.add(next.what);
    lacksFirst = false;
    const left = preparing.filter(({ what }) => awaited.has(what));
    const hasCome = before.some(({ what }) => awaited.has(what) && !left.some((it) => it.what === what));
    awaited.clear();
    for (const { what } of left) awaited.add(what);
    const [shown] = left;
    if (shown) {
      words.textContent = `Preparing ${WORDS[shown.what]}`;
      // Without a value it shows only that something goes on.
      if (shown.progress > 0) progress.value = shown.progress;
      else progress.removeAttribute('value');
      if (!bar.isConnected) document.body.append(bar);
    } else {
      bar.remove();
      isLooking = false;
    }
    if (hasCome && dispatchEvent(new Event('prepared', { cancelable: true }))) location.reload();
    if (!shown) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * The bar, its words and its progress. It lies over the page, so that nothing moves when it goes. Its rules are here because
 * every page would read them in a stylesheet.
 */
function makeBar(): [HTMLElement, HTMLElement, HTMLProgressElement] {
  const bar = document.createElement('label');
  const words = document.createElement('span');
  const progress = document.createElement('progress');
  bar.className = 'preparing';
  bar.role = 'status';
  Object.assign(bar.style, {
    position: 'fixed',
    zIndex: '20',
    bottom: '8px',
    left: '8px',
    padding: '8px 14px',
    border: '1px solid var(--line)',
    borderRadius: '8px',
    background: 'var(--raised)',
  });
  Object.assign(progress.style, { display: 'block', width: '100%', accentColor: 'var(--accent)' });
  bar.append(words, progress);
  return [bar, words, progress];
}

/** What the service is preparing; undefined if it doesn't say. */
async function readPreparing(): Promise<readonly Prepared[] | undefined> {
  try {
    const { preparing } = (await (await fetch('/healthcheck')).json()) as { preparing?: readonly Prepared[] | null };
    return preparing === null ? [] : preparing;
  } catch {
    return undefined;
  }
}
