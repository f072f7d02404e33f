// The picture of a person or a project: chosen or dropped, cut to a square, saved, removed.

import { ImageUp, Trash2 } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { collectFiles, holdsFiles } from '../files/collect-files.ts';
import { useSavePicture } from '../files/save-picture.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Button } from '../ui/button.tsx';
import { lazyOverlay } from '../ui/overlays/lazy-overlay.tsx';

const CropDialog = lazyOverlay(() => import('../ui/overlays/crop-dialog.tsx'), ['files']);

interface Props {
  /** Its folder in the bucket. */
  readonly folder: string;
  readonly current: string | null;
  readonly shape: 'round' | 'rect';
  readonly hint?: string;
  /** What is shown now. */
  readonly children: ReactNode;
  readonly onChange: (address: string | null) => void;
}

export function PictureField({ folder, current, shape, hint, children, onChange }: Props) {
  const save = useSavePicture();
  const picker = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<File | null>(null);
  const take = (files: readonly File[]): void =>
    setChosen(files.find((file) => file.type.startsWith('image/')) ?? files[0] ?? null);

  async function use(picture: Blob): Promise<void> {
    onChange(await save(folder, picture, current));
  }

  return (
    <fieldset
      className={shapes.flowS4}
      aria-label={t('common.picture.label')}
      onDragOver={(event) => {
        if (holdsFiles(event.dataTransfer)) event.preventDefault();
      }}
      onDrop={(event) => {
        if (!holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        void collectFiles(event.dataTransfer).then(take);
      }}
    >
      {children}
      <div className={shapes.flowS3}>
        <Button icon={<ImageUp size={14} />} onClick={() => picker.current?.click()}>
          {current === null ? t('common.picture.choose') : t('common.picture.change')}
        </Button>
        {current !== null && (
          <Button look="quiet" icon={<Trash2 size={14} />} onClick={() => onChange(null)}>
            {t('common.picture.remove')}
          </Button>
        )}
        {hint !== undefined && current === null && <p className={`${shapes.quietS} ${shapes.full}`}>{hint}</p>}
      </div>
      <input
        ref={picker}
        type="file"
        accept="image/*"
        hidden
        aria-label={t('common.picture.choose')}
        onChange={({ currentTarget }) => {
          take([...(currentTarget.files ?? [])]);
          currentTarget.value = '';
        }}
      />
      {chosen !== null && <CropDialog file={chosen} shape={shape} onUse={use} onClose={() => setChosen(null)} />}
    </fieldset>
  );
}
