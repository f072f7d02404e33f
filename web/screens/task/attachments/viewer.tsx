// The attachments of a task one by one, as large as the window: pictures, PDF, text, sound, film. Arrow keys go on, + and − zoom.

import { ArrowDownToLine, ChevronLeft, ChevronRight, Maximize, X, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useState } from 'react';
import { usePicture } from '../../../files/pictures.ts';
import { type AttachmentRow, kindOf } from '../../../queries.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { IconButton } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { useLatest } from '../../../ui/use-latest.ts';
import { Failed, FileContent, Waiting } from './file-content.tsx';
import styles from './viewer.module.css';
import { fitted, type Zoom, ZoomImage, zoomBy } from './zoom-image.tsx';

/** Larger files are fetched no larger than most screens are. */
const large = 2_000_000;
const largeFit = 2400;

interface Props {
  readonly attachments: readonly AttachmentRow[];
  readonly opened: AttachmentRow;
  readonly onOpen: (id: string) => void;
  readonly onClose: () => void;
  readonly onDownload: (attachment: AttachmentRow) => void;
}

export default function Viewer({ attachments, opened, onOpen, onClose, onDownload }: Props) {
  const [zoom, setZoom] = useState<Zoom>(fitted);
  const at = attachments.findIndex(({ id }) => id === opened.id);
  const isImage = kindOf(opened) === 'image';

  function step(by: 1 | -1): void {
    const next = attachments[at + by];
    if (next === undefined) return;
    setZoom(fitted);
    onOpen(next.id);
  }

  const zoomIn = (): void => setZoom((old) => zoomBy(old, 1.5));
  const zoomOut = (): void => setZoom((old) => zoomBy(old, 1 / 1.5));
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ...(isImage ? { '+': zoomIn, '=': zoomIn, '-': zoomOut, '0': () => setZoom(fitted) } : {}),
  };
  const latest = useLatest(keys);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      // A player has the arrows for itself.
      if (event.target instanceof HTMLMediaElement) return;
      const effect = latest.current[event.key];
      if (effect === undefined) return;
      event.preventDefault();
      effect();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [latest]);

  return (
    <Dialog open onClose={onClose} title={t('files.openIn', { name: opened.name })} bareTitle look="full">
      <header className={`${shapes.rowS3} ${shapes.rigid} ${shapes.ruledBelow} ${styles.bar}`}>
        <strong className={`${shapes.words} ${shapes.fill}`} title={opened.name}>
          {opened.name}
        </strong>
        {attachments.length > 1 && (
          <span className={`${shapes.quiet} ${shapes.rigid} numbers`} role="status">
            {t('common.numberOf', { n: at + 1, all: attachments.length })}
          </span>
        )}
        {isImage && (
          <span className={styles.barZoom}>
            <IconButton label={t('common.zoomOut')} disabled={zoom.scale === 1} onClick={zoomOut}>
              <ZoomOut size={16} />
            </IconButton>
            <IconButton label={t('common.zoomIn')} onClick={zoomIn}>
              <ZoomIn size={16} />
            </IconButton>
            <IconButton label={t('files.viewer.fit')} disabled={zoom.scale === 1} onClick={() => setZoom(fitted)}>
              <Maximize size={16} />
            </IconButton>
          </span>
        )}
        <IconButton label={t('common.downloadNamed', { name: opened.name })} onClick={() => onDownload(opened)}>
          <ArrowDownToLine size={16} />
        </IconButton>
        <IconButton label={t('common.close')} onClick={onClose}>
          <X size={16} />
        </IconButton>
      </header>
      <div className={`${shapes.fillDown} ${shapes.holder} ${shapes.grid} ${shapes.sunken} ${styles.stage}`}>
        {isImage ? (
          <Picture key={opened.id} attachment={opened} zoom={zoom} onZoom={setZoom} />
        ) : (
          <FileContent key={opened.id} attachment={opened} />
        )}
        {at > 0 && (
          <IconButton
            look="plain"
            label={t('files.viewer.previous')}
            className={`${styles.step} ${styles.stepBack}`}
            onClick={() => step(-1)}
          >
            <ChevronLeft size={18} />
          </IconButton>
        )}
        {at < attachments.length - 1 && (
          <IconButton
            look="plain"
            label={t('files.viewer.next')}
            className={`${styles.step} ${styles.stepOn}`}
            onClick={() => step(1)}
          >
            <ChevronRight size={18} />
          </IconButton>
        )}
      </div>
    </Dialog>
  );
}

interface PictureProps {
  readonly attachment: AttachmentRow;
  readonly zoom: Zoom;
  readonly onZoom: (change: (zoom: Zoom) => Zoom) => void;
}

function Picture({ attachment, zoom, onZoom }: PictureProps) {
  const { name, object_path, size_bytes, content_type } = attachment;
  // What moves would stand still.
  const fit = size_bytes > large && content_type !== 'image/gif' ? largeFit : 0;
  const { url, failed } = usePicture(object_path, fit);
  const [broken, setBroken] = useState(false);
  if (failed || broken) return <Failed name={name} />;
  if (url === null) return <Waiting name={name} />;
  return <ZoomImage url={url} name={name} zoom={zoom} onZoom={onZoom} onBroken={() => setBroken(true)} />;
}
