import { fileURLToPath } from 'node:url';
import { prepareRelease } from './dev/prepared.ts';
import { buildChangedPages } from './pages/changed.ts';

// What `npm ci` and `npm install` run: it builds the pages, and makes what `npm run dev` answers geography from first.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await Promise.all([buildChangedPages(ROOT), prepareRelease(ROOT)]);
