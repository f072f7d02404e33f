// Consent page: which program asks, what it may do, in which projects and until when; the person allows it or not.

import { type ReactNode, useEffect, useState } from 'react';
import { Redirect } from 'wouter';
import {
  allowProgram,
  type ChoosableProject,
  denyProgram,
  listChoosableProjects,
  type ProgramRequest,
  readProgramRequest,
} from '../../commands.ts';
import { paths } from '../../routes.ts';
import { isAuthRefusal } from '../../session/account.ts';
import { useApp, useSession } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { usePageTitle } from '../../ui/page-title.ts';
import { AuthFrame, Lead } from '../sign-in/auth-frame.tsx';
import { withReturnPath } from '../sign-in/return-path.ts';
import styles from './programs.module.css';
import { type Level, levelsOf, personScopesOf, scopesUpTo } from './scope-words.ts';

const day = 86_400;
const lifetimes = ['1', '30', '90', '365', 'none'] as const;
type Lifetime = (typeof lifetimes)[number];

export default function Consent() {
  const id = new URLSearchParams(location.search).get('authorization_id') ?? '';
  return <ConsentTo id={id} here={`${paths.consent}?authorization_id=${encodeURIComponent(id)}`} />;
}

/** `here`: where a person who has to sign in first comes back to. */
export function ConsentTo({ id, here }: { id: string; here: string }) {
  const { door } = useApp();
  const { session, user, loading } = useSession();
  const [request, setRequest] = useState<ProgramRequest | null>(null);
  const [projects, setProjects] = useState<readonly ChoosableProject[]>([]);
  const [fault, setFault] = useState<string | null>(null);
  const [done, setDone] = useState<string | null>(null);
  const userId = user?.id;
  usePageTitle(t('programs.consent.page'));

  useEffect(() => {
    if (userId === undefined || session?.factorDue) return;
    let wanted = true;
    Promise.all([readProgramRequest(door, id), listChoosableProjects(door)]).then(
      ([found, list]) => {
        if (!wanted) return;
        if (typeof found === 'string') return location.assign(found);
        setProjects(list);
        setRequest(found);
      },
      (reason: unknown) => wanted && setFault(sayConsentFault(reason)),
    );
    return () => {
      wanted = false;
    };
  }, [door, id, userId, session?.factorDue]);

  if (!loading && (user === null || session?.factorDue))
    return <Redirect to={withReturnPath(paths.signIn, here)} replace />;

  function leave(address: string, words: string): void {
    if (address === '') setDone(words);
    else location.assign(address);
  }

  const title = request === null ? t('programs.consent.page') : t('programs.consent.title', { name: request.name });
  return (
    <AuthFrame title={title}>
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
      {done !== null ? (
        <Notice tone="good">{done}</Notice>
      ) : request !== null ? (
        <Asked
          request={request}
          projects={projects}
          email={user?.email ?? ''}
          here={here}
          onFault={setFault}
          onLeave={leave}
        />
      ) : (
        fault === null && <Loading label={t('common.loading')} />
      )}
    </AuthFrame>
  );
}

interface AskedProps {
  readonly request: ProgramRequest;
  readonly projects: readonly ChoosableProject[];
  readonly email: string;
  readonly here: string;
  readonly onFault: (words: string | null) => void;
  readonly onLeave: (address: string, words: string) => void;
}

