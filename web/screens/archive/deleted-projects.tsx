// Projects deleted less than thirty days ago, for their former owners: to restore, or to delete permanently.

import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { endDeletedProject, restoreProject, sayRefusal, useAsk } from '../../commands.ts';
import { ProjectPicture } from '../../pieces/project-picture.tsx';
import { localDay, sayDay, sayMoment } from '../../queries/days/days.ts';
import type { DeletedProject } from '../../queries/deleted-projects.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button, IconButton } from '../../ui/button.tsx';
import dialogStyles from '../../ui/overlays/dialog.module.css';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showError, showMessage } from '../../ui/overlays/toaster.tsx';
import styles from './archive.module.css';

interface Props {
  readonly projects: readonly DeletedProject[];
  readonly onChange: () => void;
}

export function DeletedProjects({ projects, onChange }: Props) {
  return (
    <section className={`${shapes.part} ${styles.part}`} aria-label={t('people.archive.deleted')}>
      <h2>{t('people.archive.deleted')}</h2>
      <p className={`${shapes.quiet} ${styles.note}`}>{t('people.archive.deletedWords')}</p>
      <ul>
        {projects.map((project) => (
          <Line key={project.id} project={project} onChange={onChange} />
        ))}
      </ul>
    </section>
  );
}

function Line({ project, onChange }: { project: DeletedProject; onChange: () => void }) {
  const ask = useAsk();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const { id, name } = project;

  async function run(work: () => Promise<void>, done: string, refused: string): Promise<void> {
    setBusy(true);
    try {
      await work();
      showMessage(done);
    } catch (reason) {
      showError(refused, sayRefusal(reason));
    }
    setBusy(false);
    onChange();
  }

  return (
    <li className={`${shapes.rowS4} ${styles.row}`}>
      <ProjectPicture project={project} />
      <span className={`${shapes.breaks} ${shapes.fill} ${shapes.underlined} ${styles.name}`}>{name}</span>
      <span className={`${shapes.quietS} ${shapes.rigid}`} title={sayMoment(project.kept_until)}>
        {t('people.archive.keptUntil', { day: sayDay(localDay(new Date(project.kept_until))) })}
      </span>
      <span className={shapes.tools}>
        <IconButton
          label={t('people.archive.restore', { what: name })}
          disabled={busy}
          onClick={() =>
            void run(
              () => ask(restoreProject, id),
              t('common.restored', { name }),
              t('people.archive.notBack', { name }),
            )
          }
        >
          <ArchiveRestore size={16} />
        </IconButton>
        <IconButton label={t('people.archive.endNow', { what: name })} disabled={busy} onClick={() => setAsking(true)}>
          <Trash2 size={16} />
        </IconButton>
      </span>
      {asking && (
        <Dialog
          open
          onClose={() => setAsking(false)}
          title={t('people.archive.endTitle', { name })}
          description={t('people.archive.endWords')}
        >
          <div className={dialogStyles.dialogActions}>
            <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
            <Button
              look="danger"
              onClick={() => {
                setAsking(false);
                void run(
                  () => ask(endDeletedProject, id),
                  t('people.archive.ended', { name }),
                  t('people.archive.notEnded', { name }),
                );
              }}
            >
              {t('people.archive.doEnd')}
            </Button>
          </div>
        </Dialog>
      )}
    </li>
  );
}
