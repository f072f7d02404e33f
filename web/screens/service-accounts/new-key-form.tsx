// Form of a new key, or of a client of a service account: name, scope, projects, and of a key its end.

import { useState } from 'react';
import type { NewKey } from '../../commands.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields/field.tsx';
import { scopes } from '../people/say-key.ts';

const lifetimes = ['30', '90', '365', 'never'] as const;

interface NewKeyFormProps {
  readonly what?: 'key' | 'client';
  /** All of one's own, or of a service account. */
  readonly all?: string;
  readonly projects: readonly { readonly id: string; readonly name: string }[];
  readonly busy: boolean;
  /** Whether it was made. */
  readonly onMake: (key: NewKey) => Promise<boolean>;
}

export function NewKeyForm({ what = 'key', all = t('keys.allProjects'), projects, busy, onMake }: NewKeyFormProps) {
  const [name, setName] = useState('');
  const [scope, setScope] = useState<NewKey['scope']>('read');
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
      aria-label={what === 'key' ? t('keys.new') : t('serviceAccounts.newClient')}
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
          { value: 'all', label: all },
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
      {what === 'key' && (
        <SelectField
          label={t('keys.lifetime')}
          value={lifetime}
          choices={lifetimes.map((one) => ({
            value: one,
            label: one === 'never' ? t('keys.unlimited') : t('keys.days', { n: Number(one) }),
          }))}
          onPick={setLifetime}
        />
      )}
      <div className={shapes.wrapS3}>
        <Button type="submit" busy={busy} disabled={isLimited && chosen.length === 0}>
          {what === 'key' ? t('keys.make') : t('serviceAccounts.makeClient')}
        </Button>
      </div>
    </form>
  );
}
