import { fileURLToPath } from 'node:url';
import { buildPages } from './pages/build.ts';

// npm run pages: builds pages/ into dist/pages/, which the Worker's static assets are served from. wrangler runs it.

const ROOT = fileURLToPath(new URL('..', import.meta.url));

await buildPages(ROOT);
