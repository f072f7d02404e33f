// Service accounts of a project or of the reader: created, renamed and deleted; their keys, clients and projects open in a dialog.

import { Bot } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import {
  createServiceAccount,
  deleteServiceAccount,
  listServiceAccounts,
  type ServiceAccount,
} from '../../commands/service-account-requests.ts';
import { renameServiceAccount, sayRefusal, useAct, useAsk } from '../../commands.ts';
import { membershipsOf } from '../../queries/people/memberships.ts';
import { nameOf, profileOf, type Role, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { EndQuestion } from '../people/end-question.tsx';
import { serviceRoles } from '../people/role-choices.ts';
import { useFetchedList } from '../people/use-fetched-list.ts';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { ProjectsDialog } from './projects-dialog.tsx';
import styles from './service-accounts.module.css';

const notBlank = '.*\\S.*';

type Open =
  | { readonly what: 'new' }
  | { readonly what: 'credentials' | 'projects' | 'rename' | 'delete'; readonly account: ServiceAccount };

/** `projectId` is null for one's own. */
export function ServiceAccountList({ projectId, words }: { projectId: string | null; words: string }) {
  const { list: found, fault, run } = useFetchedList(listServiceAccounts, projectId);
  const { accounts, keys } = found ?? { accounts: null, keys: [] };
  const [open, setOpen] = useState<Open | null>(null);
  const again = (): Promise<boolean> => run(async () => undefined);

  const close = (): void => {
    setOpen(null);
    void again();
  };
  return (
    <>
      <div className={`${shapes.rowS5} ${styles.head}`}>
        <p className={shapes.soft}>{words}</p>
        <Button onClick={() => setOpen({ what: 'new' })}>{t('serviceAccounts.add')}</Button>
      </div>
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      {accounts === null && fault === null && <Loading label={t('common.loading')} />}
      {accounts !== null && accounts.length > 0 && (
        <ul aria-label={t('serviceAccounts.title')}>
          {accounts.map((account) => (
            <Line
              key={account.id}
              account={account}
              projectId={projectId}
              keys={keys.filter(({ user_id }) => user_id === account.id).length}
              onOpen={setOpen}
            />
          ))}
        </ul>
      )}
      {open?.what === 'new' && <NewDialog projectId={projectId} onClose={close} />}
      {open?.what === 'rename' && <RenameDialog account={open.account} onClose={close} />}
      {open?.what === 'projects' && (
        <ProjectsDialog account={open.account} projectId={projectId} onClose={() => setOpen(null)} />
      )}
      {open?.what === 'credentials' && (
        <CredentialsDialog
          account={open.account}
          keys={keys.filter(({ user_id }) => user_id === open.account.id)}
          onChange={again}
          onClose={() => setOpen(null)}
        />
      )}
      {open?.what === 'delete' && (
        <EndQuestion
          title={t('serviceAccounts.deleteTitle', { name: open.account.name })}
          words={t('serviceAccounts.deleteWords')}
          action={t('common.delete')}
          onConfirm={() => void run((ask) => ask(deleteServiceAccount, open.account.id))}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  );
}

interface LineProps {
  readonly account: ServiceAccount;
  readonly projectId: string | null;
  readonly keys: number;
  readonly onOpen: (open: Open) => void;
}

function Line({ account: { id }, projectId, keys, onOpen }: LineProps) {
  const name = nameOf(useQuery(profileOf, id));
  const account = { id, name };
  const projects = useQuery(membershipsOf, id);
  const facts = [
    projectId === null
      ? projects.map((project) => `${project.name} (${t(`common.roles.${project.role}`)})`).join(', ') ||
        t('serviceAccounts.inNone')
      : projects[0] === undefined
        ? t('serviceAccounts.notHere')
        : t(`common.roles.${projects[0].role}`),
    t('serviceAccounts.keys', { n: keys }),
  ];
  return (
    <li className={styles.line}>
      <Bot size={18} aria-hidden="true" />
      <span className={`${shapes.stackS1} ${styles.about}`}>
        <span className={`${shapes.medium} ${shapes.breaks}`}>{name}</span>
        <span className={`${shapes.quietS} ${shapes.breaks}`}>{facts.join(' · ')}</span>
      </span>
      <span className={shapes.wrapS2}>
        <Button
          aria-label={t('serviceAccounts.credentialsOf', { name })}
          onClick={() => onOpen({ what: 'credentials', account })}
        >
          {t('serviceAccounts.credentials')}
        </Button>
        {(projectId === null || projects.length === 0) && (
          <Button
            aria-label={t('serviceAccounts.projectsOf', { name })}
            onClick={() => onOpen({ what: 'projects', account })}
          >
            {t('common.nav.projects')}
          </Button>
        )}
        <Button
          aria-label={t('serviceAccounts.renameOf', { name })}
          onClick={() => onOpen({ what: 'rename', account })}
        >
          {t('serviceAccounts.rename')}
        </Button>
        <Button
          aria-label={t('serviceAccounts.deleteOf', { name })}
          onClick={() => onOpen({ what: 'delete', account })}
        >
          {t('common.delete')}
        </Button>
      </span>
    </li>
  );
}

function NewDialog({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const ask = useAsk();
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setFault(null);
    try {
      await ask(createServiceAccount, name.trim(), projectId, role);
      onClose();
    } catch (reason) {
      setFault(sayRefusal(reason));
      setBusy(false);
    }
  }
  return (
    <Dialog open onClose={onClose} title={t('serviceAccounts.new')}>
      <form className={shapes.stackS5} onSubmit={(event) => void create(event)}>
        <TextField
          label={t('common.name')}
          hint={t('serviceAccounts.nameHint')}
          required
          pattern={notBlank}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        {projectId !== null && (
          <SelectField label={t('people.invite.role')} value={role} choices={serviceRoles()} onPick={setRole} />
        )}
        {fault !== null && <Notice tone="danger">{fault}</Notice>}
        <Button type="submit" look="main" busy={busy}>
          {t('serviceAccounts.create')}
        </Button>
      </form>
    </Dialog>
  );
}

function RenameDialog({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const act = useAct();
  const [name, setName] = useState(account.name);
  return (
    <Dialog open onClose={onClose} title={t('serviceAccounts.renameOf', { name: account.name })}>
      <form
        className={shapes.stackS5}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== account.name) void act(renameServiceAccount, account.id, name.trim());
          onClose();
        }}
      >
        <TextField
          label={t('common.name')}
          required
          pattern={notBlank}
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" look="main">
          {t('common.save')}
        </Button>
      </form>
    </Dialog>
  );
}
