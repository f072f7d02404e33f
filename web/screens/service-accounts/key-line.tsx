// Line of a key that its person or a manager of its service account revokes.

import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { EndQuestion } from '../people/end-question.tsx';
import { sayKeyUse } from '../people/say-key.ts';

/** Whether a token that was just created is that of a key. */
export const isOf = (token: string | null, { prefix }: ApiKey): boolean => token?.startsWith(prefix) === true;

interface KeyLineProps {
  readonly apiKey: ApiKey;
  /** The projects, in words. */
  readonly reach: string;
  readonly busy: boolean;
  readonly onRevoke: () => void;
}

export function KeyLine({ apiKey: key, reach, busy, onRevoke }: KeyLineProps) {
  const [asking, setAsking] = useState(false);
  return (
    <FactRow
      icon={KeyRound}
      name={key.name}
      facts={[[t(`keys.scopes.${key.scope}`), reach, `${key.prefix}…`].join(' · '), sayKeyUse(key)]}
    >
      <Button disabled={busy} aria-label={t('keys.revokeOf', { name: key.name })} onClick={() => setAsking(true)}>
        {t('keys.revoke')}
      </Button>
      {asking && (
        <EndQuestion
          title={t('keys.revokeOf', { name: key.name })}
          words={t('keys.revokeWords')}
          action={t('keys.revoke')}
          onConfirm={onRevoke}
          onClose={() => setAsking(false)}
        />
      )}
    </FactRow>
  );
}
