// Dialogs of an agent: made, with its key and the text that connects it; and set anew.

import { useState } from 'react';
import { type AgentSettings, createAgent, keyDays, setAgent } from '../../commands/agent-requests.ts';
import type { ServiceAccount } from '../../commands/service-account-requests.ts';
import { type AgentMode, modes } from '../../queries/agents/sessions.ts';
import type { Role } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextArea, TextField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { ConnectText } from '../agents/connect-text.tsx';
import { LinkField } from '../people/link-field.tsx';
import { serviceRoles } from '../people/role-choices.ts';
import { AccountForm, NameField } from './account-form.tsx';
import styles from './service-accounts.module.css';
import { useSubmit } from './use-submit.ts';

const usual: AgentSettings = { about: '', mode: 'propose', writes_an_hour: 500, session_minutes: 480 };
const mostAbout = 2000;

export function NewAgentDialog({ projectId, onClose }: { projectId: string | null; onClose: () => void }) {
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('editor');
  const [settings, setSettings] = useState(usual);
  const [token, setToken] = useState<string | null>(null);
  const submit = useSubmit(async (ask) =>
    setToken((await ask(createAgent, projectId, { name: name.trim(), role, ...settings })).token),
  );
  if (token !== null) return <Connect name={name} token={token} inNone={projectId === null} onClose={onClose} />;
  return (
    <Dialog open onClose={onClose} title={t('agents.new')}>
      <AccountForm submit={submit} label={t('agents.create')}>
        <NameField name={name} hint={t('agents.nameHint')} onChange={setName} />
        <SettingFields settings={settings} onChange={setSettings} />
        {projectId !== null && (
          <SelectField label={t('people.invite.role')} value={role} choices={serviceRoles()} onPick={setRole} />
        )}
      </AccountForm>
    </Dialog>
  );
}

interface ConnectProps {
  readonly name: string;
  readonly token: string;
  /** It works in projects that it is added to. */
  readonly inNone: boolean;
  readonly onClose: () => void;
}

function Connect({ name, token, inNone, onClose }: ConnectProps) {
  return (
    <Dialog open onClose={onClose} title={t('agents.connect.title', { name })}>
      <div className={`${shapes.stackS5} ${shapes.oneColumn}`}>
        <Notice tone="good">{t('agents.connect.key', { n: keyDays })}</Notice>
        <LinkField link={token} label={t('keys.token')} copyLabel={t('keys.copy')} />
        <p className={shapes.soft}>{t('agents.connect.words')}</p>
        <ConnectText apiKey={token} />
        {inNone && <p className={shapes.soft}>{t('agents.connect.inNone')}</p>}
        <Button look="main" onClick={onClose}>
          {t('agents.connect.done')}
        </Button>
      </div>
    </Dialog>
  );
}

export function AgentSettingsDialog({ account, onClose }: { account: ServiceAccount; onClose: () => void }) {
  const [settings, setSettings] = useState(account.agent ?? usual);
  const submit = useSubmit(async (ask) => {
    await ask(setAgent, account.id, settings);
    onClose();
  });
  return (
    <Dialog open onClose={onClose} title={t('agents.settings.of', { name: account.name })}>
      <AccountForm submit={submit} label={t('common.save')}>
        <p className={shapes.quietS}>{t('agents.settings.hint')}</p>
        <SettingFields settings={settings} onChange={setSettings} />
      </AccountForm>
    </Dialog>
  );
}

interface SettingFieldsProps {
  readonly settings: AgentSettings;
  readonly onChange: (settings: AgentSettings) => void;
}

function SettingFields({ settings, onChange }: SettingFieldsProps) {
  const set = (changed: Partial<AgentSettings>): void => onChange({ ...settings, ...changed });
  return (
    <>
      <TextArea
        label={t('agents.about')}
        hint={t('agents.aboutHint')}
        rows={2}
        maxLength={mostAbout}
        value={settings.about}
        onChange={(event) => set({ about: event.target.value })}
      />
      <fieldset className={shapes.stackS3}>
        <legend className={`${shapes.softS} ${shapes.medium} ${styles.legend}`}>{t('agents.mode')}</legend>
        {modes.map((mode) => (
          <Mode key={mode} mode={mode} checked={settings.mode === mode} onPick={() => set({ mode })} />
        ))}
      </fieldset>
      <div className={`${shapes.grid} ${styles.limits}`}>
        <NumberField
          label={t('agents.limits.writes')}
          from={1}
          to={10_000}
          value={settings.writes_an_hour}
          onChange={(n) => set({ writes_an_hour: n })}
        />
        <NumberField
          label={t('agents.limits.minutes')}
          from={5}
          to={10_080}
          value={settings.session_minutes}
          onChange={(n) => set({ session_minutes: n })}
        />
      </div>
    </>
  );
}

function Mode({ mode, checked, onPick }: { mode: AgentMode; checked: boolean; onPick: () => void }) {
  return (
    <label className={`${shapes.topS3} ${styles.mode}`}>
      <input type="radio" name="agent-mode" value={mode} checked={checked} onChange={onPick} />
      <span>
        <span className={shapes.medium}>{t(`agents.modes.${mode}`)}</span>
        <span className={`${shapes.quietS} ${shapes.block}`}>{t(`agents.modeMeaning.${mode}`)}</span>
      </span>
    </label>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly from: number;
  readonly to: number;
  readonly value: number;
  readonly onChange: (n: number) => void;
}

/** Empty while one types another number. */
function NumberField({ label, from, to, value, onChange }: NumberFieldProps) {
  return (
    <TextField
      label={label}
      type="number"
      required
      min={from}
      max={to}
      value={Number.isNaN(value) ? '' : value}
      onChange={(event) => onChange(event.target.valueAsNumber)}
    />
  );
}
