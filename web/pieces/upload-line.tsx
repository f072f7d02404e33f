// One file on its way: how far it is, a way to stop it; and where it was refused, why, and a way to try again.

import { RotateCw, X } from 'lucide-react';
import { useUploads } from '../files/react.ts';
import { saySize } from '../files/say-size.ts';
import { percentOf, type Upload } from '../files/uploads.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { IconButton } from '../ui/button.tsx';
import progressStyles from '../ui/progress.module.css';
import styles from './upload-line.module.css';

export function UploadLine({ upload }: { upload: Upload }) {
  const uploads = useUploads();
  const { attachment, state, fault } = upload;
  const { id, name, size_bytes } = attachment;
  const percent = percentOf(upload);
  const failed = state === 'failed';
  return (
    <li className={`${shapes.rowS3} ${shapes.box} ${shapes.slim} ${shapes.padS3}`} data-upload={state}>
      {upload.preview && <img src={upload.preview} alt="" className={styles.uploadPicture} />}
      <div className={`${shapes.stackS1} ${shapes.fill}`}>
        <span className={`${shapes.cut} ${shapes.medium}`} title={name}>
          {name}
        </span>
        {failed ? (
          <span className={shapes.wrong} role="alert">
            {fault}
          </span>
        ) : (
          <>
            <progress
              className={progressStyles.bar}
              max={100}
              value={percent}
              aria-label={t('files.uploading', { name })}
            />
            <span className={`${shapes.quietXs} numbers`}>
              {state === 'unreachable'
                ? (fault ?? t('files.unreachable'))
                : state === 'waiting'
                  ? t('common.waiting')
                  : t('files.progress', { percent, size: saySize(size_bytes) })}
            </span>
          </>
        )}
      </div>
      {(failed || state === 'unreachable') && (
        <IconButton label={t('files.retryNamed', { name })} onClick={() => uploads.retry(id)}>
          <RotateCw size={14} />
        </IconButton>
      )}
      <IconButton
        label={failed ? t('files.dismiss', { name }) : t('files.cancelNamed', { name })}
        onClick={() => uploads.cancel(id)}
      >
        <X size={14} />
      </IconButton>
    </li>
  );
}
