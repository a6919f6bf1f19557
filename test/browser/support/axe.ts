import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const SCRIPT = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

/**
 * Serious accessibility faults that axe finds in the page, or a frame of it, as it is now.
 *
 * @param part selector of the part to check; checking a long page takes long
 */
export async function seriousFaults(page: Page | Frame, part = 'html'): Promise<string[]> {
  // The debugger evaluates the script, so the page's security policy does not block it.
  await page.evaluate(await readFile(SCRIPT, 'utf8'));
  const violations = await page.evaluate(async (selector) => {
    const { axe } = globalThis as unknown as { axe: { run(part: string): Promise<{ violations: Violation[] }> } };
    return (await axe.run(selector)).violations;
  }, part);
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' · ')}`);
}
