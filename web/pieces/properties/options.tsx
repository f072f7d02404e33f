// Look of one or several choices: labels with their colours, columns and states with their rings.

import { choiceOf, choicesOf } from '../../properties/values.ts';
import { useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import { ChoiceMark, pickerItem } from '../choice-mark.tsx';
import { LabelChip } from '../task-badges.tsx';
import type { Look, PickerProps, ValueProps } from './look.ts';
import { pickedWith } from './picked.tsx';
import styles from './properties.module.css';
import { Words } from './words.tsx';

function Chips({ of, projectId, value, className = '' }: ValueProps<readonly string[]> & { className?: string }) {
  return useQuery(choicesOf, of, projectId)
    .filter(({ id }) => value.includes(id))
    .map(({ id, name, color }) => <LabelChip key={id} className={className} name={name} color={color ?? null} />);
}

const RowChips = (props: ValueProps<readonly string[]>) => <Chips {...props} className={styles.cellChip ?? ''} />;

/** In the order they are offered. */
function pickSeveral(known: readonly { readonly id: string }[], chosen: readonly string[], picked: string) {
  const next = known.map(({ id }) => id).filter((id) => chosen.includes(id) !== (id === picked));
  return next.length === 0 ? null : next;
}

function PickSeveral({ of, projectId, value, onChange, ...popover }: PickerProps<readonly string[]>) {
  const choices = useQuery(choicesOf, of, projectId);
  const chosen = value ?? [];
  return (
    <Picker
      {...popover}
      several
      empty={t('table.noOptions')}
      items={choices.map((one) => pickerItem(one, chosen.includes(one.id)))}
      onPick={(id) => void onChange(pickSeveral(choices, chosen, id))}
    />
  );
}

/** A press on what is chosen takes it away again. */
export function PickOne({ of, projectId, value, onChange, ...popover }: PickerProps<string>) {
  return (
    <Picker
      {...popover}
      empty={t('table.noOptions')}
      items={useQuery(choicesOf, of, projectId).map((one) => pickerItem(one, one.id === value))}
      onPick={(id) => void onChange(id === value ? null : id)}
    />
  );
}

export const choices: Look<readonly string[]> = {
  Card: Chips,
  Cell: RowChips,
  Editor: pickedWith(Chips, PickSeveral),
  Picker: PickSeveral,
};

const Chip = ({ value, ...rest }: ValueProps<string>) => <Chips {...rest} value={[value]} />;

/** What has no colour of its own is words, with their sign where there is one. */
function One({ of, projectId, value }: ValueProps<string>) {
  const choice = useQuery(choiceOf, of, projectId, value);
  if (choice.name === '') return null;
  if (choice.color !== undefined && choice.kind === undefined)
    return <LabelChip className={styles.cellChip ?? ''} name={choice.name} color={choice.color} />;
  return (
    <>
      <ChoiceMark of={choice} />
      <Words value={choice.name} />
    </>
  );
}

export const choice: Look<string> = { Card: Chip, Cell: One, Editor: pickedWith(Chip, PickOne), Picker: PickOne };
