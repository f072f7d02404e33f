// Making or changing one condition: first which property, then how it is asked and what for. What is whole is filtered by at once.

import { Command } from 'cmdk';
import { GitBranchPlus, Trash2 } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Condition, Operator, Property } from '../../../../contract/views.ts';
import { t } from '../../../strings/messages.ts';
import shapes from '../../../styles/shapes.module.css';
import { Button } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/fields/field.tsx';
import pickerStyles from '../../../ui/fields/picker.module.css';
import menuStyles from '../../../ui/overlays/menu.module.css';
import { Popover } from '../../../ui/overlays/popover.tsx';
import { useLatest } from '../../../ui/use-latest.ts';
import { ConditionValue } from './condition-value.tsx';
import type { Path } from './edit-filter.ts';
import styles from './filter-chips.module.css';
import type { FilterNames } from './names.tsx';
import { askedAs, asList, firstOf, isWhole, offeredOperators } from './say-condition.ts';

interface EditorProps {
  readonly names: FilterNames;
  /** The condition that is changed; a new one begins with its property. */
  readonly start?: Condition | undefined;
  /** The property of a new one, where it is chosen already. */
  readonly begin?: Property;
  /** Where it stands, or will once it is whole. */
  readonly place: Path;
  /** `last`: where it stands already; null the first time a new one is whole. */
  readonly onChange: (condition: Condition, last: Path | null) => void;
  readonly onRemove: (path: Path) => void;
  /** Goes on to an alternative. */
  readonly onOther?: (() => void) | undefined;
  readonly onDone: () => void;
}

/** `about`: what it is about; another one begins anew in the same place. */
interface ConditionPopoverProps extends EditorProps {
  readonly there: HTMLElement;
  readonly back?: HTMLElement;
  readonly about: string;
}

export function ConditionPopover({ there, back = there, about, ...editing }: ConditionPopoverProps) {
  const leave = useRef<() => void>(() => undefined);
  return (
    <Popover
      trigger={{ there, back }}
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
  const { names, start, begin, place, onChange, onRemove, onOther, onDone, leave } = props;
  const [condition, setCondition] = useState<Condition | null>(start ? asList(start) : begin ? firstOf(begin) : null);
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
  const latest = useLatest(change);
  useEffect(() => {
    // Some conditions are whole without a value.
    if (begin) latest.current(firstOf(begin));
  }, [begin, latest]);
  if (condition === null) return <PropertyList names={names} onPick={change} />;
  const what = names.nameOf(condition.property);
  return (
    <div className={`${shapes.stackS3} ${shapes.within} ${styles.editor}`}>
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
        <footer className={`${shapes.wrapS2} ${shapes.spread} ${shapes.ruledAbove} ${styles.foot}`}>
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

function PropertyList({ names, onPick }: { names: FilterNames; onPick: (condition: Condition) => void }) {
  const [text, setText] = useState('');
  const holds = (words: string): boolean => words.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase());
  const found = names.properties.filter((property) => holds(names.nameOf(property)));
  return (
    <Command
      shouldFilter={false}
      label={t('views.add')}
      className={`${shapes.column} ${shapes.within} ${pickerStyles.picker}`}
      loop
    >
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
        {found.length === 0 && <p className={pickerStyles.pickerEmpty}>{t('common.nothingFound')}</p>}
      </Command.List>
    </Command>
  );
}
