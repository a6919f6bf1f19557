import { ROOT } from './command/root.ts';
import { prepareRelease } from './dev/prepared.ts';
import { buildChangedPages } from './pages/changed.ts';

// Run by `npm ci` and `npm install`: builds the pages, and the first objects for geography of `npm run dev`.

await Promise.all([buildChangedPages(ROOT), prepareRelease(ROOT)]);
