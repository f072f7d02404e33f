// Identity providers that provision people and groups by SCIM: their tokens, made and revoked.

import { KeyRound, Plus } from 'lucide-react';
import { useState } from 'react';
import { removeProvider, revokeProviderToken } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import { useAsked } from '../../queries/admin/admin.ts';
import {
  type AdminProvider,
  type AdminProviderToken,
  readAdminProviders,
} from '../../queries/admin/admin-providers.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Loading, Notice } from '../../ui/list-states.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import styles from './admin.module.css';
import { GroupMapping } from './group-mapping.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';
import { StartTrial, Trial } from './scim-trial.tsx';
import { SignInProviders } from './sign-in-providers.tsx';

/** What is asked about before it is done; without a token the whole provider. */
interface Ending {
  readonly provider: AdminProvider;
  readonly token: AdminProviderToken | null;
}

export function Provisioning() {
  const ask = useAsk();
  const { data, failed, again } = useAsked('providers', readAdminProviders);
  const [making, setMaking] = useState<{ readonly provider: AdminProvider | null } | null>(null);
  const [ending, setEnding] = useState<Ending | null>(null);
  const [trying, setTrying] = useState<AdminProvider | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);

  async function end({ provider, token }: Ending): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await (token === null ? ask(removeProvider, provider.id) : ask(revokeProviderToken, token.id));
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
    }
    setBusy(false);
    setEnding(null);
    again();
  }

  return (
    <>
      <div className={`${shapes.flowS4} ${styles.narrow}`}>
        <p>{t('admin.scim.words')}</p>
        <Button look="main" icon={<Plus size={16} />} onClick={() => setMaking({ provider: null })}>
          {t('admin.scim.create')}
        </Button>
      </div>
      {fault && <Notice tone="danger">{fault}</Notice>}
      {failed && (
        <Notice tone="warn">
          {sayAdminRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data === null && !failed && <Loading label={t('common.loading')} />}
      {data?.providers.length === 0 && <EmptyState art={<KeyRound size={40} />} title={t('admin.scim.none')} />}
      {data && data.providers.length > 0 && (
        <ul aria-label={t('admin.part.provisioning')}>
          {data.providers.map((provider) => (
            <Provider
              key={provider.id}
              provider={provider}
              onNewToken={() => setMaking({ provider })}
              onRevoke={(token) => setEnding({ provider, token })}
              onRemove={() => setEnding({ provider, token: null })}
              onStartTrial={() => setTrying(provider)}
              onChanged={again}
            />
          ))}
        </ul>
      )}
      {data && data.sign_in.length > 0 && <SignInProviders providers={data.sign_in} />}
      {making && data && (
        <ProviderDialog
          provider={making.provider}
          address={data.address}
          onClose={() => setMaking(null)}
          onMade={again}
        />
      )}
      {trying && <StartTrial provider={trying} onClose={() => setTrying(null)} onStarted={again} />}
      {ending && (
        <Confirm
          open
          onClose={() => setEnding(null)}
          title={
            ending.token === null
              ? t('admin.scim.removeOne', { name: ending.provider.name })
              : t('admin.scim.revokeOne', { prefix: `${ending.token.prefix}…` })
          }
          description={
            ending.token === null
              ? t('admin.scim.removeWords')
              : t('admin.scim.revokeWords', { name: ending.provider.name })
          }
        >
          <Button onClick={() => setEnding(null)}>{t('common.cancel')}</Button>
          <Button look="danger" busy={busy} onClick={() => void end(ending)}>
            {ending.token === null ? t('admin.scim.remove') : t('admin.scim.revoke')}
          </Button>
        </Confirm>
      )}
      <GroupMapping />
    </>
  );
}

interface ProviderProps {
  readonly provider: AdminProvider;
  readonly onNewToken: () => void;
  readonly onRevoke: (token: AdminProviderToken) => void;
  readonly onRemove: () => void;
  readonly onStartTrial: () => void;
  readonly onChanged: () => void;
}

function Provider({ provider, onNewToken, onRevoke, onRemove, onStartTrial, onChanged }: ProviderProps) {
  const { name, trial_since, people, groups, tokens } = provider;
  return (
    <li className={`${shapes.stackS3} ${styles.provider}`}>
      <div className={shapes.flowS4}>
        <span className={`${shapes.breaks} ${shapes.fill}`}>
          <span className={`${shapes.block} ${shapes.medium}`}>{name}</span>
          <span className={`${shapes.softS} ${shapes.block}`}>
            {[t('admin.scim.people', { n: people }), t('admin.scim.groups', { n: groups })].join(' · ')}
          </span>
        </span>
        <span className={shapes.wrapS3}>
          <Button onClick={onNewToken} aria-label={t('admin.scim.newTokenFor', { name })}>
            {t('admin.scim.newToken')}
          </Button>
          {trial_since === null && (
            <Button onClick={onStartTrial} aria-label={t('admin.trial.startFor', { name })}>
              {t('admin.trial.start')}
            </Button>
          )}
          <Button onClick={onRemove} aria-label={t('admin.scim.removeOne', { name })}>
            {t('admin.scim.remove')}
          </Button>
        </span>
      </div>
      <Trial provider={provider} onChanged={onChanged} />
      {tokens.length === 0 && <Notice tone="warn">{t('admin.scim.noToken')}</Notice>}
      {tokens.length > 0 && (
        <ul aria-label={t('admin.scim.tokens', { name })}>
          {tokens.map((token) => (
            <li key={token.id} className={shapes.flowS4}>
              <span className={`${shapes.breaks} ${shapes.fill}`}>
                <code>{token.prefix}…</code>
                <span className={`${shapes.softS} ${shapes.block}`}>{sayUse(token)}</span>
              </span>
              <Button
                onClick={() => onRevoke(token)}
                aria-label={t('admin.scim.revokeOne', { prefix: `${token.prefix}…` })}
              >
                {t('admin.scim.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

function sayUse({ created_at, last_used_at }: AdminProviderToken): string {
  const used = last_used_at === null ? t('admin.scim.unused') : t('admin.scim.used', { when: sayAgo(last_used_at) });
  return [t('admin.scim.created', { when: sayAgo(created_at) }), used].join(' · ');
}
