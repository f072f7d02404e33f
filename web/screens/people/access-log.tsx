// The access log, of one project or whole: sentences, newest first, filtered by name and kind, a page at a time, and saved as a file.

import { Download } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { sayRefusal, useAsk } from '../../commands.ts';
import { sayMoment } from '../../queries/days/days.ts';
import {
  type AccessFilter,
  type AccessKind,
  type AccessLine,
  linesOnPage,
  readAccessFile,
  useAccessLog,
} from '../../queries/people/access-log.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { SelectField, TextField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import { Loading, Notice } from '../../ui/list-states.tsx';
import { showError, showMessage } from '../../ui/overlays/toaster.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './access-log.module.css';
import { accessCells, accessColumns, sayAccess, sayPlace } from './say-access.ts';

const kinds = ['all', 'people', 'groups', 'invitations', 'settings', 'operators'] as const;

export default function AccessLog({ projectId }: { projectId: string | null }) {
  const [words, setWords] = useState('');
  const [kind, setKind] = useState<AccessKind | 'all'>('all');
  const [before, setBefore] = useState<string | null>(null);
  const asked = useDeferredValue(words.trim());
  const filter = { projectId, words: asked, kind: kind === 'all' ? null : kind };
  const { data, failed, again } = useAccessLog(filter, before);
  // Until the next answer has come, the last one stands.
  const [shown, setShown] = useState(data);
  if (data !== null && data !== shown) setShown(data);
  const choices = kinds.filter((one) => projectId === null || one !== 'operators');
  return (
    <div className={shapes.stackS4}>
      <div className={`${shapes.flowS3} ${styles.tools}`}>
        <TextField
          label={t('access.words')}
          bare
          type="search"
          placeholder={t('access.words')}
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            setBefore(null);
          }}
        />
        <SelectField
          label={t('common.kind')}
          bare
          value={kind}
          choices={choices.map((value) => ({ value, label: t(`access.kinds.${value}`) }))}
          onPick={(picked) => {
            setKind(picked);
            setBefore(null);
          }}
        />
        <SaveButton filter={filter} />
      </div>
      {failed && (
        <Notice tone="warn">
          {sayRefusal(failed)} <Button onClick={again}>{t('common.retry')}</Button>
        </Notice>
      )}
      {shown === null && !failed && <Loading label={t('common.loading')} />}
      {shown !== null && <Lines shown={shown} whole={projectId === null} filtered={asked !== '' || kind !== 'all'} />}
      {(before !== null || shown?.length === linesOnPage) && (
        <div className={shapes.flowS3}>
          {before !== null && <Button onClick={() => setBefore(null)}>{t('access.newest')}</Button>}
          {shown?.length === linesOnPage && (
            <Button onClick={() => setBefore(shown.at(-1)?.id ?? null)}>{t('access.older')}</Button>
          )}
        </div>
      )}
    </div>
  );
}

function SaveButton({ filter }: { filter: AccessFilter }) {
  const ask = useAsk();
  const [busy, setBusy] = useState(false);
  async function save(): Promise<void> {
    setBusy(true);
    try {
      const { file, count } = await ask(readAccessFile, filter, accessColumns(), accessCells);
      saveFile('kanbase-access.csv', file);
      showMessage(t('access.saved', { n: count }));
    } catch (reason) {
      showError(t('access.notSaved'), sayRefusal(reason));
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button icon={<Download size={16} />} busy={busy} onClick={() => void save()}>
      {t('access.save')}
    </Button>
  );
}

function Lines({ shown, whole, filtered }: { shown: readonly AccessLine[]; whole: boolean; filtered: boolean }) {
  if (shown.length === 0) return <p>{filtered ? t('common.nothingFound') : t('access.empty')}</p>;
  return (
    <ol className={`${shapes.stackS2} ${shapes.oneColumn}`} aria-label={t('access.title')}>
      {shown.map((line) => (
        <li key={line.id} className={`${shapes.row} ${lines.line}`}>
          <span className={`${shapes.breaks} ${lines.words}`}>
            {sayAccess(line)}
            <span className={`${shapes.quietS} ${lines.facts}`}>
              <time dateTime={line.created_at}>{sayMoment(line.created_at)}</time>
              {whole && line.object.kind === 'project' && <span>{sayPlace(line)}</span>}
              {line.address !== null && <span>{line.address}</span>}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
