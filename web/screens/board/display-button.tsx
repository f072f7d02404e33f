// Opens what a board looks like; a key opens it too.

import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { useActions } from '../../actions/registry.tsx';
import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { lazyComponent } from '../../ui/lazy-component.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import type { ViewHandle } from '../project/view-handle.ts';

const DisplayMenu = lazyComponent(() => import('./display-menu.tsx'), ['views']);

export function DisplayButton({ projectId, handle }: { projectId: string; handle: ViewHandle }) {
  const [open, setOpen] = useState(false);
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
  return (
    <Popover
      label={label}
      align="end"
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          look="quiet"
          icon={<SlidersHorizontal size={15} />}
          onPointerEnter={DisplayMenu.fetch}
          onFocus={DisplayMenu.fetch}
        >
          {label}
        </Button>
      }
    >
      <DisplayMenu projectId={projectId} handle={handle} />
    </Popover>
  );
}