function Asked({ request, projects, email, here, onFault, onLeave }: AskedProps) {
  const { door, holder, settings } = useApp();
  const levels = levelsOf(request.scopes);
  const [level, setLevel] = useState<Level>(levels.at(-1) ?? 'none');
  const [chosen, setChosen] = useState<ReadonlySet<string> | null>(null);
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const [busy, setBusy] = useState(false);
  const inProjects = level !== 'none';

  async function answer(work: () => Promise<string>, words: string): Promise<void> {
    setBusy(true);
    onFault(null);
    try {
      onLeave(await work(), words);
    } catch (reason) {
      onFault(sayConsentFault(reason));
      setBusy(false);
    }
  }

  const allow = () =>
    allowProgram(door, settings.anonKey, request.id, {
      scope: scopesUpTo(request.scopes, level).join(' '),
      projects: inProjects && chosen !== null ? [...chosen] : null,
      expires_in: lifetime === 'none' ? null : Number(lifetime) * day,
    });

  const signInElse = () => void holder.signOut().then(() => location.assign(withReturnPath(paths.signIn, here)));

  return (
    <>
      <Lead>{t('programs.consent.asks', { name: request.name, email })}</Lead>
      {!request.isKnown && <Notice tone="warn">{t('programs.consent.unknown', { name: request.name })}</Notice>}
      {personScopesOf(request.scopes).length > 0 && (
        <Part title={t('programs.consent.sees')}>
          <ul className={styles.facts}>
            {personScopesOf(request.scopes).map((scope) => (
              <li key={scope}>{t(`programs.sees.${scope}`)}</li>
            ))}
          </ul>
        </Part>
      )}
      {levels.length > 0 && (
        <>
          <SelectField
            label={t('programs.consent.does')}
            value={level}
            choices={levels.map((value) => ({ value, label: t(`programs.levels.${value}`) }))}
            onPick={setLevel}
          />
          <ProjectChoice projects={projects} chosen={chosen} onChoose={setChosen} />
        </>
      )}
      <SelectField
        label={t('programs.consent.until')}
        value={lifetime}
        choices={lifetimes.map((value) => ({
          value,
          label: value === 'none' ? t('programs.consent.noEnd') : t('programs.consent.days', { n: Number(value) }),
        }))}
        onPick={setLifetime}
      />
      <p className={shapes.quietS}>{sayReturn(request.returnsTo)}</p>
      <Button
        look="main"
        busy={busy}
        disabled={chosen?.size === 0}
        onClick={() => void answer(allow, t('programs.device.allowed', { name: request.name }))}
      >
        {t('programs.consent.allow')}
      </Button>
      <Button
        disabled={busy}
        onClick={() =>
          void answer(() => denyProgram(door, request.id), t('programs.device.denied', { name: request.name }))
        }
      >
        {t('programs.consent.deny')}
      </Button>
      <Button look="quiet" disabled={busy} onClick={signInElse}>
        {t('signIn.invitation.other')}
      </Button>
    </>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={shapes.stackS2}>
      <h2 className={`${shapes.softS} ${styles.partTitle}`}>{title}</h2>
      {children}
    </section>
  );
}

interface ProjectChoiceProps {
  readonly projects: readonly ChoosableProject[];
  readonly chosen: ReadonlySet<string> | null;
  readonly onChoose: (chosen: ReadonlySet<string> | null) => void;
}

function ProjectChoice({ projects, chosen, onChoose }: ProjectChoiceProps) {
  return (
    <>
      <SelectField
        label={t('programs.consent.where')}
        value={chosen === null ? 'all' : 'some'}
        choices={[
          { value: 'all', label: t('programs.consent.all') },
          { value: 'some', label: t('programs.consent.chosen'), disabled: projects.length === 0 },
        ]}
        onPick={(value) => onChoose(value === 'all' ? null : new Set())}
      />
      {chosen !== null && (
        <fieldset className={`${shapes.stackS3} ${styles.projects}`}>
          <legend className="only-spoken">{t('programs.consent.chosen')}</legend>
          {projects.map(({ id, name }) => (
            <label key={id} className={shapes.rowS3}>
              <input
                type="checkbox"
                checked={chosen.has(id)}
                onChange={({ target }) =>
                  onChoose(new Set(target.checked ? [...chosen, id] : [...chosen].filter((one) => one !== id)))
                }
              />
              <span className={shapes.breaks}>{name}</span>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}

/** Where the answer goes: the one thing about a program that it cannot make up. */
function sayReturn(address: string): string {
  if (address === '') return t('programs.consent.toDevice');
  const { protocol, host, hostname } = new URL(address);
  if (protocol === 'https:') return t('programs.consent.toSite', { host });
  if (protocol === 'http:') return t('programs.consent.toMachine', { host: hostname });
  return t('programs.consent.toApp', { scheme: protocol });
}

export function sayConsentFault(reason: unknown): string {
  const code = isAuthRefusal(reason) ? reason.code : undefined;
  if (code === 'oauth_authorization_not_found') return t('programs.consent.gone');
  if (code === 'over_request_rate_limit') return t('programs.consent.often');
  return t('common.refused.broken');
}
