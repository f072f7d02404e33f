// A menu of actions behind a button.

import { DropdownMenu as Primitive } from 'radix-ui';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
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

/** The arrows of a row; those up and down step, too. */
function stepAcross(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('[role^="menuitem"]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  items.at((at + by) % items.length)?.focus();
}

export function Menu({
  trigger,
  items,
  label,
  align = 'end',
  startOpen = false,
  across = false,
  onClosed,
}: {
  trigger: ReactElement;
  items: readonly MenuItem[];
  label: string;
  align?: 'start' | 'end';
  /** Opens as soon as it is drawn. */
  startOpen?: boolean;
  /** A row of signs; what they mean is spoken, and shown below the pointer. */
  across?: boolean;
  /** Once it is gone; true: what was picked takes the focus elsewhere. */
  onClosed?: () => boolean;
}) {
  return (
    <Primitive.Root modal={false} defaultOpen={startOpen}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          className={styles.menu}
          data-across={across || undefined}
          onKeyDown={across ? stepAcross : undefined}
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
                title={across ? item.label : undefined}
                disabled={item.disabled ?? false}
                onSelect={item.onPick}
                {...(item.checked === undefined ? {} : { role: 'menuitemradio', 'aria-checked': item.checked })}
              >
                <span className={styles.menuIcon}>{item.icon}</span>
                <span className={across ? 'only-spoken' : `${shapes.words} ${shapes.fill}`}>{item.label}</span>
                {item.checked && <span className={`${shapes.rigid} ${styles.menuCheck}`} aria-hidden="true" />}
                {item.keys && <Keys keys={item.keys} hint />}
              </Primitive.Item>
            </div>
          ))}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
