// `kanbase leads`: what the landing page collected, as a file no spreadsheet trips over.

import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { leads } from '../../server/commands/leads.ts';
import { startApp } from '../helpers/app.ts';
import { forSuite } from '../helpers/for-suite.ts';

const app = forSuite(startApp);

async function kanbaseLeads(...flags: string[]): Promise<string> {
  const lines: string[] = [];
  const call = {
    config: app.services.config,
    sources: new Map(),
    flags: new Map(flags.map((flag) => [flag, ''])),
    word: null,
    say: (line: string) => void lines.push(line),
  };
  expect(await leads.run(call)).toBe(0);
  return lines.join('\n');
}

it('exports every lead, oldest first, and nothing that runs', async () => {
  expect(await kanbaseLeads()).toBe('0 leads. npx kanbase leads --csv prints them.');
  for (const body of [
    { email: 'First@example.com', source: 'hero, "above"' },
    { email: "=cmd|'/c'!a0@example.com", source: '=HYPERLINK("https://evil.test")' },
    { email: '+plus@example.com' },
  ]) {
    const response = await fetch(`${app.url}/api/lead`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
  }
  const rows = parse(await kanbaseLeads('csv')) as string[][];
  expect(rows).toEqual([
    ['email', 'source', 'created_at'],
    ['first@example.com', 'hero, "above"', expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)],
    ["'=cmd|'/c'!a0@example.com", `'=HYPERLINK("https://evil.test")`, expect.any(String)],
    ["'+plus@example.com", '', expect.any(String)],
  ]);
  expect(await kanbaseLeads()).toBe('3 leads. npx kanbase leads --csv prints them.');
});
