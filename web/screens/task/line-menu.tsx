// Menu at the end of a line: of a subtask or a checklist item.

import { Ellipsis } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { Menu, type MenuItem } from '../../ui/overlays/menu.tsx';
import checklistStyles from './checklist.module.css';

export function LineMenu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  return (
    <Menu
      label={label}
      items={items}
      trigger={
        <IconButton label={label} className={checklistStyles.checkRemove}>
          <Ellipsis size={14} />
        </IconButton>
      }
    />
  );
}
