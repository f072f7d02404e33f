// The list under the caret: people after @, tasks after #, blocks after /. The text keeps the focus; the list says which line is meant.

import {
  CodeXml,
  Heading1,
  Heading2,
  Heading3,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Minus,
  Paperclip,
  Pilcrow,
  Quote,
  Table,
} from 'lucide-react';
import type { EditorView } from 'prosemirror-view';
import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { type MessageKey, t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import menuStyles from '../ui/overlays/menu.module.css';
import { useLatest } from '../ui/use-latest.ts';
import { type BlockKind, blocks } from './editing-actions.ts';
import styles from './rich-field.module.css';
import type { SuggestionQuery } from './suggestions.ts';

export interface TaskSuggestion {
  readonly key: string;
  readonly title: string;
}

export interface SuggestionsHandle {
  /** Whether the key was meant for the list. */
  press(event: KeyboardEvent): boolean;
}

interface Offer {
  readonly id: string;
  readonly words: string;
  readonly icon?: LucideIcon;
  readonly key?: string;
  readonly take: (view: EditorView, asked: SuggestionQuery) => void;
}

interface Props {
  readonly ref: Ref<SuggestionsHandle>;
  readonly id: string;
  readonly asked: SuggestionQuery;
  readonly view: EditorView;
  readonly people: readonly string[];
  readonly findTasks: (words: string) => readonly TaskSuggestion[];
  readonly onDismiss: () => void;
  /** Null: files are not offered. */
  readonly onFiles: (() => void) | null;
}

const most = 8;

const blockOffers: readonly (readonly [BlockKind | 'file', LucideIcon, MessageKey])[] = [
  ['text', Pilcrow, 'writing.text'],
  ['heading1', Heading1, 'writing.heading1'],
  ['heading2', Heading2, 'writing.heading2'],
  ['heading3', Heading3, 'writing.heading3'],
  ['bullets', List, 'writing.bullets'],
  ['numbers', ListOrdered, 'writing.numbers'],
  ['tasks', ListChecks, 'writing.tasks'],
  ['quote', Quote, 'writing.quote'],
  ['code', CodeXml, 'writing.codeBlock'],
  ['table', Table, 'writing.table'],
  ['line', Minus, 'writing.line'],
  ['file', Paperclip, 'writing.file'],
];

const begins = (text: string, words: string): boolean =>
  text
    .toLocaleLowerCase()
    .split(/\s+/)
    .some((_, at, all) => all.slice(at).join(' ').startsWith(words));

export function SuggestionsList({ ref, id, asked, view, people, findTasks, onDismiss, onFiles }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const [picked, setPicked] = useState(0);
  const files = useLatest(onFiles);
  const takesFiles = onFiles !== null;
  const { kind, words } = asked;
  const offers = useMemo((): readonly Offer[] => {
    const needle = words.toLocaleLowerCase();
    if (kind === 'person') {
      const found = people.filter((name) => begins(name, needle)).slice(0, most);
      // What is written out already needs no offer.
      if (found.length === 1 && found[0]?.toLocaleLowerCase() === needle) return [];
      return found.map((name) => ({ id: name, words: name, take: insert(`@${name} `) }));
    }
    if (kind === 'task')
      return findTasks(words)
        .slice(0, most)
        .map(({ key, title }) => ({ id: key, key, words: title, take: insert(`${key} `) }));
    return blockOffers
      .filter(([block, , name]) => (takesFiles || block !== 'file') && begins(t(name as 'writing.text'), needle))
      .map(([block, icon, name]) => ({
        id: block,
        icon,
        words: t(name as 'writing.text'),
        take: (on, { from, to }) => {
          on.dispatch(on.state.tr.delete(from, to));
          if (block === 'file') files.current?.();
          else blocks[block](on.state, on.dispatch, on);
        },
      }));
  }, [kind, words, people, findTasks, files, takesFiles]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other words, another list
  useEffect(() => setPicked(0), [kind, words]);
  const open = offers.length > 0;

  function take(offer: Offer | undefined): void {
    if (offer === undefined) return;
    view.focus();
    offer.take(view, asked);
  }

  useImperativeHandle(ref, () => ({
    press(event) {
      if (!open || event.isComposing) return false;
      const step = { ArrowDown: 1, ArrowUp: offers.length - 1 }[event.key];
      if (step !== undefined) setPicked((picked + step) % offers.length);
      else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey && !event.shiftKey) || event.key === 'Tab')
        take(offers[picked]);
      else if (event.key === 'Escape') onDismiss();
      else return false;
      event.preventDefault();
      return true;
    },
  }));

  // Who cannot see the list hears of it from the field.
  useEffect(() => {
    const field = view.dom;
    if (!open) return;
    field.setAttribute('aria-controls', id);
    field.setAttribute('aria-activedescendant', `${id}-${picked}`);
    return () => {
      field.removeAttribute('aria-controls');
      field.removeAttribute('aria-activedescendant');
    };
  }, [view, id, open, picked]);

  useLayoutEffect(() => {
    const element = list.current;
    const frame = element?.parentElement?.getBoundingClientRect();
    if (!element || !frame) return;
    const caret = view.coordsAtPos(Math.min(asked.from, view.state.doc.content.size));
    const height = element.offsetHeight;
    const below = caret.bottom + 4 + height <= window.innerHeight || caret.top < height + 8;
    const left = Math.min(caret.left - frame.left, frame.width - element.offsetWidth);
    element.style.left = `${Math.max(0, left)}px`;
    element.style.top = `${(below ? caret.bottom + 4 : caret.top - height - 4) - frame.top}px`;
    element.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  if (!open) return null;
  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label={t(labels[kind])}
      className={`${menuStyles.menu} ${styles.offers}`}
    >
      {offers.map((offer, at) => (
        <div
          key={offer.id}
          id={`${id}-${at}`}
          role="option"
          tabIndex={-1}
          aria-selected={at === picked}
          data-selected={at === picked}
          className={menuStyles.menuItem}
          onPointerMove={() => setPicked(at)}
          onPointerDown={(event) => {
            event.preventDefault();
            take(offer);
          }}
        >
          {offer.icon && (
            <span className={menuStyles.menuIcon}>
              <offer.icon size={14} />
            </span>
          )}
          {offer.key && <span className={`${shapes.quietS} ${shapes.rigid} numbers`}>{offer.key}</span>}
          <span className={`${shapes.words} ${shapes.fill}`}>{offer.words}</span>
        </div>
      ))}
    </div>
  );
}

const labels = { person: 'writing.people', task: 'writing.taskOffers', block: 'writing.blocks' } as const;

function insert(text: string): Offer['take'] {
  return (view, { from, to }) => view.dispatch(view.state.tr.insertText(text, from, to).scrollIntoView());
}
