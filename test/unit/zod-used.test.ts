import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as used from '../../src/zod-used.ts';

const SRC = join(import.meta.dirname, '../../src');

/** Members that the source names for their types alone. */
const TYPES = ['core', 'input', 'output'];

it('has the members of zod that the source uses as values, and no others', () => {
  const names = globSync('**/*.ts', { cwd: SRC }).flatMap((file) =>
    [...readFileSync(join(SRC, file), 'utf8').matchAll(/\binstanceof z\.(\w+)|\bz\s*\.(?!Zod)(\w+)/g)].map(
      ([, type, name]) => type ?? name ?? '',
    ),
  );
  const values = new Set(names.filter((name) => name in z && !TYPES.includes(name)));
  // What takes the place of the library of the OpenAPI document adds to this one.
  values.add('ZodType');
  expect(Object.keys(used).sort()).toEqual([...values].sort());
});
