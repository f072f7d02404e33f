// The arrows find the first of what one goes through, without a Tab before them.

import { type RefObject, useEffect } from 'react';

export function useArrowStart(frame: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const start = (event: KeyboardEvent): void => {
      const idle = event.target === document.body || (event.target as Element).id === 'content';
      if (!idle || event.defaultPrevented || !/^Arrow/.test(event.key)) return;
      const first = frame.current?.querySelector<HTMLElement>('[data-task-id]');
      if (!first) return;
      event.preventDefault();
      first.focus();
    };
    document.addEventListener('keydown', start);
    return () => document.removeEventListener('keydown', start);
  }, [frame]);
}
