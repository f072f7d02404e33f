// A text field that takes files: what is pasted or dropped is attached to the task, on its way at once, and named in the text where the
// caret stands. An upload that is given up takes its name out of the text again.

import { type ClipboardEvent, type DragEvent, type RefObject, useEffect, useRef } from 'react';
import { attachFiles } from '../../../files/attach-files.ts';
import { markdownOf } from '../../../files/attachment-name.ts';
import { collectFiles, holdsFiles } from '../../../files/collect-files.ts';
import { useUploadList, useUploads } from '../../../files/react.ts';
import { type TaskRow, useReader } from '../../../queries.ts';
import { useLatest } from '../../../ui/use-latest.ts';

interface Field {
  readonly task: Pick<TaskRow, 'id' | 'project_id'>;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export interface FileFieldHandlers {
  onPaste(event: ClipboardEvent): void;
  onDragOver(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

export function useFileField({ task, field, text, onChange }: Field): FileFieldHandlers {
  const uploads = useUploads();
  const list = useUploadList();
  const store = useReader();
  const latest = useLatest({ text, onChange });
  /** What was named here and has not arrived: its Markdown by its id. */
  const named = useRef(new Map<string, string>());

  useEffect(() => {
    for (const [id, markdown] of named.current) {
      if (list.some((upload) => upload.attachment.id === id)) continue;
      named.current.delete(id);
      if (store.get('task_attachments', id) !== undefined) continue;
      const { text, onChange } = latest.current;
      if (text.includes(markdown)) onChange(text.replace(markdown, '').trim());
    }
  }, [list, store, latest]);

  function insert(files: readonly File[]): void {
    const made = attachFiles(uploads, task, files);
    if (made.length === 0) return;
    const { text, onChange } = latest.current;
    const from = field.current?.selectionStart ?? text.length;
    const to = field.current?.selectionEnd ?? from;
    const names = made.map((attachment) => {
      const markdown = markdownOf(attachment);
      named.current.set(attachment.id, markdown);
      return markdown;
    });
    const before = text.slice(0, from);
    const inserted = `${before === '' || /\s$/.test(before) ? '' : ' '}${names.join('\n')}${names.length > 1 ? '\n' : ' '}`;
    onChange(before + inserted + text.slice(to));
    const caret = from + inserted.length;
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  }

  return {
    onPaste(event) {
      const { files, types } = event.clipboardData;
      // Words that come with a picture of themselves are words.
      if (files.length === 0 || types.includes('text/plain')) return;
      event.preventDefault();
      insert([...files].map(nameOfPasted));
    },
    onDragOver(event) {
      if (holdsFiles(event.dataTransfer)) event.preventDefault();
    },
    onDrop(event) {
      if (!holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      void collectFiles(event.dataTransfer).then(insert);
    },
  };
}

/** Every screenshot is called image.png: the moment tells them apart. */
function nameOfPasted(file: File): File {
  if (!/^image\.\w+$/.test(file.name)) return file;
  const moment = new Date().toISOString().slice(0, 19).replaceAll(':', '-').replace('T', ' ');
  return new File([file], file.name.replace(/^image/, `image ${moment}`), { type: file.type });
}
