// Parts of a task: those with content are shown; the others are a row of chips, each of which opens its part with the field focused.

import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useUploadList } from '../../files/react.ts';
import {
  attachmentsOf,
  checklistOf,
  outlineOf,
  predecessorsOf,
  successorsOf,
  type TaskRow,
  useQuery,
} from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { bufferKeys } from '../../ui/overlays/buffered-keys.ts';
import { useTouch } from '../../ui/use-narrow.ts';
import styles from './task-part.module.css';

const parts = ['subtasks', 'dependencies', 'files'] as const;
export type Part = (typeof parts)[number];
/** Files can be photographed, too, where there is a camera at hand. */
type Chip = Part | 'photo';

export interface Parts {
  /** Its section stands there. */
  shows(part: Part): boolean;
  open(part: Part): void;
}

/** A part that has been shown stays until the task is left, also when its last line goes. */
export function useParts(task: TaskRow, canWrite: boolean): Parts {
  const [opened, setOpened] = useState<readonly Part[]>([]);
  const attached = useQuery(attachmentsOf, task.id).length;
  const sent = useUploadList().filter(({ attachment }) => attachment.task_id === task.id).length;
  const has: Record<Part, boolean> = {
    subtasks: useQuery(outlineOf, task.id).length + useQuery(checklistOf, task.id).length > 0,
    dependencies: useQuery(predecessorsOf, task.id).length + useQuery(successorsOf, task.id).length > 0,
    files: attached + sent > 0,
  };
  const filled = parts.filter((part) => has[part]).join(' ');
  useEffect(() => {
    setOpened((old) => parts.filter((part) => old.includes(part) || filled.split(' ').includes(part)));
  }, [filled]);
  return {
    shows: (part) => has[part] || (canWrite && opened.includes(part)),
    open: (part) => setOpened((old) => [...old, part]),
  };
}

/** In each part: the field that its chip leads to. */
export const firstField = (part: Chip) => ({ 'data-first-field': part }) as const;

/** `writes`: else a guest, who adds items and files. */
export function AddParts({ parts: { shows, open }, writes }: { parts: Parts; writes: boolean }) {
  const row = useRef<HTMLFieldSetElement>(null);
  const touch = useTouch();
  const missing = parts.filter((part) => !shows(part) && (writes || part !== 'dependencies'));
  const chips: Chip[] = touch && missing.includes('files') ? [...missing, 'photo'] : missing;

  function press(part: Chip): void {
    const around = row.current?.parentElement;
    // Files are asked for by the browser: nothing is shown until some are chosen.
    const isFile = part === 'files' || part === 'photo';
    if (!isFile) flushSync(() => open(part));
    const field = around?.querySelector<HTMLElement>(`[data-first-field="${part}"]`);
    if (field?.matches('[type="file"], button')) {
      if (!isFile) bufferKeys();
      field.click();
    } else field?.focus();
  }

  if (missing.length === 0) return null;
  return (
    <fieldset ref={row} className={shapes.wrapS3} aria-label={t('task.addPart.title')}>
      {chips.map((part) => (
        <button
          key={part}
          type="button"
          className={`${shapes.inlineS2} ${shapes.pressInk} ${shapes.softS} ${shapes.bordered} ${styles.addPart}`}
          onClick={() => press(part)}
        >
          <Plus size={14} aria-hidden="true" />{' '}
          {part === 'subtasks' && !writes ? t('task.addItem') : t(`task.addPart.${part}`)}
        </button>
      ))}
    </fieldset>
  );
}
