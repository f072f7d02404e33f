// A picture that fits its room, and can be made larger and moved about: by wheel, by two fingers, by double click and by keys.

import { type PointerEvent, useEffect, useRef, useState } from 'react';
import shapes from '../../../styles/shapes.module.css';
import styles from './viewer.module.css';

export interface Zoom {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

export const fitted: Zoom = { scale: 1, x: 0, y: 0 };
const largest = 8;

/** Larger or smaller around a point, which is counted from the middle. */
export function zoomBy(zoom: Zoom, factor: number, at = { x: 0, y: 0 }): Zoom {
  const scale = Math.min(largest, Math.max(1, zoom.scale * factor));
  if (scale === 1) return fitted;
  const grown = scale / zoom.scale;
  return { scale, x: at.x - (at.x - zoom.x) * grown, y: at.y - (at.y - zoom.y) * grown };
}

interface Props {
  readonly url: string;
  readonly name: string;
  readonly zoom: Zoom;
  readonly onZoom: (change: (zoom: Zoom) => Zoom) => void;
  /** It cannot be read as a picture. */
  readonly onBroken: () => void;
}

export function ZoomImage({ url, name, zoom, onZoom, onBroken }: Props) {
  const room = useRef<HTMLDivElement>(null);
  const [pointers] = useState(() => new Map<number, { x: number; y: number }>());

  function fromMiddle(point: { clientX: number; clientY: number }): { x: number; y: number } {
    const box = room.current?.getBoundingClientRect();
    if (box === undefined) return { x: 0, y: 0 };
    return { x: point.clientX - box.left - box.width / 2, y: point.clientY - box.top - box.height / 2 };
  }

  // React listens to the wheel without a say in what the page does with it.
  useEffect(() => {
    const element = room.current;
    const turn = (event: WheelEvent): void => {
      event.preventDefault();
      const at = fromMiddle(event);
      onZoom((old) => zoomBy(old, Math.exp(-event.deltaY / 300), at));
    };
    element?.addEventListener('wheel', turn, { passive: false });
    return () => element?.removeEventListener('wheel', turn);
  });

  function move(event: PointerEvent): void {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (other === undefined) {
      onZoom((old) => (old.scale === 1 ? old : { ...old, x: old.x + now.x - before.x, y: old.y + now.y - before.y }));
      return;
    }
    const apart = (point: { x: number; y: number }): number => Math.hypot(point.x - other.x, point.y - other.y);
    const middle = fromMiddle({ clientX: (now.x + other.x) / 2, clientY: (now.y + other.y) / 2 });
    onZoom((old) => zoomBy(old, apart(now) / Math.max(1, apart(before)), middle));
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: for pointers; keys zoom by the viewer's own
    <div
      ref={room}
      className={`${shapes.middle} ${shapes.clipped} ${styles.imageRoom}`}
      data-zoomed={zoom.scale > 1}
      onDoubleClick={(event) => {
        const at = fromMiddle(event);
        onZoom((old) => (old.scale > 1 ? fitted : zoomBy(old, 2.5, at)));
      }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      }}
      onPointerMove={move}
      onPointerUp={(event) => pointers.delete(event.pointerId)}
      onPointerCancel={(event) => pointers.delete(event.pointerId)}
    >
      <img
        src={url}
        alt={name}
        draggable={false}
        onError={onBroken}
        className={`${shapes.within} ${shapes.short} ${styles.image}`}
        style={{ transform: `translate(${zoom.x}px, ${zoom.y}px) scale(${zoom.scale})` }}
      />
    </div>
  );
}
