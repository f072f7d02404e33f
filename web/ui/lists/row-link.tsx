// A link for cards and rows that stand in their hundreds. It leads where wouter's leads, but does not listen to where we are:
// otherwise every card would be drawn again whenever a task is opened.

import type { ComponentProps, MouseEvent } from 'react';
import { navigate } from 'wouter/use-browser-location';

export function RowLink({ href, ...rest }: ComponentProps<'a'> & { href: string }) {
  return <a {...rest} href={href} onClick={follow} />;
}

/** With a held key or another button the browser does what it does with links. */
function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  event.preventDefault();
  const { pathname, search } = event.currentTarget;
  navigate(pathname + search);
}
