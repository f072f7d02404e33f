// Files dropped on a card are attached to its task. The cards' own drag and drop goes by pointers and does not meet this one.

import { type DragEvent, useState } from 'react';
import { collectFiles, holdsFiles } from '../../files/collect-files.ts';
import { useUploads } from '../../files/react.ts';
import type { TaskRow } from '../../queries.ts';
import { useReader } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { loadTexts } from '../../strings/texts.ts';
import { showMessage } from '../../ui/overlays/toaster.tsx';

export interface CardDrop {
  onDragOver(event: DragEvent): void;
  onDragLeave(event: DragEvent): void;
  onDrop(event: DragEvent): void;
}

const cardUnder = (event: DragEvent): HTMLElement | null =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-task-id]') : null;

export function useCardDrop(mayChange: (task: TaskRow) => boolean): CardDrop {
  const uploads = useUploads();
  const store = useReader();
  const [marked] = useState(() => ({ card: null as HTMLElement | null }));

  function mark(card: HTMLElement | null): void {
    if (marked.card === card) return;
    if (marked.card) delete marked.card.dataset.fileOver;
    if (card) card.dataset.fileOver = '';
    marked.card = card;
  }

  /** Of a card whose task one may change. */
  function taskOn(card: HTMLElement): TaskRow | undefined {
    const task = store.get('tasks', card.dataset.taskId ?? '');
    return task && mayChange(task) ? task : undefined;
  }

  async function attach(task: TaskRow, found: Promise<File[]>): Promise<void> {
    const [files, { attachFiles }] = await Promise.all([
      found,
      import('../../files/attach-files.ts'),
      loadTexts('files'),
    ]);
    if (files.length === 0) showMessage(t('files.nothing'));
    attachFiles(uploads, task, files);
  }

  return {
    onDragOver(event) {
      if (!holdsFiles(event.dataTransfer)) return;
      const under = cardUnder(event);
      const card = under !== null && taskOn(under) !== undefined ? under : null;
      mark(card);
      if (card === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDragLeave(event) {
      if (!(event.relatedTarget instanceof Node) || !event.currentTarget.contains(event.relatedTarget)) mark(null);
    },
    onDrop(event) {
      const card = cardUnder(event);
      mark(null);
      const task = card && taskOn(card);
      if (!task || !holdsFiles(event.dataTransfer)) return;
      event.preventDefault();
      void attach(task, collectFiles(event.dataTransfer));
    },
  };
}
