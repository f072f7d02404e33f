// Dialog with the versions of a description: who wrote each one, what it changed, and the way back to it.

import { useState } from 'react';
import { restoreDescription, useAct } from '../../commands.ts';
import { TaskMarkdown } from '../../pieces/task-markdown.tsx';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { type DescriptionVersion, descriptionVersionsOf } from '../../queries/tasks/description-versions.ts';
import { nameOf, namesIn, profileOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/fields/segments.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { openAttachment } from './attachments/viewer-state.ts';
import styles from './description-history.module.css';
import { TextChanges } from './text-changes.tsx';

interface DescriptionHistoryProps {
  readonly task: TaskRow;
  readonly canWrite: boolean;
  /** The line of history whose version is shown first; else the newest. */
  readonly lineId?: string;
  readonly onClosed: () => void;
}

export default function DescriptionHistory({ task, canWrite, lineId, onClosed }: DescriptionHistoryProps) {
  const act = useAct();
  const [open, setOpen] = useState(true);
  const versions = useQuery(descriptionVersionsOf, task.id);
  const [chosen, setChosen] = useState(() => versions.find(({ lineIds }) => lineIds.includes(lineId ?? ''))?.id);
  const at = Math.max(
    0,
    versions.findIndex(({ id }) => id === chosen),
  );
  const version = versions[at];
  const isNewest = at === 0;
  // Of the newest one goes back to the one before it.
  const wanted = isNewest ? version?.before || null : (version?.text ?? null);

  function restore(text: string): void {
    setOpen(false);
    void act(restoreDescription, task.id, text);
  }

  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      onClosed={onClosed}
      title={t('writing.versions.title')}
      look="wide"
    >
      <div className={`${shapes.stackS5} ${shapes.short} ${styles.history}`}>
        <ol className={`${shapes.stackS1} ${shapes.rolls} ${styles.list}`} aria-label={t('writing.versions.list')}>
          {versions.map((one, place) => (
            <li key={one.id}>
              <Version version={one} isNewest={place === 0} isShown={place === at} onPick={() => setChosen(one.id)} />
            </li>
          ))}
        </ol>
        {version && <Shown key={version.id} task={task} version={version} />}
      </div>
      {canWrite && wanted !== null && wanted !== task.description && (
        <div className={dialogStyles.dialogActions}>
          <Button look="main" onClick={() => restore(wanted)}>
            {t(isNewest ? 'writing.versions.restoreBefore' : 'writing.versions.restore')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

interface VersionProps {
  readonly version: DescriptionVersion;
  readonly isNewest: boolean;
  readonly isShown: boolean;
  readonly onPick: () => void;
}

function Version({ version, isNewest, isShown, onPick }: VersionProps) {
  const writer = useQuery(profileOf, version.actorId ?? '');
  return (
    <button
      type="button"
      className={`${shapes.stackS1} ${shapes.press} ${shapes.full} ${shapes.roundM} ${styles.version}`}
      aria-current={isShown ? 'true' : undefined}
      onClick={onPick}
    >
      <span className={shapes.cut}>{version.actorId === null ? t('common.someone') : nameOf(writer)}</span>
      <span className={shapes.quietS}>
        <time dateTime={version.at} title={sayMoment(version.at)}>
          {sayAgo(version.at)}
        </time>
        {isNewest && ` · ${t('writing.versions.newest')}`}
        {version.before === null && ` · ${t('writing.versions.first')}`}
      </span>
    </button>
  );
}

const looks = ['changes', 'whole'] as const;

/** What it changed, or the text as it read. */
function Shown({ task, version }: { task: TaskRow; version: DescriptionVersion }) {
  const [look, setLook] = useState<(typeof looks)[number]>(version.before === null ? 'whole' : 'changes');
  const names = useQuery(namesIn, task.project_id);
  const { before, text } = version;
  return (
    <div className={`${shapes.stackS3} ${shapes.oneColumn} ${styles.shown}`}>
      {before !== null && (
        <Segments
          label={t('writing.versions.look')}
          choices={looks}
          value={look}
          say={(one) => t(`writing.versions.${one}`)}
          onPick={setLook}
        />
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keys */}
      <section className={styles.text} aria-label={sayMoment(version.at)} tabIndex={0}>
        {look === 'changes' && before !== null ? (
          <TextChanges one={before} other={text} />
        ) : text === '' ? (
          <p className={shapes.quiet}>{t('task.noDescription')}</p>
        ) : (
          <TaskMarkdown text={text} mentions={names} onOpen={openAttachment} />
        )}
      </section>
    </div>
  );
}
