import { Spectral } from '@stoplight/spectral-core';
import { expect, it } from 'vitest';
import { ruleset } from '../../../scripts/check/spectral-ruleset.ts';

it('a role is explained where the description of its scheme has it as a whole word', async () => {
  const spectral = new Spectral();
  spectral.setRuleset(ruleset);
  const messages = async (description: string) => {
    const found = await spectral.run({
      openapi: '3.1.0',
      info: { title: 'Test', version: '1' },
      paths: { '/a': { get: { operationId: 'a', responses: {}, security: [{ bearer: ['datasets:read'] }] } } },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', description } } },
    });
    return found.filter(({ code }) => code === 'security-explained').map(({ message }) => message);
  };
  expect(await messages('Keys have the scopes `areas:read` and "datasets:read".')).toEqual([]);
  expect(await messages('Keys have datasets:read.')).toEqual([]);
  for (const other of ['Keys have datasets:reader.', 'Keys have all-datasets:read.', 'Keys read datasets.']) {
    expect(await messages(other)).toEqual(['The description of bearer says nothing of datasets:read.']);
  }
});
