// Screens for layout tests, and checks for faults: texts that overflow, are cut off or overlap, controls that something lies on.

/** Every screen of the app by its path; `:id` is a project, `:bob` another member of it, `:crew` a group. */
export const screens: Readonly<Record<string, string>> = {
  projects: '/app',
  inbox: '/app/inbox',
  'my-tasks': '/app/my-tasks',
  dashboard: '/app/dashboard',
  account: '/app/account',
  billing: '/app/billing',
  archive: '/app/archive',
  board: '/app/projects/:id/board',
  task: '/app/projects/:id/board/1',
  list: '/app/projects/:id/list',
  agents: '/app/projects/:id/agents',
  people: '/app/projects/:id/people',
  settings: '/app/projects/:id/settings',
  table: `/app/projects/:id/list?shown=${encodeURIComponent('{"columns":["number","title","priority","due_date"]}')}`,
  calendar: '/app/projects/:id/calendar',
  timeline: '/app/projects/:id/timeline',
  person: '/app/people/:bob',
  groups: '/app/groups',
  group: '/app/groups/:crew',
  import: '/app/import',
  admin: '/admin',
  'admin-accounts': '/admin/accounts',
  'admin-projects': '/admin/projects',
  'admin-mail': '/admin/mail',
  'admin-log': '/admin/log',
  'admin-access': '/admin/access',
};
/** The pages before signing in. */
export const doors: Readonly<Record<string, string>> = {
  landing: '/',
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  forgot: '/forgot',
  invitation: '/invitation/of-nobody',
  join: '/join#of-nobody',
  'public link': '/share#of-nobody',
};

/** Faults of the page that is shown; runs in the browser. */
export function faults(): string[] {
  const found: string[] = [];
  const root = document.documentElement;
  // What slides sideways on its own, and what only those hear who need it.
  const slides =
    '[data-board], [role="table"], [role="grid"], [role="treegrid"], [role="tablist"], main nav, search, pre, .code, .only-spoken, .skip, [inert]';
  const nameOf = (one: Element): string =>
    `${one.tagName.toLowerCase()} “${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}”`;
  const shows = (one: Element): boolean => {
    const box = one.getBoundingClientRect();
    return box.width > 1 && box.height > 1 && one.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  };
  const holdsText = (one: Element): boolean =>
    [...one.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\p{L}{2}/u.test(node.nodeValue ?? ''));
  if (root.scrollWidth > root.clientWidth) {
    const rights = [...document.querySelectorAll('body *')].map(
      (one) => [one.getBoundingClientRect().right, one] as const,
    );
    const widest = rights.sort(([a], [b]) => b - a)[0]?.[1];
    found.push(`the page is ${root.scrollWidth} wide, of ${root.clientWidth}, for ${widest && nameOf(widest)}`);
  }
  for (const one of document.querySelectorAll<HTMLElement>('body *')) {
    if (!holdsText(one) || !shows(one) || one.closest('.only-spoken, .skip, [inert], option, svg, pre')) continue;
    const style = getComputedStyle(one);
    // Inline boxes have no inner width to run out of.
    if (style.display === 'inline') continue;
    const ends = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
    // The words themselves: what lies around a small control, invisible, to be hit is wider than it.
    const box = one.getBoundingClientRect();
    const range = document.createRange();
    for (const node of one.childNodes) {
      if (node.nodeType !== Node.TEXT_NODE || one.matches('textarea')) continue;
      range.selectNodeContents(node);
      const words = range.getBoundingClientRect();
      if (words.width > 0 && (words.right > box.right + 1 || words.left < box.left - 1) && !ends)
        found.push(`${nameOf(one)} needs ${Math.round(words.width)} and has ${Math.round(box.width)}`);
    }
    if (style.overflowY === 'hidden' && one.scrollHeight > one.clientHeight + 4 && !ends)
      found.push(`${nameOf(one)} is cut off below`);
  }
  const controls = [...document.querySelectorAll<HTMLElement>('a, button, input, select, textarea')].filter(
    (one) => shows(one) && !one.closest(slides),
  );
  for (const one of controls) {
    const box = one.getBoundingClientRect();
    if (box.left < -1 || box.right > innerWidth + 1)
      found.push(`${nameOf(one)} reaches from ${Math.round(box.left)} to ${Math.round(box.right)}`);
  }
  for (const [at, one] of controls.entries())
    for (const other of controls.slice(at + 1)) {
      // Beside each other in one part: what lies over everything is another layer.
      if (
        one.contains(other) ||
        other.contains(one) ||
        one.parentElement?.parentElement !== other.parentElement?.parentElement
      )
        continue;
      const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
      const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const covers = a.left <= b.left && a.right >= b.right && a.top <= b.top && a.bottom >= b.bottom;
      if (wide > 3 && high > 3 && !covers) found.push(`${nameOf(one)} lies on ${nameOf(other)}`);
    }
  return [...new Set(found)];
}

/** Controls in sight that something else lies on, in the middle of what is seen of them; runs in the browser. */
export function covered(asked: string): string[] {
  const found: string[] = [];
  const nameOf = (one: Element): string =>
    `${one.tagName.toLowerCase()} “${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}”`;
  for (const one of document.querySelectorAll<HTMLElement>(asked)) {
    if (!one.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (one.closest('[inert], .only-spoken, .skip')) continue;
    const box = one.getBoundingClientRect();
    const seen = { left: box.left, top: box.top, right: box.right, bottom: box.bottom };
    for (let at: Element | null = one.parentElement; at !== null; at = at.parentElement) {
      const isRoot = at === document.documentElement;
      if (!isRoot && getComputedStyle(at).overflow === 'visible') continue;
      const room = at.getBoundingClientRect();
      seen.left = Math.max(seen.left, isRoot ? 0 : room.left);
      seen.top = Math.max(seen.top, isRoot ? 0 : room.top);
      seen.right = Math.min(seen.right, isRoot ? innerWidth : room.right);
      seen.bottom = Math.min(seen.bottom, isRoot ? innerHeight : room.bottom);
    }
    // As good as scrolled away.
    if (seen.right - seen.left < 8 || seen.bottom - seen.top < 8) continue;
    const top = document.elementFromPoint((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2);
    if (top === null || one.contains(top) || top.contains(one) || top.closest('label')?.contains(one)) continue;
    found.push(`${nameOf(one)} is below ${nameOf(top)}`);
  }
  return found;
}
