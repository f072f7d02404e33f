// Keys, service accounts and OAuth clients of the server: searched, ended; clients are made here, too.

import { AppWindow, Bot, KeyRound, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { endProgram } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import {
  type AdminClient,
  type AdminKey,
  type AdminPrograms,
  type AdminServiceAccount,
  type ProgramKind,
  programKinds,
  readAdminPrograms,
} from '../../queries/admin/admin-programs.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { sayKeyUse } from '../people/say-key.ts';
import styles from './admin.module.css';
import { AdminList } from './admin-list.tsx';
import { ClientDialog } from './client-dialog.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';

type Ending = { readonly kind: ProgramKind; readonly id: string; readonly name: string };

export function Programs() {
  const [ending, setEnding] = useState<Ending | null>(null);
  const [client, setClient] = useState<AdminClient | 'new' | null>(null);
  return (
    <AdminList
      label={t('admin.part.programs')}
      search={t('admin.programs.search')}
      which={t('admin.programs.which')}
      kinds={programKinds.map((value) => ({ value, label: t(`admin.programs.kinds.${value}`) }))}
      read={readAdminPrograms}
      beside={
        <Button look="main" icon={<Plus size={16} />} onClick={() => setClient('new')}>
          {t('admin.programs.newClient')}
        </Button>
      }
      rows={(data) => <Rows data={data} onEnd={setEnding} onSecret={setClient} />}
      dialogs={(again) => (
        <>
          {client !== null && (
            <ClientDialog client={client === 'new' ? null : client} onClose={() => setClient(null)} onMade={again} />
          )}
          {ending !== null && <EndQuestion ending={ending} onClose={() => setEnding(null)} onEnded={again} />}
        </>
      )}
    />
  );
}

interface RowsProps {
  readonly data: AdminPrograms;
  readonly onEnd: (ending: Ending) => void;
  readonly onSecret: (client: AdminClient) => void;
}

function Rows({ data: { keys = [], accounts = [], clients = [] }, onEnd, onSecret }: RowsProps) {
  const end = (kind: ProgramKind, id: string, name: string) => (
    <Button aria-label={t(`admin.programs.end.${kind}`, { name })} onClick={() => onEnd({ kind, id, name })}>
      {kind === 'keys' ? t('admin.scim.revoke') : t('common.delete')}
    </Button>
  );
  return (
    <>
      {keys.map((key) => (
        <Row key={key.id} icon={<KeyRound size={18} />} name={key.name} facts={factsOfKey(key)}>
          {end('keys', key.id, key.name)}
        </Row>
      ))}
      {accounts.map((account) => (
        <Row key={account.id} icon={<Bot size={18} />} name={account.name} facts={factsOfAccount(account)}>
          {end('serviceAccounts', account.id, account.name)}
        </Row>
      ))}
      {clients.map((client) => (
        <Row key={client.id} icon={<AppWindow size={18} />} name={client.name} facts={factsOfClient(client)}>
          {client.is_confidential && (
            <Button aria-label={t('admin.programs.secretOf', { name: client.name })} onClick={() => onSecret(client)}>
              {t('admin.programs.secret')}
            </Button>
          )}
          {end('clients', client.id, client.name)}
        </Row>
      ))}
    </>
  );
}

interface RowProps {
  readonly icon: ReactNode;
  readonly name: string;
  readonly facts: readonly string[];
  readonly children: ReactNode;
}

function Row({ icon, name, facts, children }: RowProps) {
  return (
    <li className={`${shapes.flowS4} ${styles.provider}`}>
      <span aria-hidden="true">{icon}</span>
      <span className={`${shapes.breaks} ${styles.programWords}`}>
        <span className={`${shapes.block} ${shapes.medium}`}>{name}</span>
        <span className={`${shapes.softS} ${shapes.block}`}>{facts.filter((one) => one !== '').join(' · ')}</span>
      </span>
      <span className={shapes.flowS3}>{children}</span>
    </li>
  );
}

const factsOfKey = (key: AdminKey): string[] => [
  key.account ?? '',
  key.email ?? t('people.service'),
  t(`keys.scopes.${key.scope}`),
  key.projects === null ? t('admin.programs.allProjects') : t('admin.projects', { n: key.projects }),
  `${key.prefix}…`,
  sayKeyUse(key),
];

const factsOfAccount = (account: AdminServiceAccount): string[] => [
  account.project_name === null
    ? t('admin.programs.ofPerson', { email: account.owner_email ?? '' })
    : t('admin.programs.ofProject', { project: account.project_name }),
  ...(account.is_disabled ? [t('admin.state.disabled')] : []),
  t('admin.projects', { n: account.projects }),
  t('serviceAccounts.keys', { n: account.keys }),
  t('admin.programs.clients', { n: account.clients }),
];

const factsOfClient = (client: AdminClient): string[] => [
  client.service_account === null
    ? t(`admin.programs.registered.${client.registration}`)
    : t('admin.programs.actsFor', { name: client.service_account }),
  client.is_confidential ? t('admin.programs.confidential') : t('admin.programs.public'),
  client.address ?? client.id,
  ...(client.people === null ? [] : [t('admin.programs.people', { n: client.people })]),
  client.last_used_at === null ? t('keys.unused') : t('keys.used', { when: sayAgo(client.last_used_at) }),
];

function EndQuestion({
  ending: { kind, id, name },
  onClose,
  onEnded,
}: {
  ending: Ending;
  onClose: () => void;
  onEnded: () => void;
}) {
  const ask = useAsk();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  async function end(): Promise<void> {
    setBusy(true);
    try {
      await ask(endProgram, kind, id);
      onEnded();
      onClose();
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
      setBusy(false);
    }
  }
  return (
    <Confirm
      open
      onClose={onClose}
      title={t(`admin.programs.end.${kind}`, { name })}
      description={fault === null ? t(`admin.programs.endWords.${kind}`) : <Notice tone="danger">{fault}</Notice>}
    >
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button look="danger" busy={busy} onClick={() => void end()}>
        {kind === 'keys' ? t('admin.scim.revoke') : t('common.delete')}
      </Button>
    </Confirm>
  );
}
