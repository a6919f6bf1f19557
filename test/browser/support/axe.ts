import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/**
 * Serious faults of accessibility that axe finds in what a page shows now.
 *
 * @param part selector of what is looked at; the whole page takes long where it is long
 */
export async function seriousFaults(page: Page, part = 'html'): Promise<string[]> {
  // Evaluated by the debugger, which the page's policy does not hold for.
  await page.evaluate(await readFile(SCRIPT, 'utf8'));
  const violations = await page.evaluate(async (selector) => {
    const { axe } = globalThis as unknown as { axe: { run(part: string): Promise<{ violations: Violation[] }> } };
    return (await axe.run(selector)).violations;
  }, part);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' · ')}`);
}
