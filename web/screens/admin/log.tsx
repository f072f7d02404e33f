// Log of admin actions: newest first, searchable, and saved as a file.

import { Download } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useAsk } from '../../commands.ts';
import { readAdminLog, readAdminLogFile, useAsked } from '../../queries/admin/admin.ts';
import { sayMoment } from '../../queries/days/days.ts';
import { isMessage, t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './admin.module.css';
import { sayAdminRefusal } from './say-admin-refusal.ts';

/** As many as the server gives at once. */
const pageSize = 100;

export function Log() {
  const ask = useAsk();
  const [words, setWords] = useState('');
  const [before, setBefore] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const asked = useDeferredValue(words.trim());
  const { data, failed, again } = useAsked(`${asked} ${before}`, (sync) => readAdminLog(sync, asked, before));
  return (
    <>
      <div className={`${shapes.flowS4} ${styles.narrow}`}>
        <TextField
          label={t('admin.searchLog')}
          bare
          type="search"
          placeholder={t('admin.searchLog')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setBefore('');
          }}
        />
        <Button
          icon={<Download size={16} />}
          onClick={() =>
            void ask(readAdminLogFile, asked).then(
              (file) => saveFile('kanbase-operators.csv', file),
              (reason) => setFault(sayAdminRefusal(reason)),
            )
          }
        >
          {t('admin.save')}
        </Button>
      </div>
      {fault && <Notice tone="danger">{fault}</Notice>}
      {failed && (
        <Notice tone="warn">
          {sayAdminRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {data === null && !failed && <Loading label={t('common.loading')} />}
      {data?.length === 0 && <p>{t('common.nothingFound')}</p>}
      {data && data.length > 0 && (
        <ul aria-label={t('admin.part.log')}>
          {data.map((entry) => (
            <li key={entry.id} className={`${shapes.rowS4} ${styles.entry}`}>
              <span className={`${shapes.breaks} ${shapes.fill}`}>
                <span className={`${shapes.block} ${shapes.medium}`}>{sayAction(entry.action, entry.subject)}</span>
                <span className={`${shapes.softS} ${shapes.block}`}>
                  {[entry.actor, sayMoment(entry.created_at), entry.address].filter((fact) => fact !== '').join(' · ')}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      <div className={`${shapes.flowS3} ${styles.pages}`}>
        {before !== '' && <Button onClick={() => setBefore('')}>{t('admin.newest')}</Button>}
        {data?.length === pageSize && (
          <Button onClick={() => setBefore(data.at(-1)?.id ?? '')}>{t('admin.older')}</Button>
        )}
      </div>
    </>
  );
}

function sayAction(action: string, subject: string): string {
  const key = `admin.did.${action}` as const;
  return isMessage(key) ? t(key, { subject: subject === '' ? '—' : subject }) : `${action} ${subject}`;
}
