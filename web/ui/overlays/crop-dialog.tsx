// A square part of a picture: moved by dragging or arrow keys, made larger by a slider, the wheel or two fingers.

import { useEffect, useState } from 'react';
import Cropper, { type Area } from 'react-easy-crop';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../button.tsx';
import { Notice } from '../list-states.tsx';
import styles from './crop-dialog.module.css';
import dialogStyles from './dialog.module.css';
import { Dialog } from './dialog.tsx';

export interface CropDialogProps {
  readonly file: Blob;
  readonly shape: 'round' | 'rect';
  /** The part that was chosen, as a small square picture. Rejects with what went wrong in words. */
  readonly onUse: (picture: Blob) => Promise<void>;
  readonly onClose: () => void;
}

const largest = 5;

export default function CropDialog({ file, shape, onUse, onClose }: CropDialogProps) {
  const [url, setUrl] = useState<string | null>(null);
  const [crop, setCrop] = useState({ x: 0, y: 0 });
  const [zoom, setZoom] = useState(1);
  const [area, setArea] = useState<Area | null>(null);
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);

  async function use(): Promise<void> {
    if (area === null || url === null) return;
    setBusy(true);
    setFault(null);
    try {
      await onUse(await cut(url, area));
      onClose();
    } catch (reason) {
      setFault(reason instanceof Error ? reason.message : String(reason));
      setBusy(false);
    }
  }

  return (
    <Dialog open onClose={onClose} title={t('files.crop.title')} description={t('files.crop.words')}>
      <div className={`${shapes.rigid} ${shapes.holder} ${shapes.roundM} ${shapes.sunken} ${styles.cropRoom}`}>
        {url !== null && (
          <Cropper
            image={url}
            crop={crop}
            zoom={zoom}
            maxZoom={largest}
            aspect={1}
            cropShape={shape}
            showGrid={false}
            onCropChange={setCrop}
            onZoomChange={setZoom}
            onCropComplete={(_, pixels) => setArea(pixels)}
            cropperProps={{ 'aria-label': t('files.crop.shape'), role: 'application' }}
            mediaProps={{ alt: '', onError: () => setFault(t('files.crop.unreadable')) }}
          />
        )}
      </div>
      <label className={`${shapes.rowS4} ${shapes.soft} ${styles.cropZoom}`}>
        {t('files.crop.zoom')}
        <input
          type="range"
          min={1}
          max={largest}
          step={0.05}
          value={zoom}
          onChange={(event) => setZoom(Number(event.target.value))}
        />
      </label>
      {fault !== null && (
        <div role="alert">
          <Notice tone="warn">{fault}</Notice>
        </div>
      )}
      <div className={dialogStyles.dialogActions}>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
        <Button look="main" busy={busy} disabled={area === null} onClick={() => void use()}>
          {t('files.crop.use')}
        </Button>
      </div>
    </Dialog>
  );
}

/** Pixels of the picture that is saved: twice what the largest one on a screen has. */
const side = 256;

async function cut(url: string, { x, y, width, height }: Area): Promise<Blob> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = side;
  canvas.height = side;
  const drawing = canvas.getContext('2d');
  if (drawing === null) throw new Error(t('files.crop.unreadable'));
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(image, x, y, width, height, 0, 0, side, side);
  return new Promise((resolve, reject) => {
    // Where a browser cannot write WebP it writes PNG.
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error(t('files.crop.unreadable')))), 'image/webp', 0.9);
  });
}
