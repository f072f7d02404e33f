// Undo of a session: first told, what would be undone and what stays with the reason; then done, with the same lists as they came out.

import { useState } from 'react';
import { previewUndo, type UndoAnswer, type UndoLine, undoSession } from '../../commands/agent-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import type { AgentSession } from '../../queries/agents/sessions.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useFetchedList } from '../people/use-fetched-list.ts';
import styles from './agents.module.css';
import { isSilent, nameColumn, nameThing } from './say-difference.ts';

export function UndoDialog({ session, onClose }: { session: AgentSession; onClose: () => void }) {
  const ask = useAsk();
  const { list: preview, fault } = useFetchedList(previewUndo, session.id);
  const [done, setDone] = useState<UndoAnswer | null>(null);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const wrong = refusal ?? fault;

  async function undo(): Promise<void> {
    setBusy(true);
    setRefusal(null);
    try {
      setDone(await ask(undoSession, session.id, false));
    } catch (reason) {
      setRefusal(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }
  const shown = done ?? preview;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(done === null ? 'agents.undo.title' : 'agents.undo.done')}
      {...(done === null ? { description: t('agents.undo.words') } : {})}
      look="wide"
    >
      <div className={`${shapes.stackS5} ${styles.undo}`} aria-live="polite">
        {wrong !== null && <Notice tone="danger">{wrong}</Notice>}
        {shown === null && wrong === null && <Loading label={t('agents.undo.asking')} />}
        {shown !== null && (
          <>
            <Lines
              title={t(done === null ? 'agents.undo.would' : 'agents.undo.undone', { n: shown.undone.length })}
              lines={shown.undone}
            />
            <Lines title={t('agents.undo.stays', { n: countOf(shown.stays) })} lines={shown.stays} />
          </>
        )}
      </div>
      <div className={dialogStyles.dialogActions}>
        {done === null ? (
          <>
            <Button onClick={onClose}>{t('common.cancel')}</Button>
            <Button
              look="danger"
              busy={busy}
              disabled={preview === null || preview.undone.length === 0}
              onClick={() => void undo()}
            >
              {t('agents.undo.confirm', { n: preview?.undone.length ?? 0 })}
            </Button>
          </>
        ) : (
          <Button look="main" onClick={onClose}>
            {t('common.close')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly UndoLine[] }) {
  if (lines.length === 0) return null;
  return (
    <section className={shapes.stackS3} aria-label={title}>
      <h3>{title}</h3>
      <ul className={shapes.stackS3}>
        {lines.map((line, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row may be named twice
          <li key={at} className={`${shapes.stackS1} ${shapes.breaks}`}>
            <span>{sayLine(line)}</span>
            {line.reason !== undefined && <span className={shapes.quietS}>{sayReason(line)}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

const countOf = (lines: readonly UndoLine[]): number => lines.reduce((sum, { count = 1 }) => sum + count, 0);

/** The thing, its title, and of a changed one what of it. */
function sayLine({ table, title, columns = [], change, count = 1 }: UndoLine): string {
  if (table === null) return t('agents.undo.hidden', { n: count });
  const named = t('common.pair', { name: nameThing(table), value: title || t('common.none') });
  const changed = change === 'update' ? columns.filter((one) => !isSilent(one)) : [];
  if (changed.length === 0) return named;
  return t('agents.undo.columns', { named, columns: changed.map((one) => nameColumn(table, one)).join(', ') });
}

const codes = ['changed', 'file', 'gone', 'hidden', 'right', 'used'] as const;

function sayReason({ code, change, reason = '' }: UndoLine): string {
  // Its file is there, with other bytes.
  if (code === 'file' && change === 'update') return t('agents.undo.reasons.replaced');
  const known = codes.find((one) => one === code);
  return known === undefined ? reason : t(`agents.undo.reasons.${known}`);
}
