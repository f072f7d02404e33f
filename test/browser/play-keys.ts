// Plays keys to a page as a keyboard does, without waiting for the page between two; and tells what page and database have in the end.

import { setTimeout as pause } from 'node:timers/promises';
import type { CDPSession, Page } from 'playwright-core';
import type { Sequence } from './drawn-keys.ts';

const named: Readonly<Record<string, readonly [code: string, virtual: number, text?: string]>> = {
  Enter: ['Enter', 13, '\r'],
  Escape: ['Escape', 27],
  Backspace: ['Backspace', 8],
  ArrowLeft: ['ArrowLeft', 37],
  ArrowUp: ['ArrowUp', 38],
  ArrowRight: ['ArrowRight', 39],
  ArrowDown: ['ArrowDown', 40],
  ' ': ['Space', 32, ' '],
  '/': ['Slash', 191, '/'],
  '?': ['Slash', 191, '?'],
  '.': ['Period', 190, '.'],
  '!': ['Digit1', 49, '!'],
  '@': ['Digit2', 50, '@'],
  '#': ['Digit3', 51, '#'],
  '^': ['Digit6', 54, '^'],
};

const bits: Readonly<Record<string, number>> = { Alt: 1, Control: 2, Shift: 8 };

/** Down and up; it is not waited for. */
function strike(cdp: CDPSession, press: string): Promise<unknown> {
  const parts = press.split('+');
  const key = parts.pop() ?? '';
  const modifiers = parts.reduce((sum, part) => sum + (bits[part] ?? 0), /^[A-Z?!@#^]$/.test(key) ? 8 : 0);
  const letter = /^[a-z0-9]$/i.test(key);
  const [code, virtual, text] = named[key] ?? [
    letter ? (/\d/.test(key) ? `Digit${key}` : `Key${key.toUpperCase()}`) : '',
    key.toUpperCase().charCodeAt(0),
    key,
  ];
  const stroke = { key, code, windowsVirtualKeyCode: virtual, modifiers };
  const types = text !== undefined && (modifiers & 2) === 0;
  return Promise.all([
    cdp.send(
      'Input.dispatchKeyEvent',
      types ? { type: 'keyDown', text, ...stroke } : { type: 'rawKeyDown', ...stroke },
    ),
    cdp.send('Input.dispatchKeyEvent', { type: 'keyUp', ...stroke }),
  ]);
}

export interface Typist {
  /** At the speed that was drawn. */
  playFast(sequence: Sequence): Promise<void>;
  /** Each key once the one before has done all it does. */
  playSlowly(sequence: Sequence): Promise<void>;
  /** Once nothing is asked for and nothing is drawn any more. */
  settled(): Promise<void>;
}

export function typistAt(page: Page, cdp: CDPSession): Typist {
  let pending = 0;
  page.on('request', () => pending++);
  page.on('requestfinished', () => pending--);
  page.on('requestfailed', () => pending--);
  const settled = async (): Promise<void> => {
    do await page.evaluate(untilQuiet, 150);
    while (pending > 0);
  };
  return {
    settled,
    async playFast({ steps }) {
      const sent: Promise<unknown>[] = [];
      for (const { press, pause: ms } of steps)
        for (const key of press.startsWith('text:') ? press.slice(5) : [press]) {
          sent.push(strike(cdp, key));
          await pause(ms);
        }
      await Promise.all(sent);
      await settled();
    },
    async playSlowly({ steps }) {
      for (const { press, goesOn } of steps) {
        for (const key of press.startsWith('text:') ? press.slice(5) : [press]) await strike(cdp, key);
        if (!goesOn) await settled();
      }
    },
  };
}

/** Resolves once nothing has been drawn for so long; runs in the page. */
function untilQuiet(ms: number): Promise<void> {
  return new Promise((resolve) => {
    let timer = 0;
    const observer = new MutationObserver(() => wait());
    const wait = (): void => {
      clearTimeout(timer);
      timer = window.setTimeout(() => {
        observer.disconnect();
        resolve();
      }, ms);
    };
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    wait();
  });
}

/** Address, open panels, focus and theme; runs in the page. */
export function readScreen() {
  const nameOf = (one: Element): string =>
    one.getAttribute('aria-label') ??
    (one instanceof HTMLInputElement ? one.labels?.[0]?.textContent : undefined) ??
    (one.matches('a, button, [role="menuitem"]') ? one.textContent : '') ??
    '';
  const focused = document.activeElement ?? document.body;
  const around = focused.closest('[role="dialog"], [role="menu"], [data-open-task], [data-entry], [data-task-id]');
  const line = focused.closest('[data-task-id]');
  const typed = focused instanceof HTMLInputElement || focused instanceof HTMLTextAreaElement ? focused.value : '';
  return {
    path: location.pathname.replaceAll(/[0-9a-f-]{36}/g, ':id') + location.search.replaceAll(/[0-9a-f-]{36}/g, ':id'),
    panel: document.querySelector('[data-open-task]')?.getAttribute('aria-label') ?? null,
    overlays: [...document.querySelectorAll('[role="dialog"], [role="menu"]')].map(
      (one) => one.getAttribute('aria-label') ?? one.querySelector('h2')?.textContent ?? '',
    ),
    focus: {
      tag: focused.tagName,
      name: line === null ? nameOf(focused).trim() : '',
      task: line?.querySelector('[data-title]')?.textContent ?? line?.getAttribute('title') ?? '',
      around: around?.getAttribute('role') ?? (around === null ? '' : around.tagName),
      text: (focused as HTMLElement).isContentEditable ? focused.textContent : typed,
    },
    selected: document.querySelector('[data-bulk-bar]') !== null,
    theme: document.documentElement.dataset.theme ?? '',
  };
}

/** Rows of a project and of its inbox, without ids and times; `$1` is the project. */
export const rowsInTheEnd: Readonly<Record<string, string>> = {
  tasks: `select t.number, t.title, t.description, t.priority, c.name as column, t.due_date::text, t.archived_at is not null as archived,
      row_number() over (partition by t.column_id order by t.order_rank)::int as place,
      (select array_agg(p.display_name order by p.display_name) from task_assignees a join profiles p on p.id = a.user_id where a.task_id = t.id) as people,
      (select array_agg(l.name order by l.name) from task_label_links k join task_labels l on l.id = k.label_id where k.task_id = t.id) as labels,
      (select count(*)::int from task_watchers w where w.task_id = t.id and w.is_watching) as watchers
    from tasks t join workflow_columns c on c.id = t.column_id where t.project_id = $1 order by t.number`,
  comments: `select t.number, m.body from task_comments m join tasks t on t.id = m.task_id where m.project_id = $1 order by m.created_at, m.id`,
  labels: 'select name from task_labels where project_id = $1 order by name',
  views:
    'select name, layout, filter, sort, "grouping", is_shared from saved_views where project_id = $1 order by created_at, id',
  notifications: `select t.number, n.kind, n.read_at is not null as read, n.done_at is not null as done, n.snoozed_until is not null as snoozed
    from notifications n join projects p on p.id = n.project_id and p.created_by = n.user_id left join tasks t on t.id = n.task_id
    where n.project_id = $1 order by 1, 2, n.created_at, n.id`,
};
