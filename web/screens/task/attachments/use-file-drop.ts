// Files dragged over a part of the page: whether they are over it now, and what was dropped.

import { type DragEvent, useRef, useState } from 'react';
import { collectFiles, holdsFiles } from '../../../files/collect-files.ts';

export interface FileDrop {
  readonly over: boolean;
  readonly handlers: {
    onDragEnter(event: DragEvent): void;
    onDragOver(event: DragEvent): void;
    onDragLeave(event: DragEvent): void;
    onDrop(event: DragEvent): void;
  };
}

export function useFileDrop(enabled: boolean, onFiles: (files: File[]) => void): FileDrop {
  // Entering a part inside comes before leaving what is around it.
  const depth = useRef(0);
  const [over, setOver] = useState(false);
  const leave = (): void => {
    depth.current = 0;
    setOver(false);
  };
  return {
    over: over && enabled,
    handlers: {
      onDragEnter(event) {
        if (!enabled || !holdsFiles(event.dataTransfer)) return;
        depth.current++;
        setOver(true);
      },
      onDragOver(event) {
        if (!enabled || event.defaultPrevented || !holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave(event) {
        if (!holdsFiles(event.dataTransfer)) return;
        depth.current--;
        if (depth.current <= 0) leave();
      },
      onDrop(event) {
        leave();
        if (!enabled || event.defaultPrevented || !holdsFiles(event.dataTransfer)) return;
        event.preventDefault();
        void collectFiles(event.dataTransfer).then(onFiles);
      },
    },
  };
}
