// A field of plain Markdown that offers names after an @, and takes files that are pasted or dropped.

import type { KeyboardEvent, Ref, RefObject } from 'react';
import { Component, useEffect, useId, useImperativeHandle, useRef, useState } from 'react';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import fieldStyles from '../../ui/fields/field.module.css';
import { type Offer, type OfferKeys, OfferList } from '../../ui/fields/offer-list.tsx';
import menuStyles from '../../ui/overlays/menu.module.css';
import { keptSelection } from '../../ui/text/kept-selection.ts';
import { useFileField } from './attachments/use-file-field.ts';
import styles from './writing-field.module.css';

export interface PlainFieldHandle {
  insertFiles(files: readonly File[]): void;
}

interface Props {
  readonly handle?: Ref<PlainFieldHandle>;
  readonly label: string;
  readonly placeholder?: string;
  readonly value: string;
  readonly names: readonly string[];
  readonly focus: boolean;
  readonly small: boolean;
  readonly attach: (files: readonly File[]) => readonly string[];
  readonly onChange: (text: string) => void;
  readonly onSubmit: () => void;
  readonly onEscape: () => void;
}

/** The name being typed before the caret: from its @ on. */
function mentionAt(text: string, caret: number): { start: number; typed: string } | null {
  const found = /(?:^|[\s(])@([\p{L}\p{N}'.-]*(?: [\p{L}\p{N}'.-]*)?)$/u.exec(text.slice(0, caret));
  if (found === null) return null;
  const typed = found[1] ?? '';
  return { start: caret - typed.length - 1, typed };
}

export function PlainField({
  handle,
  label,
  placeholder,
  value,
  names,
  focus,
  small,
  attach,
  onChange,
  onSubmit,
  onEscape,
}: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { insert, ...files } = useFileField(field, { text: value, onChange }, attach);
  useImperativeHandle(handle, () => ({ insertFiles: insert }));
  const [caret, setCaret] = useState(0);
  const [hidden, setHidden] = useState(false);
  const id = useId();
  const keys: OfferKeys = useRef(null);
  const [active, setActive] = useState<string | null>(null);
  const mention = hidden ? null : mentionAt(value, caret);
  const begun = mention?.typed.toLocaleLowerCase() ?? '';
  const found = mention ? names.filter((name) => name.toLocaleLowerCase().startsWith(begun)).slice(0, 6) : [];
  const isWhole = found.length === 1 && found[0] === mention?.typed;
  const offers: readonly Offer[] = isWhole
    ? []
    : found.map((name) => ({ id: String(names.indexOf(name)), name, pick: () => take(name) }));

  useEffect(() => {
    if (focus) field.current?.focus();
  }, [focus]);

  function take(name: string): void {
    if (mention === null) return;
    const before = `${value.slice(0, mention.start)}@${name} `;
    onChange(before + value.slice(caret));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(before.length, before.length);
      setCaret(before.length);
    });
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) onSubmit();
    else if (keys.current?.(event) !== true) {
      if (event.key !== 'Escape') return;
      onEscape();
    }
    event.preventDefault();
  }

  return (
    <div className={`${shapes.holder} ${styles.plain}`} data-small={small ? '' : undefined}>
      <textarea
        ref={field}
        {...files}
        className={`${fieldStyles.input} ${fieldStyles.textArea}`}
        aria-label={label}
        aria-autocomplete="list"
        aria-controls={offers.length > 0 ? id : undefined}
        aria-activedescendant={active ?? undefined}
        placeholder={placeholder}
        rows={2}
        value={value}
        onChange={(event) => {
          onChange(event.target.value);
          setCaret(event.target.selectionStart);
          setHidden(false);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKeyDown}
        onBlur={() => setHidden(true)}
      />
      <KeptSelection field={field} text={value} />
      <OfferList
        // Other offers, and the first one is ready again.
        key={mention?.start}
        id={id}
        label={t('common.suggestions')}
        items={offers}
        className={`${menuStyles.menu} ${styles.plainOffers}`}
        ready
        tabTakes
        keys={keys}
        onActive={setActive}
        onClose={() => setHidden(true)}
      />
    </div>
  );
}

interface Kept {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly text: string;
}

/** Selection and caret stay on their words where another person's text takes the place of the one in the field. */
class KeptSelection extends Component<Kept> {
  /** Between drawing and showing, which only a class hears of: the browser puts the caret at the end of a text that is set. */
  override getSnapshotBeforeUpdate(): (() => void) | null {
    const [field, { text }] = [this.props.field.current, this.props];
    if (field === null || field.value === text || field !== document.activeElement) return null;
    const { value, selectionStart, selectionEnd, selectionDirection } = field;
    const { start, end } = keptSelection(value, { start: selectionStart, end: selectionEnd }, text);
    return () => field.setSelectionRange(start, end, selectionDirection);
  }

  override componentDidUpdate(_: Kept, __: unknown, select: (() => void) | null): void {
    select?.();
  }

  override render(): null {
    return null;
  }
}
