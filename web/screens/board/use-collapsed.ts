// Collapsed columns of this person, on this device.

import { useCallback, useState } from 'react';
import { keptName, useUserId } from '../../queries.ts';
import { recall } from '../../ui/fields/draft.ts';

export function useCollapsed(projectId: string): readonly [ReadonlySet<string>, (columnId: string) => void] {
  const name = keptName(useUserId(), 'collapsed', projectId);
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(
    () => new Set((recall(name) ?? '').split(' ').filter(Boolean)),
  );
  const turn = useCallback(
    (columnId: string): void =>
      setCollapsed((old) => {
        const next = new Set(old);
        if (!next.delete(columnId)) next.add(columnId);
        try {
          localStorage.setItem(name, [...next].join(' '));
        } catch {
          // A device that keeps nothing: until the page is left.
        }
        return next;
      }),
    [name],
  );
  return [collapsed, turn];
}
