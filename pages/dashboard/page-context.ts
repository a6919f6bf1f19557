import type { Session } from '../shared/session.ts';

/** What every part of the dashboard is given by the page. */
export interface PageContext {
  /** @throws Error if nobody is signed in */
  readonly session: () => Session;
  readonly showError: (error: unknown) => void;
  /** Tells people who listen to the page what has happened. */
  readonly announce: (sentence: string) => void;
}
