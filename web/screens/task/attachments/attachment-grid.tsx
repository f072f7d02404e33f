// The attachments of a task side by side, and below them what is on its way.

import type { Upload } from '../../../files/uploads.ts';
import { UploadLine } from '../../../pieces/upload-line.tsx';
import type { AttachmentRow } from '../../../queries.ts';
import shapes from '../../../styles/shapes.module.css';
import { AttachmentTile } from './attachment-tile.tsx';
import styles from './attachments.module.css';

interface Props {
  readonly attachments: readonly AttachmentRow[];
  readonly sending: readonly Upload[];
  readonly coverId: string | null;
  readonly canWrite: boolean;
  readonly onOpen: (id: string) => void;
  readonly onDownload: (attachment: AttachmentRow) => void;
}

export function AttachmentGrid({ attachments, sending, coverId, canWrite, onOpen, onDownload }: Props) {
  return (
    <>
      {attachments.length > 0 && (
        <ul className={`${shapes.stackS4} ${styles.tiles}`}>
          {attachments.map((attachment) => (
            <AttachmentTile
              key={attachment.id}
              attachment={attachment}
              isCover={coverId === attachment.id}
              canWrite={canWrite}
              onOpen={() => onOpen(attachment.id)}
              onDownload={() => onDownload(attachment)}
            />
          ))}
        </ul>
      )}
      {sending.length > 0 && (
        <ul className={shapes.stackS3}>
          {sending.map((upload) => (
            <UploadLine key={upload.attachment.id} upload={upload} />
          ))}
        </ul>
      )}
    </>
  );
}
