// The filter as chips that read as a sentence. Arrows go from chip to chip, Enter changes one, Backspace takes it away; a chip may be an
// alternative to others, in a group. Fetched when something is filtered, or is about to be.

import { Plus, X } from 'lucide-react';
import { Fragment, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  type Condition,
  type Group,
  isGroup,
  noFilter,
  type Part,
  type Property,
  partsOf,
} from '../../../../contract/views.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { useHiddenSides } from '../../../ui/lists/use-hidden-ends.ts';
import { ConditionPopover } from './condition-popover.tsx';
import { addPart, narrowed, type Path, partAt, putPart, turnJoin, typedAt } from './edit-filter.ts';
import styles from './filter-chips.module.css';
import { type FilterNames, useFilterNames } from './names.tsx';
import { sayCondition } from './say-condition.ts';

interface FilterChipsProps {
  readonly projectId: string;
  /** As it is written. */
  readonly filter: Group;
  readonly onChange: (filter: Group) => void;
  /** A new condition is made of this property, below the box. */
  readonly begun: Property | null;
  readonly box: RefObject<HTMLElement | null>;
  /** Has the focus when it is made, or when no chip is left. */
  readonly back: RefObject<HTMLElement | null>;
  readonly onDone: () => void;
}

/** What the popover is about: a chip that is there, or a new one at the end of a group or beside a chip. */
interface Editing {
  readonly there: HTMLElement;
  readonly path: Path;
  readonly as: 'itself' | 'all' | 'any';
}

export default function FilterChips({ projectId, filter, onChange, begun, box, back, onDone }: FilterChipsProps) {
  const names = useFilterNames(projectId);
  const [editing, setEditing] = useState<Editing | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const typed = typedAt(filter);
  const stops = (): HTMLElement[] => [...(bar.current?.querySelectorAll('button') ?? [])];

  const focusStop = (at: number): void => {
    const all = stops();
    (all[Math.min(Math.max(at, 0), all.length - 1)] ?? box.current?.querySelector<HTMLElement>('button'))?.focus();
  };

  function remove(path: Path, at: number): void {
    // The next key may come before the next frame.
    flushSync(() => onChange(putPart(filter, path, null)));
    focusStop(at);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // The popover hangs elsewhere in the page but its keys arrive here all the same.
    const target = event.target as HTMLElement;
    if (!bar.current?.contains(target) || event.metaKey || event.ctrlKey || event.altKey) return;
    const at = stops().indexOf(target as HTMLButtonElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step !== undefined) focusStop(at + step);
    else if (event.key === 'Home') focusStop(0);
    else if (event.key === 'End') focusStop(stops().length - 1);
    else if ((event.key === 'Backspace' || event.key === 'Delete') && target.dataset.chip !== undefined)
      remove(target.dataset.chip.split('.').map(Number), at);
    else return;
    event.preventDefault();
  }

  const drawing = { filter, names, onEdit: setEditing, onChange, onRemove: remove, stops };
  const several = partsOf(filter).length > 1;
  const shown = partsOf(filter).flatMap((_, at) => (at === typed ? [] : [at]));
  useHiddenSides(bar, shown.length);
  const edited = editing?.as === 'itself' ? partAt(filter, editing.path) : undefined;
  return (
    <>
      {shown.length > 0 && (
        <div
          ref={bar}
          role="toolbar"
          aria-label={t('views.chips')}
          className={`${shapes.row} ${shapes.slim} ${styles.chips}`}
          onKeyDown={onKeyDown}
          onFocus={(event) => {
            for (const stop of stops()) stop.tabIndex = stop === event.target ? 0 : -1;
          }}
        >
          <Parts {...drawing} path={[]} places={shown} />
        </div>
      )}
      {begun !== null && box.current && (
        <ConditionPopover
          about="new"
          there={box.current}
          back={back.current ?? box.current}
          names={names}
          begin={begun}
          place={'any' in filter && several ? [1] : [partsOf(filter).length]}
          onChange={(condition, last) =>
            onChange(last === null ? narrowed(filter, [condition]) : putPart(filter, last, condition))
          }
          onRemove={(path) => onChange(putPart(filter, path, null))}
          onDone={onDone}
        />
      )}
      {editing && (
        <ConditionPopover
          about={`${editing.as} ${editing.path.join('.')}`}
          there={editing.there}
          names={names}
          start={edited && !isGroup(edited) ? edited : undefined}
          place={placeOfNew(filter, editing)}
          onChange={(condition, last) =>
            onChange(
              last === null
                ? addPart(filter, editing.path, condition, editing.as === 'all' ? 'all' : 'any')
                : putPart(filter, last, condition),
            )
          }
          onRemove={(path) => onChange(putPart(filter, path, null))}
          onOther={
            editing.as === 'itself' && editing.path.length < 3 ? () => setEditing({ ...editing, as: 'any' }) : undefined
          }
          onDone={() => setEditing(null)}
        />
      )}
    </>
  );
}

