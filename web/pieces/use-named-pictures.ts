// Pictures and files that a text names by `attachment:<id>`: those from the bucket, and those that are still on their way, shown from this
// device meanwhile. For a text that is read, and for one that is being written.

import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { useBorrowPicture } from '../files/pictures.ts';
import { useUploadList } from '../files/react.ts';
import { percentOf, type Upload } from '../files/uploads.ts';
import { type AttachmentRow, attachmentsNamed, kindOf, useQuery } from '../queries.ts';
import { t } from '../strings/messages.ts';

/** As wide as a text is on most screens, twice over. */
const fit = 1280;

const named = /attachment:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/gi;

/** Fills them in below `box` each time what is drawn there has changed; answers those that are known. */
export function useNamedPictures(
  box: RefObject<HTMLElement | null>,
  text: string,
  drawn: unknown,
): readonly AttachmentRow[] {
  const ids = useMemo(() => [...text.matchAll(named)].map(([, id = '']) => id.toLowerCase()).join(), [text]);
  const rows = useQuery(attachmentsNamed, ids);
  const uploads = useUploadList();
  const borrow = useBorrowPicture();
  const borrowed = useRef(new Map<string, () => void>());
  useEffect(() => {
    const held = borrowed.current;
    return () => {
      for (const release of held.values()) release();
      held.clear();
    };
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another content of the box
  useEffect(() => {
    for (const element of box.current?.querySelectorAll<HTMLElement>('[data-attachment]') ?? []) {
      const id = element.dataset.attachment ?? '';
      const row = rows.find((one) => one.id === id);
      const upload = uploads.find((one) => one.attachment.id === id);
      if (element instanceof HTMLImageElement && row !== undefined) void showStored(element, row);
      else mark(element, row, upload);
    }

    async function showStored(image: HTMLImageElement, row: AttachmentRow): Promise<void> {
      const path = row.object_path;
      if (image.dataset.path === path) return;
      image.dataset.path = path;
      const { picture, release } = await borrow(path, fit);
      if (image.dataset.path !== path || !image.isConnected || picture.url === null) {
        release();
        if (picture.failed) mark(image, row, undefined);
        return;
      }
      borrowed.current.get(row.id)?.();
      borrowed.current.set(row.id, release);
      image.src = picture.url;
      delete image.dataset.state;
      image.title = row.name;
    }
  }, [text, drawn, rows, uploads, borrow]);
  return rows;
}

/** What is not there as it should be says why, and shows what this device has of it. */
function mark(element: HTMLElement, row: AttachmentRow | undefined, upload: Upload | undefined): void {
  const name = row?.name ?? upload?.attachment.name ?? (element instanceof HTMLImageElement ? element.alt : '');
  if (!(element instanceof HTMLImageElement)) {
    if (row === undefined) element.title = describe(name, upload);
    else element.removeAttribute('title');
    return;
  }
  element.dataset.state = row !== undefined && kindOf(row) !== 'image' ? 'file' : upload ? upload.state : 'missing';
  element.title = describe(name, upload);
  if (upload?.preview && element.src !== upload.preview) element.src = upload.preview;
}

function describe(name: string, upload: Upload | undefined): string {
  if (upload === undefined) return t('files.notThere', { name });
  if (upload.fault !== null) return t('files.failedPicture', { name, fault: upload.fault });
  return t('files.sendingPicture', { name, percent: percentOf(upload) });
}
