// Stop and Undo of a session, and the question after it has read words of people from outside.

import { useState } from 'react';
import { confirmSession, stopSession } from '../../commands/agent-requests.ts';
import type { AgentSession } from '../../queries/agents/sessions.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { EndQuestion } from '../people/end-question.tsx';
import type { SessionRights } from './session-rights.ts';
import { UndoDialog } from './undo-dialog.tsx';
import type { SessionRequest } from './use-session-request.ts';

interface ToolsProps {
  readonly session: AgentSession;
  readonly rights: SessionRights;
  readonly request: SessionRequest;
  readonly again: () => void;
  /** There is something to undo. */
  readonly hasChanges: boolean;
}

export function SessionTools({ session, rights, request, again, hasChanges }: ToolsProps) {
  const [asking, setAsking] = useState<'stop' | 'undo' | null>(null);
  if (!rights.ends) return null;
  const isOpen = session.ended_at === null;
  // What was undone is still read when nothing is left to undo.
  if (asking === null && !isOpen && !hasChanges) return null;
  return (
    <div className={shapes.wrapS3}>
      {isOpen && (
        <Button look="danger" busy={request.busy} onClick={() => setAsking('stop')}>
          {t('agents.stop')}
        </Button>
      )}
      {hasChanges && <Button onClick={() => setAsking('undo')}>{t('agents.undo.open')}</Button>}
      {asking === 'stop' && (
        <EndQuestion
          title={t('agents.stopTitle')}
          words={t('agents.stopWords')}
          action={t('agents.stop')}
          onConfirm={() => void request.run((ask) => ask(stopSession, session.id))}
          onClose={() => setAsking(null)}
        />
      )}
      {asking === 'undo' && (
        <UndoDialog
          session={session}
          onClose={() => {
            setAsking(null);
            again();
          }}
        />
      )}
    </div>
  );
}

export function OutsideNotice({ session, rights, request }: Pick<ToolsProps, 'session' | 'rights' | 'request'>) {
  if (session.tainted_at === null || session.confirmed_at !== null || session.ended_at !== null) return null;
  return (
    <Notice tone="warn">
      <div className={shapes.stackS3}>
        <p>{t('agents.outside')}</p>
        {rights.confirms && (
          <div>
            <Button busy={request.busy} onClick={() => void request.run((ask) => ask(confirmSession, session.id))}>
              {t('agents.confirm')}
            </Button>
          </div>
        )}
      </div>
    </Notice>
  );
}
