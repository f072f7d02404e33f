// The editor, fetched while nobody waits for it: a field that is shown before it is here is one of plain Markdown, and becomes one of the
// other kind when it comes. Without it (no network, an older page) plain Markdown stays.

import type { ComponentType } from 'react';
import type { RichFieldProps } from '../../editor/rich-field-props.ts';

export type Editor = ComponentType<RichFieldProps>;

let ready: Editor | null = null;
let _coming: Promise<void> | null = null;
const waiting = new Set<(editor: Editor) => void>();

export function readyEditor(): Editor | null {
  return ready;
}

export function fetchEditor(): void {
  _coming ??= import('../../editor/rich-field.tsx').then(
    (module) => {
      ready = module.default;
      for (const tell of waiting) tell(ready);
      waiting.clear();
    },
    () => {
      // Asked for again by the next field.
      _coming = null;
    },
  );
}

/** Tells when it is there; answers how to stop waiting. */
export function whenEditorIsReady(tell: (editor: Editor) => void): () => void {
  if (ready !== null) {
    tell(ready);
    return () => undefined;
  }
  waiting.add(tell);
  fetchEditor();
  return () => void waiting.delete(tell);
}
