// A value of a field of the project, shown and changed in place by what its kind is chosen with. The panel of a task shows what the task
// holds, the settings what new tasks begin with.

import { ExternalLink } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import type { Json } from '../../../contract/database.ts';
import { DayPicker } from '../../pieces/day-picker.tsx';
import marksStyles from '../../pieces/marks.module.css';
import { LabelChip } from '../../pieces/marks.tsx';
import { sayDay } from '../../queries/days/days.ts';
import { chosenOptions, type FieldRow, membersOf, optionsOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import { fieldRange, readNumberIn, writeNumber } from '../../strings/numbers.ts';
import { sayAmount } from '../../strings/say-amount.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { useSavedField } from '../../ui/fields/draft.ts';
import fieldStyles from '../../ui/fields/field.module.css';
import { limitTo } from '../../ui/fields/limit-to.ts';
import { Picker } from '../../ui/fields/picker.tsx';
import styles from './properties.module.css';

interface Props {
  readonly field: FieldRow;
  readonly value: Json;
  readonly canWrite: boolean;
  /** What it is called aloud. */
  readonly label: string;
  /** Null: nothing any more. */
  readonly onChange: (value: Json) => void;
}

const none = () => <span className={styles.propNone}>{t('common.none')}</span>;

export function FieldValue(props: Props) {
  const { kind } = props.field;
  if (kind === 'date') return <DayValue {...props} />;
  if (kind === 'select' || kind === 'multi_select') return <OptionValue {...props} />;
  if (kind === 'person') return <PersonValue {...props} />;
  if (kind === 'checkbox') return <CheckValue {...props} />;
  return <WrittenValue {...props} />;
}

/** What opens a picker: the value itself, after what it is a value of. */
function Opener({ label, children, ...rest }: { label: string; children: ReactNode }) {
  return (
    <button type="button" className={`${styles.propValue} ${styles.propButton}`} {...rest}>
      <span className="only-spoken">{label}: </span>
      {children}
    </button>
  );
}

function DayValue({ value, canWrite, label, onChange }: Props) {
  const day = typeof value === 'string' ? value : null;
  const face = day === null ? none() : <span className="numbers">{sayDay(day)}</span>;
  if (!canWrite) return <span className={styles.propValue}>{face}</span>;
  return (
    <DayPicker
      label={label}
      chosen={day}
      none={t('days.none')}
      onPick={(picked) => {
        onChange(picked);
        return null;
      }}
      trigger={<Opener label={label}>{face}</Opener>}
    />
  );
}

function OptionValue({ field, value, canWrite, label, onChange }: Props) {
  const options = optionsOf(field);
  const several = field.kind === 'multi_select';
  const chosen = chosenOptions(value);
  const held = options.filter((one) => chosen.includes(one.id));
  const face =
    held.length === 0
      ? none()
      : held.map((one) => <LabelChip key={one.id} name={one.name} color={one.color ?? null} />);
  if (!canWrite) return <span className={styles.propValue}>{face}</span>;

  function pick(id: string): void {
    const next = options.map((one) => one.id).filter((one) => chosen.includes(one) !== (one === id));
    if (several) onChange(next.length === 0 ? null : next);
    else onChange(chosen.includes(id) ? null : id);
  }

  return (
    <Picker
      several={several}
      label={label}
      empty={t('plan.fields.noOptions')}
      items={options.map((one) => ({
        id: one.id,
        label: one.name,
        icon: <span className={marksStyles.labelDot} style={{ background: one.color ?? 'var(--edge)' }} />,
        chosen: chosen.includes(one.id),
      }))}
      onPick={pick}
      trigger={<Opener label={label}>{face}</Opener>}
    />
  );
}

function PersonValue({ field, value, canWrite, label, onChange }: Props) {
  const members = useQuery(membersOf, field.project_id);
  const held = members.find((one) => one.userId === value);
  const face = held ? (
    <span className={styles.propPerson}>
      <Avatar name={held.name} url={held.avatarUrl} seed={held.userId} size={20} />
      <span className={styles.propWords} aria-hidden="true">
        {held.name}
      </span>
    </span>
  ) : (
    none()
  );
  if (!canWrite) return <span className={styles.propValue}>{face}</span>;
  return (
    <Picker
      label={label}
      items={members.map((one) => ({
        id: one.userId,
        label: one.name,
        icon: <Avatar name={one.name} url={one.avatarUrl} seed={one.userId} size={20} />,
        chosen: one.userId === value,
      }))}
      onPick={(userId) => onChange(userId === value ? null : userId)}
      trigger={<Opener label={label}>{face}</Opener>}
    />
  );
}

function CheckValue({ value, canWrite, label, onChange }: Props) {
  return (
    <span className={styles.propValue}>
      <input
        type="checkbox"
        className={fieldStyles.check}
        aria-label={label}
        checked={value === true}
        disabled={!canWrite}
        onChange={(event) => onChange(event.target.checked)}
      />
    </span>
  );
}

/** Texts, numbers and addresses are written. */
function WrittenValue({ field, value, canWrite, label, onChange }: Props) {
  const id = useId();
  const isNumber = field.kind === 'number';
  const isLink = field.kind === 'url';
  const written = value === null ? '' : isNumber ? writeNumber(Number(value)) : String(value);
  const { field: input, fault } = useSavedField(written, (typed) => {
    if (typed === '') {
      onChange(null);
      return null;
    }
    const read = readWritten(field, typed);
    if (read === null) return isNumber ? t('plan.fields.numberWrong') : t('plan.fields.linkWrong');
    onChange(read);
    return null;
  });
  const link = isLink && written !== '' && (
    <a
      href={written}
      target="_blank"
      rel="noreferrer noopener"
      className={styles.propLink}
      aria-label={t('plan.fields.open', { name: field.name })}
    >
      <ExternalLink size={14} aria-hidden="true" />
    </a>
  );
  if (!canWrite)
    return (
      <span className={styles.propValue}>
        {written === '' ? none() : isNumber ? sayAmount(Number(value), field.unit) : written}
        {link}
      </span>
    );
  return (
    <>
      <span className={styles.propLine}>
        <input
          className={`${styles.propInput} ${isNumber ? `numbers ${styles.propNumber}` : styles.propText}`}
          inputMode={isNumber ? 'decimal' : isLink ? 'url' : 'text'}
          {...limitTo(isLink ? 2000 : 5000)}
          aria-label={label}
          aria-describedby={fault ? id : undefined}
          aria-invalid={fault !== null || undefined}
          placeholder="–"
          {...input}
        />
        {isNumber && field.unit && <span className={styles.propNone}>{field.unit}</span>}
        {link}
      </span>
      {fault && (
        <span id={id} className={styles.propWrong} role="alert">
          {fault}
        </span>
      )}
    </>
  );
}

/** Null: the field cannot hold it. An address without its beginning is meant to be one of the web. */
function readWritten({ kind, unit }: FieldRow, typed: string): Json {
  if (kind === 'text') return typed;
  if (kind === 'number') return readNumberIn(fieldRange, typed, unit);
  const address = /^https?:\/\//i.test(typed) ? typed : `https://${typed}`;
  return /^https?:\/\/[^\s/?#.]+\.[^\s]+$|^https?:\/\/localhost/i.test(address) ? address : null;
}
