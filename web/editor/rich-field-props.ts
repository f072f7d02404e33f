// Props and handle of the rich text field.

import type { Ref } from 'react';
import type { Mentions } from './mentions.ts';
import type { TaskSuggestion } from './suggestions-list.tsx';

export interface RichFieldProps {
  readonly label: string;
  readonly placeholder?: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onEscape: () => void;
  /** Takes the focus when it is there. */
  readonly focus?: boolean;
  /** A field for a few lines. */
  readonly small?: boolean;
  readonly named: Mentions;
  readonly findTasks: (words: string) => readonly TaskSuggestion[];
  readonly keyOfNumber: (number: string) => string | null;
  /** Puts files on their way and answers how the text names them. */
  readonly attach: (files: readonly File[]) => readonly string[];
  /** Null: nothing in it is a file. */
  readonly collect: (data: DataTransfer) => Promise<readonly File[]> | null;
  /** Null: files are not offered. */
  readonly chooseFiles: (() => void) | null;
  readonly handle?: Ref<RichFieldHandle>;
}

export interface RichFieldHandle {
  /** Where the caret stands. */
  insertFiles(files: readonly File[]): void;
}
