// Keys for programs: listed, created with scope, projects and expiry, shown once, revoked.

import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type ApiKey, listKeys, makeKey, revokeKey, sayRefusal, useAsk } from '../../commands.ts';
import { openProjects } from '../../queries/projects/projects.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { Section } from '../../ui/section.tsx';
import { copyText } from '../../ui/text/copy-text.ts';
import { sayKeyUse, scopes } from '../people/say-key.ts';
import styles from './account.module.css';

const lifetimes = ['30', '90', '365', 'never'] as const;

export function KeySection() {
  const ask = useAsk();
  const projects = useQuery(openProjects);
  const [keys, setKeys] = useState<readonly ApiKey[]>([]);
  const [token, setToken] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    ask(listKeys).then(setKeys, (reason) => setFault(sayRefusal(reason)));
  }, [ask]);

  /** One after the other; the list is read again afterwards. */
  async function run(work: () => Promise<string | null>): Promise<boolean> {
    setBusy(true);
    setFault(null);
    try {
      setToken(await work());
      setKeys(await ask(listKeys));
      return true;
    } catch (reason) {
      setFault(sayRefusal(reason));
      return false;
    } finally {
      setBusy(false);
    }
  }

  function sayReach({ project_ids: ids }: ApiKey): string {
    if (ids === null) return t('keys.allProjects');
    const names = projects.filter(({ id }) => ids.includes(id)).map(({ name }) => name);
    return names.length > 0 ? names.join(', ') : t('keys.projects', { n: ids.length });
  }

  return (
    <Section title={t('keys.title')} hint={t('keys.hint')}>
      {keys.length > 0 && (
        <ul className={`${shapes.stackS5} ${styles.sessionList}`} aria-label={t('keys.title')}>
          {keys.map((key) => (
            <li key={key.id} className={`${shapes.rowS4} ${styles.accountRow}`}>
              <KeyRound size={18} aria-hidden="true" />
              <span className={`${shapes.breaks} ${shapes.fill} ${shapes.medium} ${styles.accountRowWords}`}>
                {key.name}
                <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>
                  {[t(`keys.scopes.${key.scope}`), sayReach(key), `${key.prefix}…`].join(' · ')}
                </span>
                <span className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{sayKeyUse(key)}</span>
              </span>
              <Button
                disabled={busy}
                aria-label={t('keys.revokeOf', { name: key.name })}
                onClick={() => void run(() => ask(revokeKey, key.id).then(() => null))}
              >
                {t('keys.revoke')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <NewKeyForm busy={busy} onMake={(key) => run(() => ask(makeKey, key))} />
      {token !== null && (
        <>
          <TextField
            label={t('keys.token')}
            hint={t('keys.once')}
            readOnly
            value={token}
            onFocus={(event) => event.target.select()}
          />
          <div className={shapes.wrapS3}>
            <Button onClick={() => void copyText(token).then(showCopied)}>{t('keys.copy')}</Button>
          </div>
        </>
      )}
      {fault !== null && <Notice tone="danger">{fault}</Notice>}
    </Section>
  );
}

interface NewKeyFormProps {
  readonly busy: boolean;
  readonly onMake: (key: Parameters<typeof makeKey>[1]) => Promise<boolean>;
}

function NewKeyForm({ busy, onMake }: NewKeyFormProps) {
  const projects = useQuery(openProjects);
  const [name, setName] = useState('');
  const [scope, setScope] = useState<ApiKey['scope']>('read');
  const [lifetime, setLifetime] = useState<(typeof lifetimes)[number]>('90');
  const [isLimited, setIsLimited] = useState(false);
  const [chosen, setChosen] = useState<readonly string[]>([]);

  async function make(): Promise<void> {
    const days = lifetime === 'never' ? null : Number(lifetime);
    if (!(await onMake({ name: name.trim(), scope, projectIds: isLimited ? chosen : null, days }))) return;
    setName('');
    setChosen([]);
  }

  return (
    <form
      className={shapes.stackS4}
      aria-label={t('keys.new')}
      onSubmit={(event) => {
        event.preventDefault();
        void make();
      }}
    >
      <TextField
        label={t('keys.name')}
        hint={t('keys.nameHint')}
        maxLength={60}
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label={t('keys.scope')}
        value={scope}
        choices={scopes.map((one) => ({ value: one, label: t(`keys.scopes.${one}`) }))}
        onPick={setScope}
      />
      <SelectField
        label={t('keys.reach')}
        value={isLimited ? 'chosen' : 'all'}
        choices={[
          { value: 'all', label: t('keys.allProjects') },
          { value: 'chosen', label: t('keys.chosen') },
        ]}
        onPick={(value) => setIsLimited(value === 'chosen')}
      />
      {isLimited && (
        <fieldset className={shapes.stackS3}>
          <legend className="only-spoken">{t('keys.reach')}</legend>
          {projects.map((project) => (
            <CheckField
              key={project.id}
              label={project.name}
              checked={chosen.includes(project.id)}
              onChange={({ target }) =>
                setChosen((old) => (target.checked ? [...old, project.id] : old.filter((id) => id !== project.id)))
              }
            />
          ))}
        </fieldset>
      )}
      <SelectField
        label={t('keys.lifetime')}
        value={lifetime}
        choices={lifetimes.map((one) => ({
          value: one,
          label: one === 'never' ? t('keys.unlimited') : t('keys.days', { n: Number(one) }),
        }))}
        onPick={setLifetime}
      />
      <div className={shapes.wrapS3}>
        <Button type="submit" busy={busy} disabled={isLimited && chosen.length === 0}>
          {t('keys.make')}
        </Button>
      </div>
    </form>
  );
}
