// Buffers keys typed after the comment key until the panel of the task has opened and its comment field takes them (comments.tsx). Otherwise the
// first letters of a quick comment would be shortcuts of the screen behind.

import { MessageSquare } from 'lucide-react';
import { useEffect } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import { bufferKeys, dropBufferedKeys, replayKeys } from '../../ui/overlays/buffered-keys.ts';

let wanted = false;

export function CommentKey() {
  useActions([
    {
      id: 'task-comment',
      label: t('task.comment'),
      group: 'task',
      keys: 'r',
      icon: <MessageSquare size={16} />,
      effect: () => {
        wanted = true;
        bufferKeys();
      },
    },
  ]);
  // The task was left before its field came.
  useEffect(() => () => takeWish(null), []);
  return null;
}

/** The field is there and gets what was typed; null: there is none to write in. */
export function takeWish(focus: (() => void) | null): void {
  if (!wanted) return;
  wanted = false;
  if (focus === null) {
    dropBufferedKeys();
    return;
  }
  focus();
  void replayKeys();
}
