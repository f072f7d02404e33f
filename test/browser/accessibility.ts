// Accessibility findings of axe on a page, one line each; tests expect none.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const rules = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  colours: ['color-contrast', 'link-in-text-block'],
};

/** In another colour scheme a page that was looked at whole differs in its colours: `colours` asks for those alone. */
export async function offences(page: Page, what: 'all' | 'colours' = 'all'): Promise<string[]> {
  // The content policy keeps scripts of others out of the page; the browser may still run ours from outside.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
  return page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as {
      axe: {
        run(
          context: Document,
          options: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await checker.run(document, { runOnly, resultTypes: ['violations'] });
    return violations
      .filter((one) => one.impact === 'serious' || one.impact === 'critical')
      .map(
        (one) =>
          `${one.id}: ${one.nodes.map((node) => `${node.html.slice(0, 160)} ${node.failureSummary.slice(0, 240)}`).join(' | ')}`,
      );
  }, rules[what]);
}
