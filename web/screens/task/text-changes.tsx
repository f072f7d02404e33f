// Changes of a text: words that were removed and added, with a few lines beside them.

import { type ReactNode, useMemo } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { type DifferentPart, wordDifferenceOf } from '../../ui/text/difference.ts';
import styles from './text-changes.module.css';

export function TextChanges({ one, other }: { one: string; other: string }) {
  const parts = useMemo(() => wordDifferenceOf(one, other), [one, other]);
  const told = { one: t('writing.versions.removed'), other: t('writing.versions.added') };
  const drawn = ({ of, text }: DifferentPart, at: number): ReactNode => {
    if (of === 'both') return <Same key={at} text={text} isFirst={at === 0} isLast={at === parts.length - 1} />;
    const Mark = of === 'one' ? 'del' : 'ins';
    return (
      <Mark key={at}>
        <span className="only-spoken">{told[of]} </span>
        {text}
      </Mark>
    );
  };
  return <div className={`${shapes.plaintext} ${styles.changes}`}>{parts.map(drawn)}</div>;
}

/** Lines shown beside a change. */
const near = 2;

/** A long stretch that is the same is cut down to the lines beside the changes. */
function Same({ text, isFirst, isLast }: { text: string; isFirst: boolean; isLast: boolean }) {
  const lines = text.split('\n');
  const [head, tail] = [isFirst ? 0 : near + 1, isLast ? 0 : near + 1];
  const left = lines.length - head - tail;
  if (left < 3) return text;
  return (
    <>
      {lines.slice(0, head).join('\n')}
      <span className={`${shapes.quietS} ${styles.cut}`}>{t('writing.versions.same', { n: left })}</span>
      {lines.slice(lines.length - tail).join('\n')}
    </>
  );
}
