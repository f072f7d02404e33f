// Exporting the own data, and deleting the account; consequences for projects are shown first.

import { Download } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { deleteAccount, exportData, Refusal, sayRefusal, useAsk } from '../../commands.ts';
import { packData } from '../../files/pack-data.ts';
import { useFetchFile } from '../../files/react.ts';
import { localDay } from '../../queries/days/days.ts';
import { type AccountEnd, useAccountEnd } from '../../queries/people/account-end.ts';
import { paths } from '../../routes.ts';
import { answerFactor, isAuthRefusal, proveByPassword } from '../../session/account.ts';
import { useApp, useSession } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { PasswordField } from '../../ui/fields/password-field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showError } from '../../ui/overlays/toaster.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Section } from '../../ui/section.tsx';
import { sayAuthError } from '../sign-in/auth-errors.ts';
import styles from './account.module.css';

export function ExportSection() {
  const ask = useAsk();
  const fetchFile = useFetchFile();
  const [busy, setBusy] = useState(false);

  async function save(): Promise<void> {
    setBusy(true);
    try {
      const held = await ask(exportData);
      saveFile(`kanbase-${localDay(new Date())}.zip`, await packData(held, (path) => fetchFile(path, {})));
    } catch (reason) {
      showError(t('people.account.notExported'), sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Section title={t('people.account.export')} hint={t('people.account.exportHint')}>
      <div className={shapes.wrapS3}>
        <Button icon={<Download size={16} />} busy={busy} onClick={() => void save()}>
          {t('people.account.doExport')}
        </Button>
      </div>
    </Section>
  );
}

export function DeleteAccountSection() {
  const [asking, setAsking] = useState(false);
  return (
    <Section title={t('people.account.end')} hint={t('people.account.endHint')}>
      <div className={shapes.wrapS3}>
        <Button look="danger" onClick={() => setAsking(true)}>
          {t('people.account.doEnd')}
        </Button>
      </div>
      {asking && <EndDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

function EndDialog({ onClose }: { onClose: () => void }) {
  const ask = useAsk();
  const { holder, door, settings } = useApp();
  const { user } = useSession();
  const [, go] = useLocation();
  const { data, failed } = useAccountEnd();
  const [typed, setTyped] = useState('');
  const [proof, setProof] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const email = user?.email ?? '';
  const matches = typed.trim().toLowerCase() === email.toLowerCase() && email !== '';

  async function end(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!matches || busy || data === null) return;
    setBusy(true);
    setFault(null);
    try {
      if (data.proof === 'password') await proveByPassword(door, email, proof);
      if (data.proof === 'factor') await answerFactor(door, proof);
    } catch (reason) {
      setBusy(false);
      return setFault(sayProofFault(reason, settings.passwordMin));
    }
    try {
      await ask(deleteAccount, email);
    } catch (reason) {
      setBusy(false);
      const isOld = reason instanceof Refusal && reason.code === 'KB013';
      return setFault(isOld ? t('people.account.proofOld') : sayRefusal(reason));
    }
    // The session went with the account: what is left of it here goes too.
    await holder.signOut();
    go(paths.signIn);
  }

  return (
    <Dialog open onClose={onClose} title={t('people.account.endTitle')} description={t('people.account.endWords')}>
      <form className={shapes.stackS5} onSubmit={(event) => void end(event)}>
        {fault && <Notice tone="danger">{fault}</Notice>}
        {data ? (
          <Becomes end={data} />
        ) : failed ? (
          <Notice tone="warn">{t('common.failed.words')}</Notice>
        ) : (
          <Loading label={t('common.loading')} />
        )}
        <TextField
          label={t('people.account.type', { email })}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
        {data?.proof === 'password' && (
          <PasswordField
            label={t('people.account.password')}
            autoComplete="current-password"
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        )}
        {data?.proof === 'factor' && (
          <TextField
            label={t('people.account.code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            value={proof}
            onChange={(event) => setProof(event.target.value)}
          />
        )}
        {data?.proof === 'recent' && <p>{t('people.account.recent')}</p>}
        <div className={dialogStyles.dialogActions}>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            look="danger"
            type="submit"
            busy={busy}
            disabled={!matches || data === null || (data.proof !== 'recent' && proof === '')}
          >
            {t('people.archive.doEnd')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function sayProofFault(reason: unknown, passwordMin: number): string {
  const refusal = isAuthRefusal(reason) ? reason : { message: String(reason) };
  return refusal.code === 'invalid_credentials'
    ? t('people.account.wrongPassword')
    : sayAuthError(refusal, passwordMin);
}

function Becomes({ end }: { end: AccountEnd }) {
  const some = end.projects.filter(({ becomes }) => becomes !== 'stays');
  return (
    <ul className={`${shapes.stackS3} ${styles.becomes}`}>
      {some.map((project) => (
        <li key={project.id} data-lost={project.becomes === 'deleted' || undefined}>
          {project.becomes === 'deleted'
            ? t('people.account.becomesDeleted', { project: project.name })
            : project.becomes === 'archived'
              ? t('people.account.becomesArchived', { project: project.name })
              : t('people.account.becomesPassed', {
                  project: project.name,
                  who: project.heir_name?.trim() || t('common.someone'),
                })}
        </li>
      ))}
      {end.service_accounts.length > 0 && (
        <li data-lost>{t('people.account.services', { names: end.service_accounts.join(', ') })}</li>
      )}
      {end.programs.length > 0 && (
        <li data-lost>
          {t('people.account.programs', {
            names: end.programs.map(({ name, project_name: project }) => `${name} (${project})`).join(', '),
          })}
        </li>
      )}
      {end.tasks > 0 && <li>{t('people.account.stays', { tasks: end.tasks })}</li>}
      {end.comments > 0 && <li>{t('people.account.staysComments', { comments: end.comments })}</li>}
      {end.tasks + end.comments === 0 && <li>{t('people.account.staysNothing')}</li>}
    </ul>
  );
}
