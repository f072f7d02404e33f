// Order of tasks: the first property decides, the next where it says nothing, each either way round.

import { ArrowDownWideNarrow, ArrowUpNarrowWide, X } from 'lucide-react';
import type { Sorting, SortKey } from '../../../../contract/views.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { IconButton } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/fields/field.tsx';
import { latestFirst, useSorts } from '../view-choices.ts';
import type { ViewHandle } from '../view-handle.ts';
import styles from './sort-levels.module.css';

interface SortLevelsProps {
  readonly projectId: string;
  readonly handle: ViewHandle;
  /** The order that needs no saying. */
  readonly plain: SortKey;
}

const none = 'none';
const most = 5;

/** As a property is ordered by at first. */
const begun = (by: SortKey): Sorting => ({ by, descending: latestFirst(by) });

export function SortLevels({ projectId, handle, plain }: SortLevelsProps) {
  const sorts = useSorts(projectId);
  const sort = handle.view.sort;
  const levels: readonly Sorting[] = sort.length > 0 ? sort : [{ by: plain, descending: false }];
  const taken = new Set(levels.map(({ by }) => by));
  const set = (next: readonly Sorting[]): void => {
    const [first] = next;
    handle.set({ sort: next.length === 1 && first?.by === plain && !first.descending ? [] : next });
  };
  const change = (at: number, patch: Partial<Sorting>): void =>
    set(levels.map((level, place) => (place === at ? { ...level, ...patch } : level)));
  const choicesBeside = (mine: SortKey | null) =>
    sorts
      .filter(({ by }) => by === mine || !taken.has(by))
      .map(({ by, name }) => ({ value: by as string, label: name }));
  return (
    <div className={shapes.stackS3}>
      {levels.map(({ by, descending }, at) => {
        const name = sorts.find((one) => one.by === by)?.name ?? by;
        const Arrow = descending ? ArrowUpNarrowWide : ArrowDownWideNarrow;
        return (
          <div key={by} className={`${shapes.stackS2} ${styles.level}`}>
            <SelectField
              label={at === 0 ? t('views.display.order') : t('views.levels.then')}
              value={by as string}
              choices={choicesBeside(by)}
              onPick={(next) => change(at, begun(next as SortKey))}
            />
            <IconButton
              label={t('views.levels.reverse', { name })}
              aria-pressed={descending}
              onClick={() => change(at, { descending: !descending })}
            >
              <Arrow size={16} />
            </IconButton>
            {levels.length > 1 && (
              <IconButton
                label={t('views.levels.remove', { name })}
                onClick={() => set(levels.filter((_, place) => place !== at))}
              >
                <X size={16} />
              </IconButton>
            )}
          </div>
        );
      })}
      {levels.length < most && taken.size < sorts.length && (
        <SelectField
          // A new one for each level: it never holds what was chosen.
          key={levels.length}
          label={t('views.levels.then')}
          value={none}
          choices={[{ value: none, label: t('views.levels.none') }, ...choicesBeside(null)]}
          onPick={(next) => next !== none && set([...levels, begun(next as SortKey)])}
        />
      )}
    </div>
  );
}
