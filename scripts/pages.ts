import { fileURLToPath } from 'node:url';
import { buildChangedPages } from './pages/changed.ts';

// npm run pages: builds pages/ into dist/pages/, which are the static assets of the Worker. npm ci and wrangler run it.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await buildChangedPages(ROOT);
