// Figures that operators watch: each one that an alert or the board names is told at /metrics, and each alert leads to words on what to do.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type Served, scratch, startKanbase } from '../helpers/kanbase.ts';
import { putReadyCluster } from '../helpers/ready-cluster.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly annotations: { readonly summary: string; readonly runbook: string };
}

const place = scratch('monitoring');
let served: Served;
let figures: string;

const read = async (): Promise<string> => (await fetch(`${served.url}/metrics`)).text();
const { groups } = parse(readFileSync('deploy/prometheus-rules.yaml', 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const board = JSON.parse(readFileSync('deploy/grafana-board.json', 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const namesIn = (expression: string): string[] => expression.match(/\bkanbase_\w+/g) ?? [];

beforeAll(async () => {
  const dataDir = join(place.path, 'data');
  await putReadyCluster(dataDir);
  served = await startKanbase(['--data-dir', dataDir], {
    env: { BACKUP_SCHEDULE: '0 3 29 2 *', METRICS_ADDRESSES: '127.0.0.1' },
  });
  // Some are of requests that there have been.
  await fetch(`${served.url}/rest/v1/tasks`, { headers: { apikey: served.anonKey } });
  figures = await vi.waitFor(
    async () => {
      const text = await read();
      expect(text).toMatch(/^kanbase_job_last_run_timestamp_seconds\{/m);
      return text;
    },
    { timeout: 60_000 },
  );
}, 120_000);
afterAll(async () => {
  await served.stop();
  place.remove();
});

test('every alert and every panel is made of figures that are there', () => {
  const expressions = [
    ...rules.map(({ expr }) => expr),
    ...board.panels.flatMap(({ targets }) => targets.map((one) => one.expr)),
  ];
  const names = [...new Set(expressions.flatMap(namesIn))];
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !new RegExp(`^${name}(\\{| )`, 'm').test(figures))).toEqual([]);
});

test('labels that an alert asks for are told', () => {
  const asked = rules.flatMap(({ expr }) => [...expr.matchAll(/(kanbase_\w+)\{(\w+)="(\w+)"\}/g)]);
  expect(asked.length).toBeGreaterThan(2);
  for (const [, name, label, value] of asked) expect(figures).toContain(`${name}{${label}="${value}"}`);
});

test('every alert leads to a part of the troubleshooting guide', () => {
  const guide = readFileSync('docs/run/troubleshooting.md', 'utf8');
  const anchors = [...guide.matchAll(/^## (.*)$/gm)].map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'));
  for (const { alert, annotations } of rules) {
    const [path, anchor = ''] = annotations.runbook.split('#');
    expect([path, anchors.includes(anchor)], alert).toEqual(['docs/run/troubleshooting.md', true]);
  }
});

test('refused sign-ins are counted by their reason', async () => {
  const count = async (): Promise<number> =>
    Number(/^kanbase_sign_in_failures_total\{reason="invalid_credentials"\} (\d+)$/m.exec(await read())?.[1]);
  const before = await count();
  const refused = await fetch(`${served.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { apikey: served.anonKey, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'nobody@example.test', password: 'not the password' }),
  });
  expect(refused.status).toBe(400);
  await expect.poll(count).toBe(before + 1);
});
