import { PsgcError, sentenceFor } from '../shared/api.ts';
import { currentToken, forgetToken } from '../shared/credentials.ts';
import { byId, el } from '../shared/dom.ts';
import { number } from '../shared/format.ts';
import { type Group, rowsIn } from './groups.ts';
import { FREE_ROWS } from './limits.ts';
import { lookUp } from './look-up.ts';

/**
 * The part of the page that shows how far the codes have been found, and lets people stop and go on.
 *
 * @param onEnd called when all is done, and when the person wants no more
 */
export function createProgress(onEnd: () => void) {
  const bar = byId('bar', HTMLProgressElement);
  const pause = byId('pause', HTMLElement);
  const resume = byId('resume', HTMLButtonElement);
  const signIn = byId('pause-sign-in', HTMLAnchorElement);
  let groups: readonly Group[] = [];
  let running: AbortController | undefined;
  let goOn: (() => void) | undefined;
  let isOutOfReach = false;

  const showDone = () => {
    let done = 0;
    let all = 0;
    for (const { rows, outcome } of groups) {
      all += rows.length;
      if (outcome) done += rows.length;
    }
    bar.value = all === 0 ? 1 : done / all;
    byId('done', HTMLElement).textContent = `${number(done)} of ${number(all)} rows`;
  };

  /** Shows why nothing happens, or nothing. */
  const showPause = (...parts: (Node | string)[]) => {
    pause.replaceChildren(...parts);
    resume.hidden = true;
    signIn.hidden = parts.length === 0 || currentToken() !== undefined;
  };

  /** Waits and counts down. Ends early when somebody has signed in. */
  const wait = (seconds: number, reason: PsgcError, signal: AbortSignal): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const until = Date.now() + seconds * 1000;
    // The number is read aloud once, and not every second.
    const left = el('span', { 'aria-hidden': 'true' }, secondsText(seconds));
    const said = el('span', { class: 'unseen' }, secondsText(seconds));
    const why =
      reason.status === 429
        ? `${currentToken() ? 'You have reached your limit' : 'That is as much as goes in a minute without signing in'}. It goes on by itself in `
        : `${reason.message} It is tried again in `;
    // It is a part of the way, which a bar that moves shows.
    const waited = el('progress', { max: String(seconds), value: '0', 'aria-hidden': 'true' });
    showPause(why, left, said, '.', waited);
    const timer = setInterval(() => {
      const rest = Math.ceil((until - Date.now()) / 1000);
      waited.value = seconds - (until - Date.now()) / 1000;
      left.textContent = secondsText(Math.max(rest, 0));
      if (rest <= 0) resolve();
    }, 250);
    goOn = resolve;
    signal.addEventListener('abort', () => resolve());
    return promise.finally(() => {
      clearInterval(timer);
      showPause();
    });
  };

  const run = async () => {
    running?.abort();
    const own = new AbortController();
    running = own;
    isOutOfReach = false;
    showPause();
    showDone();
    try {
      const { signal } = own;
      // A token may have been refused in the middle of a long list.
      if (currentToken() === undefined && rowsIn(groups) > FREE_ROWS) {
        throw new Error(`For a list of more than ${number(FREE_ROWS)} rows sign in.`);
      }
      await lookUp({ groups, onAnswer: showDone, wait: (seconds, reason) => wait(seconds, reason, signal), signal });
      onEnd();
    } catch (error) {
      if (!own.signal.aborted) stop(error);
    }
  };

  const stop = (error: unknown) => {
    isOutOfReach = error instanceof PsgcError && error.status === undefined;
    const isOver = error instanceof PsgcError && error.status === 401;
    if (isOver) forgetToken();
    const sentence = isOver ? 'Sign in again.' : sentenceFor(error, error instanceof Error ? error.message : undefined);
    showPause(`It has stopped. ${sentence} Nothing is lost of what was found.`);
    resume.hidden = false;
    (isOver ? signIn : resume).focus();
  };

  resume.addEventListener('click', () => void run());
  byId('cancel', HTMLButtonElement).addEventListener('click', () => {
    running?.abort();
    onEnd();
  });
  addEventListener('online', () => {
    if (isOutOfReach) void run();
  });

  return {
    start(of: readonly Group[]) {
      groups = of;
      void run();
    },
    /** Goes on at once, because somebody has signed in. */
    goOn() {
      if (!resume.hidden) void run();
      else goOn?.();
    },
  };
}

function secondsText(seconds: number): string {
  return `${seconds} second${seconds === 1 ? '' : 's'}`;
}
