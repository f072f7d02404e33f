// Toolbar above the selected words; on touch screens it stands under the field instead, out of the way of the device's own menu. Alt F10
// leads into it, Escape back.

import type { EditorView } from 'prosemirror-view';
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { addressFrom, linkAt, setLink } from './editing-actions.ts';
import { LinkForm } from './link-form.tsx';
import styles from './rich-field.module.css';
import { type Tool, toolbarTools } from './toolbar-tools.ts';

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

const byFinger = (): boolean => matchMedia('(pointer: coarse)').matches;

export function Toolbar({ ref, view, hasFocus, quiet }: Props) {
  const bar = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [inside, setInside] = useState(false);
  const [asking, setAsking] = useState<string | null>(null);
  const { state } = view;
  const { empty, $from } = state.selection;
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
    if (bar.current && !under) placeOver(view, bar.current);
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
  return (
    <div
      ref={bar}
      role="toolbar"
      aria-label={t('writing.toolbar')}
      className={`${shapes.flex} ${shapes.roundM} ${shapes.over} ${styles.toolbar}`}
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
        toolbarTools.map((tool, at) => (
          <button
            key={tool.name}
            type="button"
            className={`${shapes.middle} ${shapes.pressInk} ${shapes.soft} ${shapes.rigid} ${styles.tool}`}
            tabIndex={at === 0 ? 0 : -1}
            aria-label={t(`writing.${tool.name}`)}
            title={t(`writing.${tool.name}`)}
            aria-pressed={tool.isOn(state)}
            // The selection stays where it is.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => use(tool)}
          >
            <tool.icon size={16} />
          </button>
        ))
      ) : (
        <LinkForm field={field} typed={asking} onType={setAsking} onLink={link} isLink={linkAt(state) !== null} />
      )}
    </div>
  );
}

/** Places the toolbar: above the selected words, below them where there is no room. */
function placeOver(view: EditorView, element: HTMLElement): void {
  const frame = element.parentElement?.getBoundingClientRect();
  if (!frame) return;
  const { doc, selection } = view.state;
  const start = view.coordsAtPos(Math.min(selection.from, doc.content.size));
  const end = view.coordsAtPos(Math.min(selection.to, doc.content.size));
  const middle = start.top === end.top ? (start.left + end.left) / 2 : start.left + element.offsetWidth / 2;
  const left = Math.min(middle - element.offsetWidth / 2 - frame.left, frame.width - element.offsetWidth);
  element.style.left = `${Math.max(0, left)}px`;
  const above = start.top - element.offsetHeight - 6;
  element.style.top = `${(above > 4 ? above : end.bottom + 6) - frame.top}px`;
}
