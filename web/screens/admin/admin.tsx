// Admin pages: the server decides with every request who may use them. The one-time link of the start banner leads here too.

import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { becomeOperator } from '../../commands/admin-requests.ts';
import { useAsk } from '../../commands.ts';
import { readAdminMe, useAsked } from '../../queries/admin/admin.ts';
import { paths } from '../../routes.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import { EmptyState, Loading, Notice } from '../../ui/list-states.tsx';
import pageStyles from '../../ui/page.module.css';
import { usePageTitle } from '../../ui/page-title.ts';
import { ScreenTitle } from '../../ui/top-bar-slot.tsx';
import AccessLog from '../people/access-log.tsx';
import { useHash } from '../sign-in/return-path.ts';
import { Accounts } from './accounts.tsx';
import styles from './admin.module.css';
import { Log } from './log.tsx';
import { Mail } from './mail.tsx';
import { Programs } from './programs.tsx';
import { Projects } from './projects.tsx';
import { Provisioning } from './provisioning.tsx';
import { sayAdminRefusal } from './say-admin-refusal.ts';
import { ServerState } from './server-state.tsx';

const parts = ['state', 'accounts', 'provisioning', 'projects', 'mail', 'programs', 'log', 'access'] as const;

export default function Admin() {
  usePageTitle(t('common.nav.admin'));
  const hash = useHash();
  const [used, setUsed] = useState(false);
  const link = used ? null : (/^#first=([\w-]+)$/.exec(hash)?.[1] ?? null);
  const { part: asked } = useParams<{ part?: string }>();
  const part = parts.find((one) => one === asked) ?? 'state';
  const [, navigate] = useLocation();
  const me = useAsked('me', readAdminMe);
  if (me.data === null && me.failed === null) return <Loading label={t('common.loading')} />;
  if (me.data === null)
    return link !== null ? (
      <Claim
        token={link}
        onDone={() => {
          window.history.replaceState(null, '', window.location.pathname);
          setUsed(true);
          me.again();
        }}
      />
    ) : (
      <EmptyState whole art={<ShieldCheck size={40} />} title={t('admin.closed')}>
        <p>{sayAdminRefusal(me.failed)}</p>
        <Button onClick={me.again}>{t('common.retry')}</Button>
      </EmptyState>
    );
  return (
    <div className={pageStyles.page}>
      <header className={pageStyles.pageHead}>
        <ScreenTitle>{t('common.nav.admin')}</ScreenTitle>
        <Segments
          label={t('admin.parts')}
          className={styles.parts}
          choices={parts}
          value={part}
          say={(one) => t(`admin.part.${one}`)}
          onPick={(one) => navigate(`${paths.admin}/${one}`)}
        />
      </header>
      {part === 'state' && <ServerState />}
      {part === 'accounts' && <Accounts />}
      {part === 'provisioning' && <Provisioning />}
      {part === 'programs' && <Programs />}
      {part === 'projects' && <Projects />}
      {part === 'mail' && <Mail />}
      {part === 'log' && <Log />}
      {part === 'access' && <AccessLog projectId={null} />}
    </div>
  );
}

/** The first operator says so by a press: an address that was only opened makes nobody one. */
function Claim({ token, onDone }: { token: string; onDone: () => void }) {
  const ask = useAsk();
  const { door } = useApp();
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  async function claim(): Promise<void> {
    setBusy(true);
    setFault(null);
    try {
      await ask(becomeOperator, token);
      // With the new token the menu offers the admin pages.
      await door.auth.refreshSession();
      onDone();
    } catch (reason) {
      setFault(sayAdminRefusal(reason));
    }
    setBusy(false);
  }
  return (
    <EmptyState
      whole
      art={<ShieldCheck size={40} />}
      title={t('admin.claim')}
      action={
        <Button look="main" busy={busy} onClick={() => void claim()}>
          {t('admin.doClaim')}
        </Button>
      }
    >
      <p>{t('admin.claimWords')}</p>
      {fault && <Notice tone="danger">{fault}</Notice>}
    </EmptyState>
  );
}
