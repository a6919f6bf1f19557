import { ROOT } from './command/root.ts';
import { buildChangedPages } from './pages/changed.ts';

// npm run pages: builds pages/ into dist/pages/, which are the static assets of the Worker. npm ci and wrangler run it.

await buildChangedPages(ROOT);
