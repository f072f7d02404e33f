// Making or changing one condition: first which property, then how it is asked and what for. What is whole is filtered by at once.

import { Command } from 'cmdk';
import { GitBranchPlus, Trash2 } from 'lucide-react';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Condition, Operator, Part } from '../../../../contract/views.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/fields/field.tsx';
import pickerStyles from '../../../ui/fields/picker.module.css';
import menuStyles from '../../../ui/overlays/menu.module.css';
import { Popover } from '../../../ui/overlays/popover.tsx';
import { ConditionValue } from './condition-value.tsx';
import type { Path } from './edit-filter.ts';
import styles from './filter-chips.module.css';
import type { FilterNames } from './names.tsx';
import { askedAs, asList, firstOf, isWhole, offeredOperators } from './say-condition.ts';

interface EditorProps {
  readonly names: FilterNames;
  /** The condition that is changed; a new one begins with its property. */
  readonly start?: Condition | undefined;
  /** Where it stands, or will once it is whole. */
  readonly place: Path;
  /** `last`: where it stands already; null the first time a new one is whole. */
  readonly onChange: (condition: Condition, last: Path | null) => void;
  readonly onRemove: (path: Path) => void;
  /** Goes on to an alternative. */
  readonly onOther?: (() => void) | undefined;
  readonly onPreset?: ((parts: readonly Part[]) => void) | undefined;
  readonly onDone: () => void;
}

/** `about`: what it is about; another one begins anew in the same place. */
export function ConditionPopover({ there, about, ...editing }: EditorProps & { there: HTMLElement; about: string }) {
  const leave = useRef<() => void>(() => undefined);
  return (
    <Popover
      trigger={{ there }}
      label={t('views.add')}
      open
      onOpenChange={(is) => {
        if (is) return;
        leave.current();
        editing.onDone();
      }}
    >
      <ConditionEditor key={about} {...editing} leave={leave} />
    </Popover>
  );
}

function ConditionEditor(props: EditorProps & { leave: RefObject<() => void> }) {
  const { names, start, place, onChange, onRemove, onOther, onPreset, onDone, leave } = props;
  const [condition, setCondition] = useState<Condition | null>(start ? asList(start) : null);
  const stands = useRef<Path | null>(start ? place : null);
  useLayoutEffect(() => {
    // Something that was emptied is not filtered by.
    leave.current = () => {
      if (condition && stands.current && !isWhole(condition)) onRemove(stands.current);
    };
  });
  function change(next: Condition): void {
    setCondition(next);
    if (!isWhole(next)) return;
    onChange(next, stands.current);
    stands.current ??= place;
  }
  if (condition === null)
    return (
      <PropertyList
        names={names}
        onPick={change}
        onPreset={
          onPreset &&
          ((parts) => {
            onPreset(parts);
            onDone();
          })
        }
      />
    );
  const what = names.nameOf(condition.property);
  return (
    <div className={`${shapes.stackS3} ${styles.editor}`}>
      <SelectField<Operator>
        bare
        label={t('views.operator', { what })}
        value={condition.is}
        choices={offeredOperators(condition.property).map((is) => ({
          value: is,
          label: t(`views.operators.${is}`, { what }),
        }))}
        onPick={(is) => change(askedAs(condition, is))}
      />
      <ConditionValue
        key={condition.is}
        condition={condition}
        names={names}
        onChange={(value) => change({ ...condition, value })}
        onDone={onDone}
      />
      {start && (
        <footer className={`${shapes.wrapS2} ${styles.foot}`}>
          {onOther && (
            <Button look="quiet" icon={<GitBranchPlus size={14} />} onClick={onOther}>
              {t('views.other')}
            </Button>
          )}
          <Button
            look="quiet"
            icon={<Trash2 size={14} />}
            onClick={() => {
              onRemove(place);
              onDone();
            }}
          >
            {t('views.removeOne')}
          </Button>
        </footer>
      )}
    </div>
  );
}

/** What is asked most, ready made. */
const presets: readonly { readonly id: 'mine' | 'overdue' | 'soon' | 'open'; readonly parts: readonly Part[] }[] = [
  { id: 'mine', parts: [{ property: 'assignee', is: 'any_of', value: ['me'] }] },
  {
    id: 'overdue',
    parts: [
      { property: 'due_date', is: 'before', value: 'today' },
      { property: 'completed_at', is: 'empty' },
    ],
  },
  { id: 'soon', parts: [{ property: 'due_date', is: 'in_next', value: 7 }] },
  { id: 'open', parts: [{ property: 'completed_at', is: 'empty' }] },
];

function PropertyList({
  names,
  onPick,
  onPreset,
}: {
  names: FilterNames;
  onPick: (condition: Condition) => void;
  onPreset?: ((parts: readonly Part[]) => void) | undefined;
}) {
  const [text, setText] = useState('');
  const holds = (words: string): boolean => words.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
  const ready = onPreset ? presets.filter(({ id }) => holds(t(`views.presets.${id}`))) : [];
  const found = names.properties.filter((property) => holds(names.nameOf(property)));
  return (
    <Command shouldFilter={false} label={t('views.add')} className={pickerStyles.picker} loop>
      <Command.Input
        className={pickerStyles.pickerInput}
        value={text}
        onValueChange={setText}
        placeholder={t('views.addPlaceholder')}
      />
      <Command.List className={pickerStyles.pickerList} label={t('views.add')}>
        {found.map((property) => (
          <Command.Item
            key={property}
            value={property}
            className={menuStyles.menuItem}
            onSelect={() => onPick(firstOf(property))}
          >
            <span className={`${shapes.words} ${shapes.fill}`}>{names.nameOf(property)}</span>
          </Command.Item>
        ))}
        {ready.map(({ id, parts }) => (
          <Command.Item
            key={id}
            value={`preset ${id}`}
            className={`${menuStyles.menuItem} ${shapes.soft}`}
            onSelect={() => onPreset?.(parts)}
          >
            <span className={`${shapes.words} ${shapes.fill}`}>{t(`views.presets.${id}`)}</span>
          </Command.Item>
        ))}
        {found.length + ready.length === 0 && <p className={pickerStyles.pickerEmpty}>{t('common.nothingFound')}</p>}
      </Command.List>
    </Command>
  );
}
