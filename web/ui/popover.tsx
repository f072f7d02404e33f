// A small panel below a button, or below what a key was pressed on.

import { Popover as Primitive } from 'radix-ui';
import { isValidElement, type ReactElement, type ReactNode } from 'react';
import { KeysArrive } from './held-keys.ts';
import styles from './menu.module.css';

/** A button that is drawn here and opens it; or what stands in the page already; it, or `back`, has the focus again
 * afterwards. */
export type Trigger = ReactElement | { readonly there: HTMLElement; readonly back?: HTMLElement };

export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = 'start',
  children,
}: {
  trigger: Trigger;
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      {isValidElement(trigger) ? (
        <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      ) : (
        <Primitive.Anchor virtualRef={{ current: trigger.there }} />
      )}
      <Primitive.Portal>
        <Primitive.Content
          className={styles.popover}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          aria-label={label}
          onCloseAutoFocus={(event) => {
            if (isValidElement(trigger)) return;
            event.preventDefault();
            const back = trigger.back ?? trigger.there;
            if (back.isConnected) back.focus({ preventScroll: true });
          }}
        >
          <KeysArrive />
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
