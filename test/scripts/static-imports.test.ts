import { expect, it } from 'vitest';
import { staticImports } from '../../scripts/command/static-imports.ts';

const output = (...imports: [path: string, kind: 'import-statement' | 'dynamic-import', external?: true][]) => ({
  bytes: 0,
  inputs: {},
  exports: [],
  imports: imports.map(([path, kind, external]) => ({ path, kind, ...(external && { external }) })),
});

const OUTPUTS = {
  'worker.js': output(
    ['shared.js', 'import-statement'],
    ['exports.js', 'dynamic-import'],
    ['cloudflare:workers', 'import-statement', true],
  ),
  'shared.js': output(['errors.js', 'import-statement'], ['driver.js', 'dynamic-import']),
  'errors.js': output(['shared.js', 'import-statement']),
  'exports.js': output(['errors.js', 'import-statement'], ['zip.js', 'import-statement']),
  'zip.js': output(),
  'driver.js': output(),
};

it('the files that are loaded with a file are those that it imports, and that these import, but none on demand', () => {
  expect([...staticImports('worker.js', OUTPUTS)].sort()).toEqual(['errors.js', 'shared.js']);
  expect([...staticImports('exports.js', OUTPUTS)].sort()).toEqual(['errors.js', 'shared.js', 'zip.js']);
});
