// The Markdown of a task as it reads: with its pictures, the tasks it names as they are at this moment, boxes that may be ticked, and code
// in its colours.

import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useLocation } from 'wouter';
import { highlightElement } from '../editor/colour-code.ts';
import { useTaskAt } from '../queries/projects/other-projects.ts';
import {
  placesIn,
  referencesIn,
  type TaskPlace,
  type TaskReference,
  unknownReferencesIn,
} from '../queries/tasks/references.ts';
import { type Reader, useQuery, useReader } from '../queries.ts';
import { paths, projectIn } from '../routes.ts';
import { t } from '../strings/messages.ts';
import { Markdown } from '../ui/text/markdown.tsx';
import type { NamedPlace } from '../ui/text/parse-markdown.ts';
import { useLatest } from '../ui/use-latest.ts';
import { useNamedPictures } from './use-named-pictures.ts';

interface Props {
  readonly text: string;
  /** Names that are set off after an @. */
  readonly mentions?: readonly string[];
  readonly onOpen: (attachmentId: string) => void;
  /** The box of this place among all of the text is ticked or not; false if that can't be. Without it they only tell. */
  readonly onTick?: (place: number, done: boolean) => boolean;
}

const boxes = (element: HTMLElement | null): HTMLInputElement[] => [
  ...(element?.querySelectorAll<HTMLInputElement>('input[type=checkbox]') ?? []),
];

export function TaskMarkdown({ text, mentions, onOpen, onTick }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [, go] = useLocation();
  const references = useQuery(referencesIn, text);
  const named = useQuery(placesIn, text);
  const places = useMemo(() => named.map(placeOf), [named]);
  const rows = useNamedPictures(box, text, places);
  useMissing(text);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another content of the box
  useEffect(() => {
    for (const element of box.current?.querySelectorAll<HTMLElement>('[data-place]') ?? []) {
      const reference = references.find((one) => one.words === element.dataset.place);
      if (reference) showReference(element, reference);
    }
  }, [text, mentions, places, references]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another content of the box
  useEffect(() => {
    // Without it code is plain, as it stands.
    for (const element of box.current?.querySelectorAll<HTMLElement>('code[data-language]') ?? [])
      highlightElement(element, element.dataset.language ?? '').catch(() => undefined);
  }, [text, mentions, places]);

  const tick = useLatest(onTick);
  const canTick = onTick !== undefined;
  /** The box that was pressed is another one once the text is drawn again. */
  const pressed = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another content of the box
  useLayoutEffect(() => {
    boxes(box.current).forEach((input, place) => {
      input.setAttribute(
        'aria-label',
        wordsOf(input.closest('li')) || t(input.checked ? 'common.kinds.done' : 'common.unticked'),
      );
      input.disabled = !canTick;
      if (pressed.current === place) input.focus({ preventScroll: true });
    });
    pressed.current = null;
  }, [text, mentions, places, canTick]);

  function open(event: MouseEvent | KeyboardEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    if (event.type === 'click' && target instanceof HTMLInputElement && tick.current) {
      const place = boxes(box.current).indexOf(target);
      pressed.current = place;
      if (!tick.current(place, target.checked)) event.preventDefault();
      return;
    }
    const place = target?.closest<HTMLElement>('[data-place]')?.dataset.place;
    const reference = references.find((one) => one.words === place);
    if (reference && event.type === 'click' && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      go(addressOfReference(reference));
      return;
    }
    if ('key' in event && event.key !== 'Enter' && event.key !== ' ') return;
    const id = target?.closest<HTMLElement>('[data-attachment]')?.dataset.attachment;
    if (id === undefined) return;
    event.preventDefault();
    if (rows.some((row) => row.id === id)) onOpen(id);
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: presses bubble up here from pictures, boxes and links
    <div ref={box} onClick={open} onKeyDown={open}>
      <Markdown text={text} mentions={mentions} places={places} />
    </div>
  );
}

/** The words of an item, without those of the lists in it. */
function wordsOf(item: Element | null | undefined): string {
  let words = '';
  for (const child of item?.childNodes ?? []) {
    if (child instanceof HTMLUListElement || child instanceof HTMLOListElement) break;
    words += child.textContent ?? '';
  }
  return words.trim();
}

function addressOfReference({ projectId, number }: TaskReference): string {
  const here = projectIn(location.pathname);
  const view = here?.projectId === projectId && here.view !== 'settings' ? here.view : 'board';
  return paths.task(projectId, number, view);
}

function placeOf({ words, key, projectId, number }: TaskPlace): NamedPlace {
  return { words, label: key, href: paths.task(projectId, number) };
}

function showReference(element: HTMLElement, { key, title, kind, color, done, column }: TaskReference): void {
  const words = document.createElement('span');
  words.textContent = title;
  element.replaceChildren(key, ' ', words);
  element.dataset.chip = kind;
  element.toggleAttribute('data-done', done);
  element.title = column;
  element.setAttribute('aria-label', t('task.reference', { key, title, column }));
  if (color !== null) element.style.setProperty('--chip', color);
  else element.style.removeProperty('--chip');
}

/** Asked for once by each person; what nobody knows is not asked for again and again. */
const askedBy = new WeakMap<Reader, Set<string>>();

/** Tasks that are named but were never seen here are fetched. */
function useMissing(text: string): void {
  const missing = useQuery(unknownReferencesIn, text);
  const find = useTaskAt();
  const reader = useReader();
  useEffect(() => {
    const asked = askedBy.get(reader) ?? new Set<string>();
    askedBy.set(reader, asked);
    for (const address of missing.split(',').filter((one) => one !== '' && !asked.has(one))) {
      asked.add(address);
      const [projectId = '', number] = address.split('/');
      // A chip that does not come is a key that stays one.
      find(projectId, Number(number)).then(
        (task) => task && asked.delete(address),
        () => asked.delete(address),
      );
    }
  }, [missing, find, reader]);
}
