// Parts of a quick line that were understood, as chips below it; a press makes one words of the title again.

import { X } from 'lucide-react';
import { sayDay } from '../../queries/days/days.ts';
import type { LinePart, LineWords } from '../../queries/tasks/read-task-line.ts';
import type { Priority } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { PartSign } from './part-sign.tsx';
import styles from './quick-line.module.css';
import type { QuickLine } from './use-quick-line.ts';

interface LinePartsProps {
  readonly line: QuickLine;
  /** The field has the focus again. */
  readonly onBack: () => void;
  readonly onEscape: () => void;
}

export function LineParts({ line: { lines, words, keepInTitle }, onBack, onEscape }: LinePartsProps) {
  const parts = [...new Map(lines.flatMap((line) => line.parts).map((part) => [part.typed, part])).values()];
  return (
    <div className={`${shapes.rowS2} ${shapes.wraps} ${styles.parts}`}>
      <span role="status" className="only-spoken">
        {parts.map((part) => nameOf(part, words)).join(', ')}
      </span>
      {lines.length > 1 && (
        <span className={`${shapes.softXs} ${shapes.strong} ${styles.many}`}>
          {t('common.tasks', { n: lines.length })}
        </span>
      )}
      {parts.map((part) => {
        const label = t('board.line.takeBack', { what: nameOf(part, words), typed: part.typed });
        return (
          <button
            key={part.typed}
            type="button"
            className={`${shapes.inlineS2} ${shapes.within} ${styles.part}`}
            aria-label={label}
            title={label}
            onClick={() => {
              keepInTitle(part);
              onBack();
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              onEscape();
            }}
          >
            <PartSign part={part} words={words} />
            <span className={shapes.words}>{nameOf(part, words)}</span>
            <X size={12} aria-hidden="true" />
          </button>
        );
      })}
    </div>
  );
}

function nameOf({ kind, is }: LinePart, { people, labels }: LineWords): string {
  if (kind === 'assignee') return people.find((one) => one.userId === is)?.name ?? '';
  if (kind === 'label') return labels.find((one) => one.id === is)?.name ?? '';
  return kind === 'due' ? sayDay(is) : t(`common.priorities.${is as Priority}`);
}
