import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Tab, tabsOf } from './chromium.ts';

/** Opens /dashboard in tabs, as new users. */
export function dashboardIn(newTab: ReturnType<typeof tabsOf>) {
  return async (options?: BrowserContextOptions): Promise<Tab> => {
    const tab = await newTab(options);
    await tab.page.goto('/dashboard');
    await tab.page.getByLabel('Email address').fill(`${crypto.randomUUID()}@example.com`);
    await tab.page.getByRole('button', { name: 'Sign in on this machine' }).click();
    await tab.page.getByText('You have no keys yet.').waitFor();
    return tab;
  };
}

/** Creates a key and returns its plaintext. */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.locator('#secret-dialog[open]').waitFor();
  return (await page.locator('#secret').textContent()) ?? '';
}

/** What went wrong in a tab, without what the browser says of answers of the service that are errors. */
export function surprises(problems: readonly string[]): string[] {
  return problems.filter((problem) => !/Failed to load resource: the server responded with a status of/.test(problem));
}

/** A session token from the identity provider of the development server. */
export async function newSession(origin: string, email: string): Promise<string> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const response = await fetch(`${origin}/dashboard/sign-in`, { method: 'POST', body: email, headers });
  return ((await response.json()) as { token: string }).token;
}
