// Exports of the user: the progress of each, a link to download it, and a way to stop or remove it.

import { Download, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { beginExport, cancelExport, type Export, type ExportFormat, sayRefusal, useAsk } from '../../commands.ts';
import { linkExport } from '../../files/fetch-file.ts';
import { saySize } from '../../files/say-size.ts';
import { sayAgo } from '../../queries/days/days.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields/field.tsx';
import { Notice } from '../../ui/list-states.tsx';
import progressStyles from '../../ui/progress.module.css';
import styles from './exports.module.css';
import { useExports } from './use-exports.ts';

const formats: readonly ExportFormat[] = ['json', 'zip', 'csv', 'markdown', 'ical'];

/** Of a project, or, without one, of everything. */
export function ExportPart({ projectId }: { projectId: string | null }) {
  const ask = useAsk();
  const [format, setFormat] = useState<ExportFormat>('json');
  const [refused, setRefused] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const { exports, fault, again } = useExports(projectId);

  async function run(work: () => Promise<unknown>): Promise<void> {
    setBusy(true);
    setRefused(null);
    try {
      await work();
    } catch (reason) {
      setRefused(sayRefusal(reason));
    } finally {
      setBusy(false);
      again();
    }
  }

  return (
    <div className={shapes.stackS4}>
      <SelectField
        label={t('exports.format')}
        hint={t(`exports.about.${format}`)}
        value={format}
        choices={formats.map((one) => ({ value: one, label: t(`exports.formats.${one}`) }))}
        onPick={setFormat}
      />
      <div>
        <Button busy={busy} onClick={() => void run(() => ask(beginExport, format, projectId))}>
          {t('exports.begin')}
        </Button>
      </div>
      {(refused ?? fault) && <Notice tone="danger">{refused ?? fault}</Notice>}
      {exports.length > 0 && (
        <ul className={shapes.stackS4} aria-label={t('exports.files')}>
          {exports.map((one) => (
            <ExportLine
              key={one.id}
              export={one}
              onLink={(path) =>
                void run(async () => {
                  // The browser downloads it beside the page, however large it is.
                  location.assign(await ask(linkExport, path));
                })
              }
              onEnd={() => void run(() => ask(cancelExport, one.id))}
            />
          ))}
        </ul>
      )}
      <p role="status" className="only-spoken">
        {saidOf(exports[0])}
      </p>
    </div>
  );
}

/** The newest, as its state changes: each percent would be too much to listen to. */
function saidOf(one: Export | undefined): string {
  if (one === undefined) return '';
  const name = t(`exports.formats.${one.format}`);
  if (one.state === 'done') return t('exports.isReady', { name });
  return one.state === 'failed' ? t('exports.failed') : t('exports.isWritten', { name });
}

interface LineProps {
  readonly export: Export;
  readonly onLink: (path: string) => void;
  readonly onEnd: () => void;
}

function ExportLine({ export: one, onLink, onEnd }: LineProps) {
  const { state, path, format } = one;
  const name = t(`exports.formats.${format}`);
  const isOver = state === 'done' || state === 'failed';
  return (
    <li className={`${shapes.rowS3} ${shapes.ruledAbove} ${styles.exportLine}`} data-state={state}>
      <div className={`${shapes.stackS2} ${shapes.fill}`}>
        <strong>{name}</strong>
        {isOver ? (
          <span className={`${shapes.quietS} ${styles.exportAbout}`}>{about(one)}</span>
        ) : (
          <>
            <progress
              className={progressStyles.bar}
              aria-label={t('exports.isWritten', { name })}
              max={Math.max(1, one.total)}
              {...(one.total > 0 ? { value: one.done } : {})}
            />
            <span className={`${shapes.quietS} ${styles.exportAbout}`}>
              {state === 'waiting' ? t('exports.waits') : t('exports.percent', { n: percentOf(one) })}
            </span>
          </>
        )}
      </div>
      {path !== null && (
        <Button
          icon={<Download size={16} />}
          aria-label={t('common.downloadNamed', { name })}
          onClick={() => onLink(path)}
        >
          {t('common.download')}
        </Button>
      )}
      <IconButton label={isOver ? t('exports.removeOf', { name }) : t('exports.cancelOf', { name })} onClick={onEnd}>
        {isOver ? <Trash2 size={16} /> : <X size={16} />}
      </IconButton>
    </li>
  );
}

function about({ state, size_bytes, created_at }: Export): string {
  if (state === 'failed') return t('exports.failed');
  return t('exports.done', { size: saySize(size_bytes ?? 0), when: sayAgo(created_at) });
}

const percentOf = ({ done, total }: Export): number => (total === 0 ? 0 : Math.floor((100 * done) / total));
