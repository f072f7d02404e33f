// A transfer of the project by an operator that waits for its 72 hours: everybody in the project reads it here, and may object.

import { useState } from 'react';
import { objectToTransfer, sayRefusal, useAsk } from '../../commands.ts';
import { sayMoment } from '../../queries/days/days.ts';
import { useTransfers } from '../../queries/projects/transfers.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import styles from './people.module.css';

export function TransferNotice({ projectId }: { projectId: string }) {
  const ask = useAsk();
  const { data, again } = useTransfers(projectId);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const waiting = data?.find(({ state }) => state === 'waiting');

  async function object(id: string): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await ask(objectToTransfer, id);
    } catch (reason) {
      setFault(sayRefusal(reason));
    }
    setBusy(false);
    again();
  }

  if (fault === null && waiting === undefined) return null;
  return (
    <div className={`${shapes.stackS4} ${styles.transfers}`}>
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      {waiting && (
        <Notice tone="warn">
          <div className={`${shapes.stackS3} ${styles.transfer}`}>
            <p>
              {t('people.transfer.words', {
                operator: waiting.operator,
                owner: waiting.new_owner,
                when: sayMoment(waiting.due_at),
                reason: waiting.reason,
              })}
            </p>
            <Button busy={busy} onClick={() => void object(waiting.id)}>
              {t('people.transfer.object')}
            </Button>
          </div>
        </Notice>
      )}
    </div>
  );
}
