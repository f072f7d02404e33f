// A menu of actions behind a button.

import { DropdownMenu as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import shapes from '../../styles/shapes.module.css';
import { Keys } from '../keys.tsx';
import { ReplayKeys } from './buffered-keys.ts';
import styles from './menu.module.css';
import { SheetGrip } from './sheet-grip.tsx';

export interface MenuItem {
  readonly id: string;
  readonly label: string;
  readonly icon?: ReactNode;
  readonly keys?: string | undefined;
  readonly danger?: boolean;
  readonly checked?: boolean;
  readonly disabled?: boolean;
  /** A line above it. */
  readonly apart?: boolean;
  readonly onPick: () => void;
}

export function Menu({
  trigger,
  items,
  label,
  align = 'end',
  startOpen = false,
  onClosed,
}: {
  trigger: ReactElement;
  items: readonly MenuItem[];
  label: string;
  align?: 'start' | 'end';
  /** Opens as soon as it is drawn. */
  startOpen?: boolean;
  /** Once it is gone; true: what was picked takes the focus elsewhere. */
  onClosed?: () => boolean;
}) {
  return (
    <Primitive.Root modal={false} defaultOpen={startOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className={styles.menu}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={(event) => onClosed?.() && event.preventDefault()}
        >
          <SheetGrip />
          <ReplayKeys />
          {items.map((item) => (
            <div key={item.id} role="none">
              {item.apart && <Primitive.Separator className={styles.menuLine} />}
              <Primitive.Item
                className={`${styles.menuItem} ${item.danger ? styles.menuDanger : ''}`}
                disabled={item.disabled ?? false}
                onSelect={item.onPick}
                {...(item.checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': item.checked })}
              >
                <span className={styles.menuIcon}>{item.icon}</span>
                <span className={`${shapes.words} ${shapes.fill}`}>{item.label}</span>
                {item.checked && <span className={styles.menuCheck} aria-hidden="true" />}
                {item.keys && <Keys keys={item.keys} hint />}
              </Primitive.Item>
            </div>
          ))}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
