// Words someone was writing when they lost the right to: kept, shown, and theirs to copy.

import { words } from '../../strings/words.ts';
import { Notice } from '../../ui/state.tsx';

const say = words.task;

export function KeptWords({ text }: { text: string }) {
  return (
    <>
      <Notice tone="warn">{say.keptWords}</Notice>
      <textarea className="input text-area" readOnly aria-label={say.keptWordsLabel} value={text} />
    </>
  );
}
