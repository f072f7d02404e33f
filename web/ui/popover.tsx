// A small panel that hangs from a button.

import { Popover as Primitive } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import './menu.css';

export function Popover({
  trigger,
  label,
  open,
  onOpenChange,
  align = 'start',
  children,
}: {
  trigger: ReactElement;
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  align?: 'start' | 'end';
  children: ReactNode;
}) {
  return (
    <Primitive.Root {...(open === undefined ? {} : { open })} {...(onOpenChange ? { onOpenChange } : {})}>
      <Primitive.Trigger asChild>{trigger}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content className="popover" align={align} sideOffset={4} collisionPadding={8} aria-label={label}>
          {children}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
