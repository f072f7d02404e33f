// The edge between a view and the task beside it: dragged, or moved by the arrows, and remembered on this device.

import type { KeyboardEvent, PointerEvent } from 'react';
import { t } from '../../strings/messages.ts';
import { recall } from '../../ui/fields/draft.ts';
import styles from './task-panel.module.css';

const place = 'kanbase-panel-width';
const step = 32;
/** Beyond these the style holds it. */
const least = 300;
const most = 1600;

/** In pixels; undefined: as wide as it comes. */
export function chosenPanelWidth(): string | undefined {
  const width = Number(recall(place));
  return width >= least && width <= most ? `${width}px` : undefined;
}

function choose(project: HTMLElement, width: number | null): void {
  if (width === null) project.style.removeProperty('--chosen');
  else project.style.setProperty('--chosen', `${Math.round(Math.min(Math.max(width, least), most))}px`);
}

function remember(project: HTMLElement): void {
  try {
    localStorage.setItem(place, project.style.getPropertyValue('--chosen').replace('px', ''));
  } catch {
    // A device that keeps nothing: until the page is left.
  }
}

const projectOf = (edge: Element): HTMLElement | null => edge.closest<HTMLElement>('[data-beside]');

export function PanelEdge() {
  function onPointerDown(event: PointerEvent<HTMLHRElement>): void {
    const edge: HTMLElement = event.currentTarget;
    const project = projectOf(edge);
    if (project === null || event.button !== 0) return;
    event.preventDefault();
    edge.setPointerCapture(event.pointerId);
    const right = project.getBoundingClientRect().right;
    const stop = new AbortController();
    edge.addEventListener('pointermove', ({ clientX }) => choose(project, right - clientX), { signal: stop.signal });
    for (const end of ['pointerup', 'pointercancel'] as const)
      edge.addEventListener(
        end,
        () => {
          stop.abort();
          remember(project);
        },
        { signal: stop.signal },
      );
  }
  function onKeyDown(event: KeyboardEvent<HTMLHRElement>): void {
    const project = projectOf(event.currentTarget);
    const by = { ArrowLeft: step, ArrowRight: -step }[event.key];
    if (project === null || by === undefined) return;
    event.preventDefault();
    const panel = event.currentTarget.parentElement?.getBoundingClientRect().width ?? 0;
    choose(project, panel + by);
    remember(project);
  }
  return (
    <hr
      className={styles.edge}
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('task.width')}
      aria-valuenow={50}
      title={t('task.width')}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDoubleClick={(event) => {
        const project = projectOf(event.currentTarget);
        if (project === null) return;
        choose(project, null);
        remember(project);
      }}
    />
  );
}
