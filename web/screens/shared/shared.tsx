// Page of a public link, for people without an account: a board, the tasks of a view or one task, to read.

import { type FormEvent, useEffect, useState } from 'react';
import { Refusal, sayRefusal } from '../../commands.ts';
import { ProjectDot } from '../../pieces/task-badges.tsx';
import { useApp } from '../../session/react.tsx';
import { openShareLink, type Shared } from '../../session/share-link.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { AuthFrame, Lead } from '../sign-in/auth-frame.tsx';
import { useHash } from '../sign-in/return-path.ts';
import styles from './shared.module.css';
import { SharedBoard } from './shared-board.tsx';
import { SharedList } from './shared-list.tsx';
import { SharedTaskPart } from './shared-task.tsx';

export default function SharedPage() {
  const { settings } = useApp();
  const token = /^#([\w-]+)$/.exec(useHash())?.[1] ?? '';
  const [shared, setShared] = useState<Shared | null>(null);
  const [refusal, setRefusal] = useState<unknown>(null);
  const [attempt, setAttempt] = useState<{ readonly password: string | null }>({ password: null });
  const [busy, setBusy] = useState(true);
  useEffect(() => {
    let wanted = true;
    setBusy(true);
    openShareLink(settings.anonKey, token, attempt.password)
      .then(
        (read) => wanted && setShared(read),
        (reason: unknown) => wanted && setRefusal(reason),
      )
      .finally(() => wanted && setBusy(false));
    return () => {
      wanted = false;
    };
  }, [settings.anonKey, token, attempt]);

  if (shared !== null) return <SharedWhole shared={shared} />;
  if (refusal === null) return <Loading label={t('common.loading')} />;
  const code = refusal instanceof Refusal ? refusal.code : '';
  if (code === 'share_link_password')
    return (
      <AskPassword
        busy={busy}
        fault={attempt.password === null || busy ? null : t('shared.asks.wrong')}
        onEnter={(password) => setAttempt({ password })}
      />
    );
  if (code === 'share_link_not_found')
    return (
      <AuthFrame title={t('shared.gone.title')}>
        <Lead>{t('shared.gone.words')}</Lead>
      </AuthFrame>
    );
  return (
    <AuthFrame title={t('shared.gone.title')}>
      <Notice tone="danger">{sayRefusal(refusal)}</Notice>
      <Button onClick={() => location.reload()}>{t('common.retry')}</Button>
    </AuthFrame>
  );
}

interface AskProps {
  readonly busy: boolean;
  readonly fault: string | null;
  readonly onEnter: (password: string) => void;
}

function AskPassword({ busy, fault, onEnter }: AskProps) {
  const [typed, setTyped] = useState('');
  usePageTitle(t('shared.asks.title'));
  const enter = (event: FormEvent): void => {
    event.preventDefault();
    if (typed !== '') onEnter(typed);
  };
  return (
    <AuthFrame title={t('shared.asks.title')} lead={t('shared.asks.words')}>
      <form className={shapes.stackS4} onSubmit={enter}>
        <PasswordField
          label={t('common.password')}
          autoComplete="off"
          value={typed}
          error={fault}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" look="main" busy={busy}>
          {t('shared.asks.enter')}
        </Button>
      </form>
    </AuthFrame>
  );
}

function SharedWhole({ shared }: { shared: Shared }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const { project, tasks, taskId, view } = shared;
  const only = tasks.find(({ id }) => id === taskId);
  const open = tasks.find(({ id }) => id === openId);
  const isBoard = only === undefined && (view === null || view.layout === 'board');
  usePageTitle(only?.title ?? view?.name ?? project.name);
  return (
    <div className={`${shapes.column} ${shapes.surface} ${shapes.column} ${shapes.surface} ${styles.page}`}>
      <header className={`${shapes.rowS3} ${styles.head}`}>
        <ProjectDot color={project.color} />
        {only === undefined && view === null ? (
          <h1>{project.name}</h1>
        ) : (
          <span className={shapes.medium}>{project.name}</span>
        )}
        {view !== null && <h1>{view.name}</h1>}
        <span className={`${shapes.quietS} ${shapes.rigid} ${styles.note}`}>{t('shared.note')}</span>
      </header>
      <main
        className={`${shapes.scroll} ${isBoard ? styles.boardRoom : only === undefined ? styles.listRoom : styles.taskRoom}`}
      >
        {isBoard ? (
          <SharedBoard shared={shared} onOpen={setOpenId} />
        ) : only === undefined ? (
          <SharedList shared={shared} onOpen={setOpenId} />
        ) : (
          <>
            <h1 className={shapes.breaks}>{only.title}</h1>
            <SharedTaskPart shared={shared} task={only} onOpen={setOpenId} />
          </>
        )}
      </main>
      {open && (
        <Dialog open look="wide" title={open.title} onClose={() => setOpenId(null)}>
          <SharedTaskPart shared={shared} task={open} onOpen={setOpenId} />
        </Dialog>
      )}
    </div>
  );
}
