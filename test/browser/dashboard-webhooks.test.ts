import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { seriousFaults } from './support/axe.ts';
import { keepPicture, PHONE, tabsOf, widthOf } from './support/chromium.ts';
import { dashboardIn } from './support/dashboard.ts';

const openDashboard = dashboardIn(tabsOf(inject('devStack').origin));

describe('webhooks on the dashboard', () => {
  const received: { headers: Record<string, string>; body: string }[] = [];
  let status = 500;
  let server: Server;
  let url: string;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      received.push({ headers: request.headers as Record<string, string>, body });
      response.writeHead(status).end('<b>Not now</b>');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  });
  afterAll(() => server.close());

  it('are added with a secret that is shown once, tried, sent again, disabled by the service and deleted', async () => {
    const { page, problems } = await openDashboard();
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill('https://10.0.0.1/');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByText(/The address must have the name of a host, not its number/).waitFor();
    await page.getByRole('textbox', { name: 'Address', exact: true }).fill(url);
    await page.getByRole('checkbox', { name: /^release\.activated/ }).check();
    // Only changes of areas need their codes.
    const codes = page.getByLabel(/^Codes of the areas/);
    expect(await codes.isVisible()).toBe(false);
    await page.getByRole('checkbox', { name: /^area\.changed/ }).check();
    await codes.fill('0702200000');
    await keepPicture(page, 'dashboard-webhook-form');
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('checkbox', { name: /^area\.changed/ }).uncheck();
    expect(await codes.isVisible()).toBe(false);
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const secret = (await page.locator('#secret-dialog[open] #secret').textContent()) ?? '';
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect.poll(() => page.content()).not.toContain(secret);
    await page.getByText('dataset.processed, release.activated').waitFor();

    await page.getByRole('button', { name: `Test ${url}` }).click();
    const refresh = page.locator('dialog[open]').getByRole('button', { name: 'Refresh', exact: true });
    const shows = (text: string | RegExp) =>
      expect
        .poll(
          async () => {
            await refresh.click();
            return page.getByText(text).count();
          },
          { timeout: 30_000 },
        )
        .toBeGreaterThan(0);
    await shows('failed, 1 attempt');
    // What a stranger's server answers is shown as text.
    await page.getByText('<b>Not now</b>').waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await keepPicture(page, 'dashboard-webhook-log');
    const [first, ...others] = await page
      .locator('dialog[open] tbody tr:first-child td')
      .evaluateAll((cells) => cells.map((it) => Math.round(it.getBoundingClientRect().bottom)));
    expect(others).toEqual([first, first, first]);
    status = 204;
    await page.getByRole('button', { name: 'Send again' }).click();
    await shows('delivered, 1 attempt');
    expect(received).toHaveLength(2);
    for (const { body, headers } of received) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({ type: 'endpoint.test' });
    }
    status = 410;
    await page.getByRole('button', { name: 'Send again' }).click();
    await shows('failed, 1 attempt');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByText('It answered 410: it is gone.').waitFor();
    await page.getByRole('button', { name: `Enable ${url}` }).click();
    await page.getByText('works', { exact: true }).waitFor();

    await page.getByRole('button', { name: `Delete ${url}` }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText(/You have no webhooks yet/).waitFor();
    expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  });

  it('fit a phone', async () => {
    const { page } = await openDashboard(PHONE);
    await page.getByRole('button', { name: 'Add a webhook' }).click();
    await page
      .getByRole('textbox', { name: 'Address', exact: true })
      .fill('https://hooks.example.com/a/rather/long/address/of/a/webhook/endpoint');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByText('works', { exact: true }).waitFor();
    expect(await widthOf(page)).toBeLessThanOrEqual(PHONE.viewport?.width ?? 0);
    await keepPicture(page, 'dashboard-webhooks-phone');
  });
});