/** Where a condition that is added will stand, so that it can be changed again while its popover is open. */
function placeOfNew(filter: Group, { path, as }: Editing): Path {
  if (as === 'itself') return path;
  const there = partAt(filter, path);
  // The chip it is beside moves into a group of two; where it is all there is, that group is the whole.
  if (there === undefined || isGroup(there)) return [...path, there ? partsOf(there).length : 0];
  return path.length === 1 && partsOf(filter).length === 1 ? [1] : [...path, 1];
}

interface PartsProps {
  readonly filter: Group;
  readonly path: Path;
  readonly names: FilterNames;
  readonly onEdit: (editing: Editing) => void;
  readonly onChange: (filter: Group) => void;
  readonly onRemove: (path: Path, at: number) => void;
  readonly stops: () => HTMLElement[];
  /** Which of the parts; all where it is left out. */
  readonly places?: readonly number[];
}

function Parts({ path, places, ...drawing }: PartsProps) {
  const { filter, onChange } = drawing;
  const group = partAt(filter, path) ?? noFilter;
  if (!isGroup(group)) return null;
  const parts = partsOf(group);
  return (places ?? parts.map((_, at) => at)).map((at, place) => {
    const part = parts[at] as Part;
    const here = [...path, at];
    return (
      <Fragment key={at}>
        {place > 0 && (
          <button
            type="button"
            tabIndex={-1}
            className={`${shapes.softS} ${shapes.roundS} ${shapes.sideS2} ${styles.join}`}
            title={t('views.turnJoin')}
            onClick={() => onChange(turnJoin(filter, path))}
          >
            {t('all' in group ? 'views.and' : 'common.or')}
          </button>
        )}
        {isGroup(part) ? (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
          <span
            role="group"
            className={`${shapes.inlineS2} ${shapes.rigid} ${styles.group}`}
            aria-label={t('all' in part ? 'views.allOf' : 'views.anyOf')}
          >
            <Parts {...drawing} path={here} />
            <button
              type="button"
              tabIndex={-1}
              className={`${shapes.middle} ${shapes.rigid} ${shapes.soft} ${shapes.roundS} ${styles.plus}`}
              aria-label={t('views.addToGroup')}
              title={t('views.addToGroup')}
              onClick={(event) =>
                drawing.onEdit({ there: event.currentTarget, path: here, as: 'all' in part ? 'all' : 'any' })
              }
            >
              <Plus size={14} />
            </button>
          </span>
        ) : (
          <Chip {...drawing} condition={part} path={here} first={path.length === 0 && place === 0} />
        )}
      </Fragment>
    );
  });
}

function Chip({
  condition,
  path,
  first,
  names,
  onEdit,
  onRemove,
  stops,
}: PartsProps & { condition: Condition; first: boolean }) {
  const words = sayCondition(condition, names);
  return (
    <span className={`${shapes.rigid} ${shapes.level} ${styles.chip}`}>
      <button
        type="button"
        tabIndex={first ? 0 : -1}
        className={`${shapes.words} ${shapes.roundS} ${styles.words}`}
        data-chip={path.join('.')}
        aria-haspopup="dialog"
        title={words}
        onClick={(event) => onEdit({ there: event.currentTarget, path, as: 'itself' })}
      >
        {words}
      </button>
      <button
        type="button"
        tabIndex={-1}
        className={`${shapes.middle} ${shapes.rigid} ${shapes.soft} ${shapes.roundS} ${styles.remove}`}
        aria-label={t('views.remove', { what: words })}
        onClick={(event) => onRemove(path, stops().indexOf(event.currentTarget) - 1)}
      >
        <X size={13} />
      </button>
    </span>
  );
}
