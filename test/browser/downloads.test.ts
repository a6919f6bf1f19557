import { readFile } from 'node:fs/promises';
import { describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { fillKey } from './support/explorer.ts';

const { origin, masterToken } = inject('devStack');
const newTab = tabsOf(origin);

describe('the page /downloads', () => {
  it('lists files with their size, licence and hash, and saves a table without a key', async () => {
    const { page, problems } = await newTab();
    await page.goto('/downloads');
    const provinces = page.getByRole('region', { name: 'Provinces', exact: true });
    await provinces.getByText('82 areas').waitFor();
    expect(await provinces.locator('.hash code').first().textContent()).toMatch(/^[0-9a-f]{64}$/);
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'downloads-1280');
    const dataset = JSON.parse((await page.locator('#dataset').textContent()) ?? '');
    expect(dataset).toMatchObject({ version: expect.any(String), dateModified: expect.stringMatching(/^\d{4}-/) });
    const described = dataset.distribution.filter((it: { sha256?: string }) => it.sha256 !== undefined);
    // A table of each level.
    expect(described).toHaveLength(5);
    for (const { contentUrl, contentSize } of described) {
      const { status, headers } = await fetch(contentUrl, { method: 'HEAD' });
      expect([status, headers.get('Content-Length')]).toEqual([200, contentSize]);
    }
    const link = provinces.getByRole('link', { name: /provinces\.csv$/ });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toMatch(/provinces\.csv$/);
    expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toHaveLength(84);
    expect(problems).toEqual([]);
  });

  it('opens layers with a key, whose session stands in the lines for tools', async () => {
    const { page, problems } = await newTab();
    await page.goto('/downloads');
    await page.getByLabel('Content').selectOption('simple');
    const regions = page.getByRole('region', { name: 'Regions' });
    await regions.getByRole('button', { name: /^Download .*regions\.simple\.fgb$/ }).click();
    await fillKey(page, masterToken);
    const link = regions.getByRole('link', { name: /regions\.simple\.fgb$/ });
    await link.waitFor();
    const { status, headers } = await fetch(`${await link.getAttribute('href')}`, { headers: { Range: 'bytes=0-2' } });
    expect([status, headers.get('Content-Type')]).toEqual([206, 'application/vnd.flatgeobuf']);
    await regions.getByText(/^Use .*\.fgb$/).click();
    expect(await regions.getByText('ogr2ogr').first().textContent()).toContain('/vsicurl/');
    expect(problems).toEqual([]);
  });

  it('fits the width of a phone', async () => {
    const { page, problems } = await newTab(PHONE);
    await page.goto('/downloads');
    await page.getByText('82 areas').first().waitFor();
    expect(await widthOf(page)).toBe(390);
    await keepPicture(page, 'downloads-390');
    expect(problems).toEqual([]);
  });

  it('and robots.txt, the icon and schema.org’s Dataset are there', async () => {
    const robots = await (await fetch(`${origin}/robots.txt`)).text();
    expect(robots).toContain('Disallow: /v1/');
    expect((await fetch(`${origin}/favicon.ico`)).headers.get('Content-Type')).toContain('image/');
    for (const path of ['/', '/downloads']) {
      const html = await (await fetch(origin + path, { headers: { Accept: 'text/html' } })).text();
      const [, json = ''] = /<script type="application\/ld\+json"[^>]*>([\s\S]*?)<\/script>/.exec(html) ?? [];
      expect(JSON.parse(json)).toMatchObject({ '@type': 'Dataset', name: expect.any(String) });
    }
  });
});
