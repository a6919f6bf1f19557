import { describe, expect, it } from 'vitest';
import { findFaults } from '../../../scripts/deploy/environments.ts';

const settings = (environment: string) => ({
  vars: { ENVIRONMENT: environment },
  durable_objects: { bindings: [{ name: 'METER', class_name: 'Meter' }] },
  r2_buckets: [{ binding: 'FILES', bucket_name: `files-${environment}` }],
  version_metadata: { binding: 'VERSION' },
  rules: [{ type: 'ESModule', globs: ['*.js'] }],
  migrations: [{ tag: 'v1', new_sqlite_classes: ['Meter'] }],
  env: { other: { vars: { IGNORED: '' } } },
});

const local = settings('development');

describe('environments of the Worker', () => {
  it('are right where each has what the local server has, and buckets of its own', () => {
    const environments = ['preview', 'production'].map((name) => ({ name, config: settings(name) }));
    expect(findFaults(local, environments)).toEqual([]);
  });

  it.each([
    ['a Durable Object', { durable_objects: { bindings: [] } }, 'lacks the binding METER (durable_objects)'],
    ['a bucket', { r2_buckets: [] }, 'lacks the binding FILES (r2_buckets)'],
    ['the version', { version_metadata: undefined }, 'lacks the binding VERSION (version_metadata)'],
    ['a variable', { vars: {} }, 'lacks the variable ENVIRONMENT'],
    ['the rule of modules', { rules: [] }, '[[env.preview.rules]] must make ESModules of *.js.'],
  ])('are wrong without %s', (_, lack, fault) => {
    const found = findFaults(local, [{ name: 'preview', config: { ...settings('preview'), ...lack } }]);
    expect(found.join('\n')).toContain(fault);
  });

  it('may have variables that the local server has from elsewhere', () => {
    const config = { ...settings('preview'), vars: { ENVIRONMENT: 'preview', SESSION_ISSUER: 'https://id.example' } };
    expect(findFaults(local, [{ name: 'preview', config }])).toEqual([]);
  });

  it('are wrong with a binding that is tried out nowhere', () => {
    const config = { ...settings('preview'), kv_namespaces: [{ binding: 'CACHE', id: '1' }] };
    expect(findFaults(local, [{ name: 'preview', config }])).toEqual([
      '[env.preview] has the binding CACHE (kv_namespaces), the local server has not.',
    ]);
  });

  it('are wrong under the name of another, or with its bucket', () => {
    const found = findFaults(local, [
      { name: 'preview', config: settings('production') },
      { name: 'production', config: settings('production') },
    ]);
    expect(found).toEqual([
      '[env.preview.vars] ENVIRONMENT must be "preview", not "production".',
      'The bucket files-production belongs to preview and to production.',
    ]);
  });
});
