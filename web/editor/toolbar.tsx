// What can be done to the words that are selected, above them; where fingers point it stands under the field instead, out of the way of
// the device's own menu. Alt F10 leads into it, Escape back.

import {
  Bold,
  Code,
  CodeXml,
  Heading2,
  Italic,
  Link,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Quote,
  Strikethrough,
  Unlink,
} from 'lucide-react';
import type { Command } from 'prosemirror-state';
import type { EditorView } from 'prosemirror-view';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../strings/messages.ts';
import fieldStyles from '../ui/field.module.css';
import { addressFrom, blockAt, blocks, bold, code, isMarked, italic, linkAt, setLink, strike } from './actions.ts';
import styles from './rich-field.module.css';
import { schema } from './schema.ts';

export interface ToolbarHandle {
  /** Whether there was something to go to. */
  focus(): boolean;
  askLink(): boolean;
}

interface Props {
  readonly ref: Ref<ToolbarHandle>;
  readonly view: EditorView;
  readonly hasFocus: boolean;
  /** Something else stands over the text. */
  readonly quiet: boolean;
}

interface Tool {
  readonly name:
    | 'bold'
    | 'italic'
    | 'strike'
    | 'code'
    | 'link'
    | 'heading2'
    | 'bullets'
    | 'numbers'
    | 'tasks'
    | 'quote'
    | 'codeBlock';
  readonly icon: LucideIcon;
  readonly command: Command | 'link';
  readonly isOn: (view: EditorView) => boolean;
}

const { marks: looks } = schema;

const tools: readonly Tool[] = [
  { name: 'bold', icon: Bold, command: bold, isOn: ({ state }) => isMarked(state, looks.strong) },
  { name: 'italic', icon: Italic, command: italic, isOn: ({ state }) => isMarked(state, looks.em) },
  { name: 'strike', icon: Strikethrough, command: strike, isOn: ({ state }) => isMarked(state, looks.strike) },
  { name: 'code', icon: Code, command: code, isOn: ({ state }) => isMarked(state, looks.code) },
  { name: 'link', icon: Link, command: 'link', isOn: ({ state }) => isMarked(state, looks.link) },
  { name: 'heading2', icon: Heading2, command: blocks.heading2, isOn: ({ state }) => blockAt(state) === 'heading2' },
  { name: 'bullets', icon: List, command: blocks.bullets, isOn: ({ state }) => blockAt(state) === 'bullets' },
  { name: 'numbers', icon: ListOrdered, command: blocks.numbers, isOn: ({ state }) => blockAt(state) === 'numbers' },
  { name: 'tasks', icon: ListChecks, command: blocks.tasks, isOn: ({ state }) => blockAt(state) === 'tasks' },
  { name: 'quote', icon: Quote, command: blocks.quote, isOn: ({ state }) => blockAt(state) === 'quote' },
  { name: 'codeBlock', icon: CodeXml, command: blocks.code, isOn: ({ state }) => blockAt(state) === 'code' },
];

const byFinger = (): boolean => matchMedia('(pointer: coarse)').matches;

export function Toolbar({ ref, view, hasFocus, quiet }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [inside, setInside] = useState(false);
  const [asking, setAsking] = useState<string | null>(null);
  const { state } = view;
  const { empty, from, to, $from } = state.selection;
  const inCode = $from.parent.type.spec.code === true;
  const under = byFinger();
  const selects = under || (!empty && !inCode);
  const open = asking !== null || ((hasFocus || inside) && selects && !quiet);

  useImperativeHandle(ref, () => ({
    focus() {
      const first = bar.current?.querySelector('button');
      first?.focus();
      return first !== null && first !== undefined;
    },
    askLink() {
      if (inCode) return false;
      flushSync(() => setAsking(linkAt(view.state)?.href ?? ''));
      field.current?.select();
      return true;
    },
  }));

  useLayoutEffect(() => {
    const element = bar.current;
    const frame = element?.parentElement?.getBoundingClientRect();
    if (!element || !frame || under) return;
    const size = view.state.doc.content.size;
    const start = view.coordsAtPos(Math.min(from, size));
    const end = view.coordsAtPos(Math.min(to, size));
    const middle = start.top === end.top ? (start.left + end.left) / 2 : start.left + element.offsetWidth / 2;
    const left = Math.min(middle - element.offsetWidth / 2 - frame.left, frame.width - element.offsetWidth);
    element.style.left = `${Math.max(0, left)}px`;
    const above = start.top - element.offsetHeight - 6;
    element.style.top = `${(above > 4 ? above : end.bottom + 6) - frame.top}px`;
  });

  useEffect(() => {
    if (!open) setInside(false);
  }, [open]);

  function use({ command }: Tool): void {
    if (command === 'link') {
      setAsking(linkAt(view.state)?.href ?? '');
      requestAnimationFrame(() => field.current?.select());
      return;
    }
    command(view.state, view.dispatch, view);
    if (!inside) view.focus();
  }

  function link(typed: string): void {
    const href = addressFrom(typed);
    if (href === null) return;
    setLink(href)(view.state, view.dispatch);
    setAsking(null);
    view.focus();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === 'Escape') {
      event.preventDefault();
      setAsking(null);
      view.focus();
    } else if (step !== undefined && at >= 0) {
      event.preventDefault();
      buttons[(at + step + buttons.length) % buttons.length]?.focus();
    }
  }

  if (!open) return null;
  const wrong = asking !== null && addressFrom(asking) === null;
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('writing.toolbar')}
      className={styles.toolbar}
      data-under={under ? '' : undefined}
      onKeyDown={onKeyDown}
      onFocus={() => setInside(true)}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) {
          setInside(false);
          setAsking(null);
        }
      }}
    >
      {asking === null ? (
        tools.map((tool, at) => (
          <button
            key={tool.name}
            type="button"
            className={styles.tool}
            tabIndex={at === 0 ? 0 : -1}
            aria-label={t(`writing.${tool.name}`)}
            title={t(`writing.${tool.name}`)}
            aria-pressed={tool.isOn(view)}
            // The selection stays where it is.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => use(tool)}
          >
            <tool.icon size={16} />
          </button>
        ))
      ) : (
        <form
          className={styles.linkForm}
          onSubmit={(event) => {
            event.preventDefault();
            event.stopPropagation();
            link(asking);
          }}
        >
          <input
            ref={field}
            className={fieldStyles.input}
            aria-label={t('writing.address')}
            aria-invalid={wrong ? true : undefined}
            placeholder={t('writing.addressHint')}
            value={asking}
            onChange={(event) => setAsking(event.target.value)}
          />
          {linkAt(state) && (
            <button
              type="button"
              className={styles.tool}
              aria-label={t('writing.unlink')}
              title={t('writing.unlink')}
              onClick={() => link('')}
            >
              <Unlink size={16} />
            </button>
          )}
        </form>
      )}
    </div>
  );
}
