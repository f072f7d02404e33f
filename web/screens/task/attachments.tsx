// Attachments of a task: chosen, photographed, dropped or pasted, uploading, or there.

import { ArrowDownToLine, Camera, Plus } from 'lucide-react';
import { type InputHTMLAttributes, type Ref, useRef } from 'react';
import { attachFiles } from '../../files/attach-files.ts';
import { useUploadList, useUploads } from '../../files/react.ts';
import { useShowsUploads } from '../../files/upload-signal.ts';
import { attachmentsOf, type TaskRow, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { lazyOverlay } from '../../ui/overlays/lazy-overlay.tsx';
import { useTouch } from '../../ui/use-narrow.ts';
import { firstField } from './add-parts.tsx';
import { AttachmentGrid } from './attachments/attachment-grid.tsx';
import { useDownload, useDownloadAll } from './attachments/use-download.ts';
import { openAttachment, useOpenAttachment } from './attachments/viewer-state.ts';
import styles from './task-part.module.css';

const Viewer = lazyOverlay(() => import('./attachments/viewer.tsx'));

interface Props {
  readonly task: TaskRow;
  /** What the task is called, for the name of a zip: "WEB-12". */
  readonly name: string;
  readonly canWrite: boolean;
  /** Else it only takes files. */
  readonly shown: boolean;
}

export function Attachments({ task, name, canWrite, shown }: Props) {
  const attachments = useQuery(attachmentsOf, task.id);
  const sending = useUploadList().filter(({ attachment }) => attachment.task_id === task.id);
  useShowsUploads(task.id);
  const download = useDownload();
  const { packing, downloadAll } = useDownloadAll();
  const openId = useOpenAttachment();
  const picker = useRef<HTMLInputElement>(null);
  const opened = attachments.find(({ id }) => id === openId);
  const photo = useRef<HTMLInputElement>(null);
  const touch = useTouch();
  const chooser = canWrite && (
    <>
      <Chooser task={task} part="files" label={t('files.add')} ref={picker} multiple />
      {touch && (
        <Chooser task={task} part="photo" label={t('files.photo')} ref={photo} accept="image/*" capture="environment" />
      )}
    </>
  );
  if (!shown) return chooser;
  return (
    <section className={`${shapes.lineS3} ${shapes.column}`} aria-label={t('common.attachments')}>
      <div className={styles.partHead}>
        <h3>{t('common.attachments')}</h3>
        {attachments.length > 0 && <span className={`${shapes.quiet} numbers`}>{attachments.length}</span>}
        {attachments.length > 1 && (
          <Button
            look="quiet"
            icon={<ArrowDownToLine size={14} />}
            busy={packing}
            onClick={() => void downloadAll(attachments, `${name}.zip`)}
          >
            {t('files.downloadAll')}
          </Button>
        )}
        {canWrite && (
          <Button look="quiet" icon={<Plus size={14} />} onClick={() => picker.current?.click()}>
            {t('files.add')}
          </Button>
        )}
        {canWrite && touch && (
          <Button look="quiet" icon={<Camera size={14} />} onClick={() => photo.current?.click()}>
            {t('files.photo')}
          </Button>
        )}
      </div>
      <AttachmentGrid
        attachments={attachments}
        sending={sending}
        coverId={task.cover_attachment_id ?? null}
        canWrite={canWrite}
        onOpen={openAttachment}
        onDownload={download}
      />
      {chooser}
      {opened && (
        <Viewer
          attachments={attachments}
          opened={opened}
          onOpen={openAttachment}
          onClose={() => openAttachment(null)}
          onDownload={download}
        />
      )}
    </section>
  );
}

interface ChooserProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly task: TaskRow;
  readonly part: 'files' | 'photo';
  readonly label: string;
  readonly ref: Ref<HTMLInputElement>;
}

/** The browser's own window for files, or the camera. */
function Chooser({ task, part, label, ...rest }: ChooserProps) {
  const uploads = useUploads();
  return (
    <input
      {...rest}
      type="file"
      hidden
      aria-label={label}
      {...firstField(part)}
      onChange={({ currentTarget }) => {
        attachFiles(uploads, task, [...(currentTarget.files ?? [])]);
        // The same file may be chosen again.
        currentTarget.value = '';
      }}
    />
  );
}
