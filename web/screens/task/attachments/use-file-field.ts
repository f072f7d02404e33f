// Files in a text that is being written: each is attached to the task, on its way at once, and named in the text. An upload that is given
// up takes its name out of the text again.

import { type ClipboardEvent, type DragEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import { attachFiles } from '../../../files/attach-files.ts';
import { addressInText, markdownOf } from '../../../files/attachment-name.ts';
import { collectFiles, holdsFiles } from '../../../files/collect-files.ts';
import { useUploadList, useUploads } from '../../../files/react.ts';
import { type TaskRow, useReader } from '../../../queries.ts';
import { useLatest } from '../../../ui/use-latest.ts';

interface Written {
  readonly task: Pick<TaskRow, 'id' | 'project_id'>;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** Puts files on their way and answers how the text names them. */
export function useNamedFiles({ task, text, onChange }: Written): (files: readonly File[]) => readonly string[] {
  const uploads = useUploads();
  const list = useUploadList();
  const store = useReader();
  const latest = useLatest({ task, text, onChange });
  /** What was named here and has not arrived. */
  const named = useRef(new Set<string>());

  useEffect(() => {
    for (const id of named.current) {
      if (list.some((upload) => upload.attachment.id === id)) continue;
      named.current.delete(id);
      if (store.get('task_attachments', id) !== undefined) continue;
      const { text, onChange } = latest.current;
      const without = withoutFile(text, id);
      if (without !== text) onChange(without.trim());
    }
  }, [list, store, latest]);

  return useCallback(
    (files) =>
      attachFiles(uploads, latest.current.task, files.map(nameOfPasted)).map((attachment) => {
        named.current.add(attachment.id);
        return markdownOf(attachment);
      }),
    [uploads, latest],
  );
}

function withoutFile(text: string, id: string): string {
  return text.replace(new RegExp(`!?\\[(?:[^\\]\\\\]|\\\\.){0,500}\\]\\(${addressInText(id)}\\)`, 'g'), '');
}

export interface FileFieldHandlers {
  onPaste(event: ClipboardEvent): void;
  onDragOver(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

/** For a field of plain text: what is pasted or dropped is named where the caret stands. */
export function useFileField(
  field: RefObject<HTMLTextAreaElement | null>,
  { text, onChange }: Pick<Written, 'text' | 'onChange'>,
  attach: (files: readonly File[]) => readonly string[],
): FileFieldHandlers & { insert(files: readonly File[]): void } {
  const latest = useLatest({ text, onChange });

  function insert(files: readonly File[]): void {
    const names = attach(files);
    if (names.length === 0) return;
    const { text, onChange } = latest.current;
    const from = field.current?.selectionStart ?? text.length;
    const to = field.current?.selectionEnd ?? from;
    const before = text.slice(0, from);
    const inserted = `${before === '' || /\s$/.test(before) ? '' : ' '}${names.join('\n')}${names.length > 1 ? '\n' : ' '}`;
    onChange(before + inserted + text.slice(to));
    const caret = from + inserted.length;
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  }

  return {
    insert,
    onPaste(event) {
      const { files, types } = event.clipboardData;
      // Words that come with a picture of themselves are words.
      if (files.length === 0 || types.includes('text/plain')) return;
      event.preventDefault();
      insert([...files]);
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
