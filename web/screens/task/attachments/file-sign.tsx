// A file by its picture, where it has one, or else by a sign of its kind and the ending of its name.

import { File, FileAudio, FileText, FileVideo, Image } from 'lucide-react';
import { usePicture } from '../../../files/pictures.ts';
import { type AttachmentRow, type FileKind, kindOf } from '../../../queries.ts';
import shapes from '../../../styles/shapes.module.css';
import styles from './attachments.module.css';

const signs: Readonly<Record<FileKind, typeof File>> = {
  image: Image,
  pdf: FileText,
  text: FileText,
  audio: FileAudio,
  video: FileVideo,
  other: File,
};

/** Twice as many pixels as it has on most screens. */
const fit = 360;

type Shown = Pick<AttachmentRow, 'name' | 'content_type'>;

export function Thumbnail({ attachment }: { attachment: AttachmentRow }) {
  const isPicture = kindOf(attachment) === 'image';
  const { url, failed } = usePicture(isPicture ? attachment.object_path : null, fit);
  if (!isPicture || failed) return <FileSign file={attachment} />;
  return url === null ? <span className={styles.thumbWaiting} /> : <img src={url} alt="" className={styles.thumb} />;
}

export function FileSign({ file }: { file: Shown }) {
  const Sign = signs[kindOf(file)];
  const ending = /\.([a-z0-9]{1,5})$/i.exec(file.name)?.[1];
  return (
    <span className={`${shapes.stackS2} ${styles.fileSign}`}>
      <Sign size={28} strokeWidth={1.5} aria-hidden="true" />
      {ending && <span className={`${shapes.bold} ${styles.fileEnding}`}>{ending.toUpperCase()}</span>}
    </span>
  );
}
