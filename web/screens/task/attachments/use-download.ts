// Saves files to this device: one by a link that is good for a minute, which is followed and never shown; several as a zip.

import { useState } from 'react';
import { useFetchFile, useSignFile } from '../../../files/react.ts';
import { zipFiles } from '../../../files/zip-files.ts';
import type { AttachmentRow } from '../../../queries.ts';
import { t } from '../../../strings/messages.ts';
import { showError } from '../../../ui/overlays/toaster.tsx';
import { saveFile } from '../../../ui/save-file.ts';

const seconds = 60;

export function useDownload(): (attachment: Pick<AttachmentRow, 'name' | 'object_path'>) => void {
  const sign = useSignFile();
  return ({ name, object_path }) => {
    sign(object_path, seconds, name).then(follow, () => showError(t('files.downloadFailed')));
  };
}

/** `packing` while they are on their way. */
export function useDownloadAll(): {
  readonly packing: boolean;
  downloadAll(attachments: readonly AttachmentRow[], name: string): Promise<void>;
} {
  const fetchFile = useFetchFile();
  const [packing, setPacking] = useState(false);
  return {
    packing,
    async downloadAll(attachments, name) {
      setPacking(true);
      try {
        saveFile(name, await zipFiles(attachments, (path) => fetchFile(path, {})));
      } catch {
        showError(t('files.downloadFailed'));
      } finally {
        setPacking(false);
      }
    },
  };
}

function follow(address: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.rel = 'noreferrer';
  link.click();
}
