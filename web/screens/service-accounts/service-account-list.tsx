// Service accounts, or agents, of a project or of the reader: created, renamed, set and deleted; their keys, clients and projects open in a dialog.

import { Bot } from 'lucide-react';
import { useState } from 'react';
import {
  deleteServiceAccount,
  listServiceAccounts,
  type ServiceAccount,
} from '../../commands/service-account-requests.ts';
import { membershipsOf } from '../../queries/people/memberships.ts';
import { nameOf, profileOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { EndQuestion } from '../people/end-question.tsx';
import { useFetchedList } from '../people/use-fetched-list.ts';
import { AgentSettingsDialog, NewAgentDialog } from './agent-dialogs.tsx';
import { CredentialsDialog } from './credentials-dialog.tsx';
import { ProjectsDialog } from './projects-dialog.tsx';
import { NewDialog, RenameDialog } from './service-account-dialogs.tsx';
import styles from './service-accounts.module.css';

type Open =
  | { readonly what: 'new' }
  | { readonly what: 'credentials' | 'projects' | 'rename' | 'settings' | 'delete'; readonly account: ServiceAccount };

interface ServiceAccountListProps {
  readonly of: 'agents' | 'services';
  /** Null for one's own. */
  readonly projectId: string | null;
  readonly asked: ReturnType<typeof useServiceAccounts>;
  readonly words: string;
}

export const useServiceAccounts = (projectId: string | null) => useFetchedList(listServiceAccounts, projectId);

export function ServiceAccountList({ of, projectId, asked, words }: ServiceAccountListProps) {
  const { list: found, fault, run } = asked;
  const { accounts: all, keys } = found ?? { accounts: null, keys: [] };
  const accounts = all?.filter(({ agent }) => (agent !== null) === (of === 'agents')) ?? null;
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
        <Button disabled={accounts === null && fault === null} onClick={() => setOpen({ what: 'new' })}>
          {t(of === 'agents' ? 'agents.add' : 'serviceAccounts.add')}
        </Button>
      </div>
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      {accounts === null && fault === null && <Loading label={t('common.loading')} />}
      {accounts !== null && accounts.length > 0 && (
        <ul aria-label={t(of === 'agents' ? 'agents.title' : 'serviceAccounts.title')}>
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
      {open?.what === 'new' && of === 'agents' && <NewAgentDialog projectId={projectId} onClose={close} />}
      {open?.what === 'new' && of === 'services' && <NewDialog projectId={projectId} onClose={close} />}
      {open?.what === 'settings' && <AgentSettingsDialog account={open.account} onClose={close} />}
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

function Line({ account: { id, agent }, projectId, keys, onOpen }: LineProps) {
  const profile = useQuery(profileOf, id);
  const name = nameOf(profile);
  const account = { id, name, agent };
  const projects = useQuery(membershipsOf, id);
  const facts = [
    projectId === null
      ? projects.map((project) => `${project.name} (${t(`common.roles.${project.role}`)})`).join(', ') ||
        t('serviceAccounts.inNone')
      : projects[0] === undefined
        ? t('serviceAccounts.notHere')
        : t(`common.roles.${projects[0].role}`),
    ...(agent === null ? [] : [t(`agents.modes.${agent.mode}`)]),
    t('serviceAccounts.keys', { n: keys }),
  ];
  return (
    <li className={styles.line}>
      {agent === null ? (
        <Bot size={18} aria-hidden="true" />
      ) : (
        <Avatar name={name} url={profile?.avatar_url ?? null} seed={id} />
      )}
      <span className={`${shapes.stackS1} ${styles.about}`}>
        <span className={`${shapes.medium} ${shapes.breaks}`}>{name}</span>
        <span className={`${shapes.quietS} ${shapes.breaks}`}>{facts.join(' · ')}</span>
        {agent !== null && agent.about !== '' && (
          <span className={`${shapes.quietS} ${shapes.breaks}`}>{agent.about}</span>
        )}
      </span>
      <span className={shapes.wrapS2}>
        <Button
          aria-label={t('serviceAccounts.credentialsOf', { name })}
          onClick={() => onOpen({ what: 'credentials', account })}
        >
          {t('serviceAccounts.credentials')}
        </Button>
        {agent !== null && (
          <Button aria-label={t('agents.settings.of', { name })} onClick={() => onOpen({ what: 'settings', account })}>
            {t('agents.settings.open')}
          </Button>
        )}
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
