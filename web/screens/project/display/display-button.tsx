// Button that opens the display of a view: layout, grouping, lanes, order, what is shown, density. A key opens it, too.

import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../../../actions/registry.tsx';
import { t } from '../../../strings/messages.ts';
import { Button } from '../../../ui/button.tsx';
import { lazyOverlay } from '../../../ui/overlays/lazy-overlay.tsx';
import type { Table } from '../../list/columns.ts';
import type { ViewHandle } from '../view-handle.ts';
import { useDensityKey } from './density.tsx';

const DisplayPopover = lazyOverlay(() => import('./display-popover.tsx'), ['views']);

interface DisplayButtonProps {
  /** Empty across projects. */
  readonly projectId: string;
  readonly handle: ViewHandle;
  /** Columns of a list. */
  readonly table?: Table;
}

/** Another layout was chosen in the popover: it is open there, too. */
let staysOpen = false;

export function DisplayButton({ projectId, handle, table }: DisplayButtonProps) {
  const [open, setOpen] = useState(staysOpen);
  const button = useRef<HTMLButtonElement>(null);
  /** A press beside the popover closes it, on its button, too. */
  const wasOpen = useRef(false);
  const [, draw] = useState(false);
  useEffect(() => {
    // Its button stands now.
    if (staysOpen) draw(true);
    staysOpen = false;
  }, []);
  const label = t('board.display');
  useActions([
    {
      id: 'display',
      label,
      group: 'project',
      keys: 'shift+v',
      icon: <SlidersHorizontal size={16} />,
      effect: () => setOpen(true),
    },
  ]);
  useDensityKey();
  return (
    <>
      <Button
        ref={button}
        look="quiet"
        shrinks
        icon={<SlidersHorizontal size={15} />}
        aria-haspopup="dialog"
        aria-expanded={open}
        onPointerDown={() => {
          wasOpen.current = open;
        }}
        onClick={() => {
          setOpen(!wasOpen.current);
          wasOpen.current = false;
        }}
        onPointerEnter={DisplayPopover.fetch}
        onFocus={DisplayPopover.fetch}
      >
        {label}
      </Button>
      {open && button.current && (
        <DisplayPopover
          there={button.current}
          projectId={projectId}
          handle={handle}
          table={table}
          onLayout={() => {
            staysOpen = true;
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
