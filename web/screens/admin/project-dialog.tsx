// Dialog of one project on the admin pages: operators' actions so far, entering it openly, transferring ownership, restoring it. Each asks for a
// reason, which its members can read.

import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import {
  enterProject,
  leaveEnteredProject,
  restoreAnyProject,
  transferProject,
  withdrawTransfer,
} from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import { saySize } from '../../files/say-size.ts';
import { useAsked } from '../../queries/admin/admin.ts';
import { type AdminProject, type AdminProjectWhole, readAdminProject } from '../../queries/admin/admin-projects.ts';
import { sayMoment } from '../../queries/days/days.ts';
import { paths } from '../../routes.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import styles from './admin.module.css';
import { Facts } from './facts.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';

interface ProjectDialogProps {
  readonly project: AdminProject;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

export function ProjectDialog({ project, onClose, onChange }: ProjectDialogProps) {
  const ask = useAsk();
  const { data, failed, again } = useAsked(project.id, (sync) => readAdminProject(sync, project.id));
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);

  async function act(work: Promise<unknown>, words: string, after: () => void = again): Promise<void> {
    setBusy(true);
    setFault(null);
    setDone(null);
    try {
      await work;
      setDone(words);
      onChange();
      after();
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
    }
    setBusy(false);
  }

  return (
    <Dialog
      open
      look="wide"
      onClose={onClose}
      title={t('admin.project.line', { name: project.name, key: project.key })}
    >
      <div className={shapes.stackS5}>
        {data === null && !failed && <Loading label={t('common.loading')} />}
        {(fault ?? failed) && <Notice tone="danger">{fault ?? sayAdminRefusal(failed)}</Notice>}
        {done && <Notice tone="good">{done}</Notice>}
        <Facts
          facts={[
            [t('admin.project.owners'), project.owners.map(({ email }) => email).join(', ')],
            [t('admin.fact.created'), sayMoment(project.created_at)],
            [t('common.attachments'), saySize(project.bytes)],
            ...(project.kept_until === null
              ? []
              : ([[t('admin.project.keptUntil'), sayMoment(project.kept_until)]] as const)),
          ]}
        />
        {data && <Entries whole={data} />}
        {data && (
          <WaitingTransfer
            whole={data}
            busy={busy}
            onWithdraw={() => void act(ask(withdrawTransfer, project.id), t('admin.project.withdrawn'))}
          />
        )}
        {data && (
          <Actions
            whole={data}
            isDeleted={project.deleted_at !== null}
            busy={busy}
            address={paths.project(project.id)}
            onEnter={(reason) => void act(ask(enterProject, project.id, reason), t('admin.project.entered'))}
            onRestore={(reason) =>
              void act(ask(restoreAnyProject, project.id, reason), '', () => {
                showMessage(t('admin.project.restored'));
                onClose();
              })
            }
            onLeave={() => void act(ask(leaveEnteredProject, project.id), t('admin.project.left'))}
            onPass={(email, reason) =>
              void act(ask(transferProject, project.id, email, reason), t('admin.project.announced', { email }))
            }
          />
        )}
      </div>
    </Dialog>
  );
}

function Entries({ whole: { entries } }: { whole: AdminProjectWhole }) {
  if (entries.length === 0) return null;
  return (
    <ul className={`${shapes.stackS2} ${styles.becomes}`} aria-label={t('admin.project.entries')}>
      {entries.map(({ id, deed: action, operator, reason, created_at }) => (
        <li key={id}>{t('admin.project.entry', { action, operator, reason, when: sayMoment(created_at) })}</li>
      ))}
    </ul>
  );
}

interface WaitingTransferProps {
  readonly whole: AdminProjectWhole;
  readonly busy: boolean;
  readonly onWithdraw: () => void;
}

function WaitingTransfer({ whole: { transfers }, busy, onWithdraw }: WaitingTransferProps) {
  const waiting = transfers.find(({ state }) => state === 'waiting');
  if (waiting === undefined) return null;
  return (
    <Notice tone="warn">
      <p>{t('admin.project.waiting', { email: waiting.new_owner, when: sayMoment(waiting.due_at) })}</p>
      <Button busy={busy} onClick={onWithdraw}>
        {t('admin.project.withdraw')}
      </Button>
    </Notice>
  );
}

const texts = {
  enter: { words: () => t('admin.project.enterWords'), doIt: () => t('admin.project.doEnter') },
  transfer: { words: () => t('admin.project.transferWords'), doIt: () => t('admin.project.doTransfer') },
  restore: { words: () => t('admin.project.restoreWords'), doIt: () => t('common.restore') },
} as const;

interface ActionsProps {
  readonly whole: AdminProjectWhole;
  readonly isDeleted: boolean;
  readonly busy: boolean;
  readonly address: string;
  readonly onEnter: (reason: string) => void;
  readonly onRestore: (reason: string) => void;
  readonly onLeave: () => void;
  readonly onPass: (email: string, reason: string) => void;
}

function Actions({ whole, isDeleted, busy, address, onEnter, onRestore, onLeave, onPass }: ActionsProps) {
  const { settings } = useApp();
  const [asking, setAsking] = useState<'enter' | 'transfer' | 'restore' | null>(null);
  const [reason, setReason] = useState('');
  const [email, setEmail] = useState('');
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (busy) return;
    if (asking === 'enter') onEnter(reason);
    else if (asking === 'restore') onRestore(reason);
    else onPass(email, reason);
    setAsking(null);
  }
  if (asking === null && isDeleted)
    return (
      <div className={shapes.flowS3}>
        <Button onClick={() => setAsking('restore')}>{t('common.restore')}</Button>
      </div>
    );
  if (asking === null)
    return (
      <div className={shapes.flowS3}>
        {whole.is_member && <Link href={address}>{t('common.openProject')}</Link>}
        {whole.entered_until !== null && (
          <Button busy={busy} onClick={onLeave}>
            {t('admin.project.leave')}
          </Button>
        )}
        {!whole.is_member && <Button onClick={() => setAsking('enter')}>{t('admin.project.enter')}</Button>}
        <Button onClick={() => setAsking('transfer')}>{t('admin.project.transfer')}</Button>
      </div>
    );
  return (
    <form className={shapes.stackS5} onSubmit={submit}>
      <p>
        {texts[asking].words()} {asking !== 'transfer' && settings.mail && t('admin.project.mailed')}
      </p>
      {asking === 'transfer' && (
        <TextField
          label={t('admin.project.newOwner')}
          type="email"
          autoComplete="off"
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      )}
      <TextField
        label={t('admin.project.why')}
        autoComplete="off"
        {...limitTo(500)}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className={shapes.flowS3}>
        <Button
          look="main"
          type="submit"
          busy={busy}
          disabled={reason.trim() === '' || (asking === 'transfer' && email.trim() === '')}
        >
          {texts[asking].doIt()}
        </Button>
        <Button onClick={() => setAsking(null)}>{t('common.cancel')}</Button>
      </div>
    </form>
  );
}
