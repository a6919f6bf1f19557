import { fileURLToPath } from 'node:url';
import { buildPages } from './pages/build.ts';

// npm run pages: builds pages/ into dist/pages/, which are the static assets of the Worker. wrangler runs it.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await buildPages(ROOT);
