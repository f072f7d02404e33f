// Undo of a session: first told, what would be undone and what stays with the reason; then done, with the same lists as they came out.

import { useState } from 'react';
import { previewUndo, type UndoAnswer, undoSession } from '../../commands/agent-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import type { AgentSession, ChangeLine } from '../../queries/agents/sessions.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { useFetchedList } from '../people/use-fetched-list.ts';
import styles from './agents.module.css';
import { ChangeLines, countChanges } from './change-lines.tsx';

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
            <Lines title={t('agents.undo.stays', { n: countChanges(shown.stays) })} lines={shown.stays} />
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

function Lines({ title, lines }: { title: string; lines: readonly ChangeLine[] }) {
  if (lines.length === 0) return null;
  return (
    <section className={shapes.stackS3} aria-label={title}>
      <h3>{title}</h3>
      <ChangeLines title={title} lines={lines} />
    </section>
  );
}
