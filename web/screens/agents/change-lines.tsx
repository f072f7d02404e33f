// Changes as lines with their titles: those that were undone, and those that stay, each with its reason.

import type { ChangeLine } from '../../queries/agents/sessions.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { isSilent, nameColumn, nameThing } from './say-difference.ts';

export function ChangeLines({ title, lines }: { title: string; lines: readonly ChangeLine[] }) {
  return (
    <ul className={shapes.stackS3} aria-label={title}>
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row may be named twice
        <li key={at} className={`${shapes.stackS1} ${shapes.breaks}`}>
          <span>{sayLine(line)}</span>
          {line.reason !== undefined && <span className={shapes.quietS}>{sayReason(line)}</span>}
        </li>
      ))}
    </ul>
  );
}

export const countChanges = (lines: readonly ChangeLine[]): number =>
  lines.reduce((sum, { count = 1 }) => sum + count, 0);

/** The thing, its title, and of a changed one what of it. */
function sayLine({ table, title, columns = [], change, count = 1 }: ChangeLine): string {
  if (table === null) return t('agents.undo.hidden', { n: count });
  const named = t('common.pair', { name: nameThing(table), value: title || t('common.none') });
  const changed = change === 'update' ? columns.filter((one) => !isSilent(one)) : [];
  if (changed.length === 0) return named;
  return t('agents.undo.columns', { named, columns: changed.map((one) => nameColumn(table, one)).join(', ') });
}

const codes = ['changed', 'double', 'file', 'gone', 'hidden', 'needed', 'right', 'used', 'value'] as const;

function sayReason({ code, change, reason = '' }: ChangeLine): string {
  // Its file is there, with other bytes.
  if (code === 'file' && change === 'update') return t('agents.undo.reasons.replaced');
  const known = codes.find((one) => one === code);
  return known === undefined ? reason : t(`agents.undo.reasons.${known}`);
}
