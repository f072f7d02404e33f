// Claim of a task in its panel: by whom and until when, and its release by its person or an owner.

import { Hand } from 'lucide-react';
import { useState } from 'react';
import { releaseClaim } from '../../commands/claim-requests.ts';
import { sayRefusal, useAsk } from '../../commands.ts';
import { sayClaim } from '../../pieces/claim-mark.tsx';
import props from '../../pieces/properties/properties.module.css';
import { useClaim } from '../../queries/tasks/claims.ts';
import { roleIn, type TaskRow, useQuery, useUserId } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { PropertyRow } from './property-row.tsx';

export default function Claim({ task }: { task: TaskRow }) {
  const claim = useClaim(task.id);
  const userId = useUserId();
  const role = useQuery(roleIn, task.project_id, userId);
  const ask = useAsk();
  const [busy, setBusy] = useState(false);
  if (claim === null) return null;
  const release = async (): Promise<void> => {
    setBusy(true);
    try {
      await ask(releaseClaim, claim.id);
    } catch (reason) {
      showMessage(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  };
  return (
    <PropertyRow label={t('writing.claims.label')} empty={false} speaks>
      <span className={props.propValue} data-claim>
        <Hand size={14} aria-hidden="true" />
        <span className={props.propWords}>{sayClaim(claim)}</span>
        {(claim.user_id === userId || role === 'owner') && (
          <Button look="quiet" busy={busy} onClick={() => void release()}>
            {t('writing.claims.release')}
          </Button>
        )}
      </span>
    </PropertyRow>
  );
}
