// Public links of a project or a task: created with expiry, password and parts, copied once, listed and turned off.

import { ChevronDown } from 'lucide-react';
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react';
import {
  createShareLink,
  listShareLinks,
  revokeShareLink,
  type ShareLink,
  sayRefusal,
  useAsk,
} from '../../commands.ts';
import { localDay, sayDay } from '../../queries/days/days.ts';
import { type Reader, useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField } from '../../ui/fields/field.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { LinkField } from '../people/link-field.tsx';
import styles from './share-dialog.module.css';

const lives = ['1', '7', '30', '365', 'never'] as const;

interface Props {
  readonly projectId: string;
  /** With its subtasks; null: the whole project. */
  readonly taskId: string | null;
  /** The tasks of a saved view. */
  readonly viewId?: string | null;
  /** Of the task, the view or the project. */
  readonly name: string;
  readonly onClose: () => void;
}

export default function ShareDialog(props: Props) {
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={t('shared.links.title', { name: props.name })}
      description={t(props.viewId ? 'shared.links.view' : 'shared.links.project')}
    >
      <PublicLinks {...props} />
    </Dialog>
  );
}

/** Public links below other ways to share, opened by their title. */
export function LinkFold({ hint, ...props }: Omit<Props, 'onClose'> & { readonly hint: string }) {
  const [open, setOpen] = useState(false);
  return (
    <section className={shapes.stackS3} aria-label={t('people.guests.link')}>
      <button
        type="button"
        className={`${shapes.rowS2} ${shapes.pressInk} ${styles.fold}`}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <h3>{t('people.guests.link')}</h3>
        <ChevronDown size={14} aria-hidden="true" />
      </button>
      {open && (
        <>
          <p className={shapes.quietS}>{hint}</p>
          <PublicLinks {...props} />
        </>
      )}
    </section>
  );
}

function PublicLinks({ projectId, taskId, viewId = null, name }: Omit<Props, 'onClose'>) {
  const ask = useAsk();
  const [links, setLinks] = useState<readonly ShareLink[]>([]);
  const [address, setAddress] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const asked = useRef(0);
  const list = useCallback(async () => {
    const turn = ++asked.current;
    const all = await ask(listShareLinks, projectId);
    // A later answer knows more.
    if (turn !== asked.current) return;
    const isOfThis = (link: ShareLink): boolean =>
      viewId === null ? taskId === null || link.task_id === taskId : link.view_id === viewId;
    setLinks(all.filter(isOfThis));
  }, [ask, projectId, taskId, viewId]);

  const run = useCallback(async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFault(null);
    try {
      await work();
    } catch (reason) {
      setFault(sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }, []);
  // Links are created while the list is on its way.
  useEffect(() => void list().catch((reason) => setFault(sayRefusal(reason))), [list]);

  const revoke = (id: string) =>
    run(async () => {
      await ask(revokeShareLink, id);
      await list();
      showMessage(t('people.link.wasRevoked'));
    });

  return (
    <div className={shapes.stackS5}>
      {address === null ? (
        <NewLink
          busy={busy}
          onCreate={(options) =>
            void run(async () => {
              setAddress(await ask(createShareLink, { projectId, taskId, viewId, ...options }));
              await list();
            })
          }
        />
      ) : (
        <div className={shapes.stackS3}>
          <LinkField link={address} label={t('shared.links.title', { name })} copyLabel={t('common.copyLink')} />
          <p className={shapes.quietS}>{t('shared.links.once')}</p>
        </div>
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      {links.length > 0 && <Links links={links} busy={busy} onRevoke={(id) => void revoke(id)} />}
    </div>
  );
}

interface Options {
  readonly days: number | null;
  readonly password: string;
  readonly names: boolean;
  readonly comments: boolean;
  readonly files: boolean;
}

function NewLink({ busy, onCreate }: { busy: boolean; onCreate: (options: Options) => void }) {
  const [life, setLife] = useState<(typeof lives)[number]>('30');
  const [password, setPassword] = useState('');
  const [names, setNames] = useState(false);
  const [comments, setComments] = useState(false);
  const [files, setFiles] = useState(false);
  function create(event: FormEvent): void {
    event.preventDefault();
    if (!busy) onCreate({ days: life === 'never' ? null : Number(life), password, names, comments, files });
  }
  return (
    <form className={shapes.stackS4} onSubmit={create}>
      <SelectField
        label={t('people.link.life')}
        value={life}
        choices={lives.map((value) => ({
          value,
          label: value === 'never' ? t('people.link.never') : t('people.link.days', { n: Number(value) }),
        }))}
        onPick={setLife}
      />
      <PasswordField
        label={t('shared.links.password')}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <CheckField
        label={t('shared.links.names')}
        hint={t('shared.links.namesHint')}
        checked={names}
        onChange={(event) => setNames(event.target.checked)}
      />
      <CheckField
        label={t('shared.links.comments')}
        checked={comments}
        onChange={(event) => setComments(event.target.checked)}
      />
      <CheckField
        label={t('shared.links.files')}
        checked={files}
        onChange={(event) => setFiles(event.target.checked)}
      />
      <Button type="submit" look="main" busy={busy}>
        {t('people.link.create')}
      </Button>
    </form>
  );
}

interface LinksProps {
  readonly links: readonly ShareLink[];
  readonly busy: boolean;
  readonly onRevoke: (id: string) => void;
}

function Links({ links, busy, onRevoke }: LinksProps) {
  const store = useReader();
  return (
    <section className={shapes.stackS3} aria-label={t('shared.links.active')}>
      <h3>{t('shared.links.active')}</h3>
      <ul>
        {links.map((link) => (
          <li key={link.id} className={`${shapes.rowS4} ${styles.line}`}>
            <span className={`${shapes.stackS1} ${shapes.fill}`}>
              <span className={shapes.breaks}>{nameOf(store, link)}</span>
              <span className={shapes.quietS}>{factsOf(link).join(' · ')}</span>
            </span>
            <Button disabled={busy} onClick={() => onRevoke(link.id)}>
              {t('people.link.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf(store: Reader, { task_id, view_name }: ShareLink): string {
  if (view_name !== null) return view_name;
  if (task_id === null) return t('shared.links.ofProject');
  return store.get('tasks', task_id)?.title ?? t('shared.links.ofTask');
}

function factsOf({ expires_at, has_password, uses }: ShareLink): readonly string[] {
  return [
    expires_at === null
      ? t('people.link.forever')
      : t('people.link.until', { date: sayDay(localDay(new Date(expires_at))) }),
    ...(has_password ? [t('shared.links.protected')] : []),
    t('shared.links.uses', { n: uses }),
  ];
}
