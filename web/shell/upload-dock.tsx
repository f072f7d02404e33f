// Files on their way to tasks that nobody is looking at: at the corner, until they have arrived. It also takes up what an earlier page
// left, so it is there whenever there are any.

import { ChevronDown, ChevronUp } from 'lucide-react';
import { useState } from 'react';
import { useUploadList } from '../files/react.ts';
import { useTasksShown } from '../files/upload-signal.ts';
import { UploadLine } from '../pieces/upload-line.tsx';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { IconButton } from '../ui/button.tsx';
import styles from './upload-dock.module.css';

export default function UploadDock() {
  const shown = useTasksShown();
  const uploads = useUploadList().filter(({ attachment }) => !shown.includes(attachment.task_id));
  const [open, setOpen] = useState(true);
  if (uploads.length === 0) return null;
  const failed = uploads.filter(({ state }) => state === 'failed').length;
  const title =
    failed === uploads.length ? t('files.dockFailed', { n: failed }) : t('files.dock', { n: uploads.length - failed });
  return (
    <section className={`${shapes.column} ${shapes.surface} ${shapes.clipped} ${styles.dock}`} aria-label={title}>
      <header className={`${shapes.rowS3} ${shapes.spread} ${styles.dockHead}`}>
        <strong>{title}</strong>
        <IconButton
          label={open ? t('files.fold') : t('files.unfold')}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown size={16} /> : <ChevronUp size={16} />}
        </IconButton>
      </header>
      {open && (
        <ul className={`${shapes.stackS3} ${shapes.oneColumn} ${shapes.rolls} ${styles.dockList}`}>
          {uploads.map((upload) => (
            <UploadLine key={upload.attachment.id} upload={upload} />
          ))}
        </ul>
      )}
    </section>
  );
}
