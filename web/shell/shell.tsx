// The frame around every screen: navigation at the side (a drawer on small screens), news, keys.

import {
  ChartColumn,
  CircleCheckBig,
  CreditCard,
  House,
  Keyboard,
  LogOut,
  Menu as MenuIcon,
  Plus,
  Search,
  SunMoon,
  UserRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useActions } from '../actions/registry.tsx';
import { paths } from '../routes.ts';
import { useHouse } from '../session/react.tsx';
import { words } from '../strings/words.ts';
import { chooseTheme } from '../theme.ts';
import { Announcer } from '../ui/announcer.tsx';
import { IconButton } from '../ui/button.tsx';
import { keepFocus } from '../ui/keep-focus.ts';
import { Toaster } from '../ui/toaster.tsx';
import { JournalNews } from './journal-news.tsx';
import { Mark } from './mark.tsx';
import { Navigation } from './navigation.tsx';
import { useSignOut } from './sign-out.ts';
import './shell.css';

const Drawer = lazy(() => import('./drawer.tsx'));
const Palette = lazy(() => import('../screens/search/palette.tsx'));
const Shortcuts = lazy(() => import('./shortcuts.tsx'));
const NewProject = lazy(() => import('../screens/projects/new-project.tsx'));

export function Shell({ children }: { children: ReactNode }) {
  const [drawer, setDrawer] = useState(false);
  const [dialog, setDialog] = useState<'shortcuts' | 'new-project' | 'search' | null>(null);
  const [location, go] = useLocation();
  const signOut = useSignOut();
  const { settings } = useHouse();
  const main = useRef<HTMLElement>(null);
  const nav = words.common.nav;
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer
  useEffect(() => setDrawer(false), [location]);
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), []);
  useActions([
    {
      id: 'go-projects',
      label: nav.projects,
      group: 'general',
      keys: 'g p',
      icon: <House size={16} />,
      effect: () => go(paths.projects),
    },
    {
      id: 'search',
      label: nav.search,
      group: 'general',
      keys: 'mod+k',
      icon: <Search size={16} />,
      hidden: true,
      whileTyping: true,
      effect: () => setDialog('search'),
    },
    // A second way in that must not be taken from someone who types a slash.
    {
      id: 'search-slash',
      label: nav.search,
      group: 'general',
      keys: '/',
      hidden: true,
      effect: () => setDialog('search'),
    },
    {
      id: 'go-my-tasks',
      label: nav.myTasks,
      group: 'general',
      keys: 'g m',
      icon: <CircleCheckBig size={16} />,
      effect: () => go(paths.myTasks),
    },
    {
      id: 'go-dashboard',
      label: nav.dashboard,
      group: 'general',
      keys: 'g d',
      icon: <ChartColumn size={16} />,
      effect: () => go(paths.dashboard),
    },
    ...(settings.billing
      ? [
          {
            id: 'go-billing',
            label: nav.billing,
            group: 'general' as const,
            icon: <CreditCard size={16} />,
            effect: () => go(paths.billing),
          },
        ]
      : []),
    {
      id: 'new-project',
      label: nav.newProject,
      group: 'general',
      keys: 'n',
      icon: <Plus size={16} />,
      effect: () => setDialog('new-project'),
    },
    {
      id: 'go-account',
      label: nav.account,
      group: 'general',
      keys: 'g a',
      icon: <UserRound size={16} />,
      effect: () => go(paths.account),
    },
    {
      id: 'theme',
      label: nav.theme,
      group: 'general',
      keys: 'shift+d',
      icon: <SunMoon size={16} />,
      effect: () => chooseTheme(isDark() ? 'light' : 'dark'),
    },
    {
      id: 'shortcuts',
      label: nav.shortcuts,
      group: 'general',
      keys: '?',
      icon: <Keyboard size={16} />,
      effect: () => setDialog('shortcuts'),
    },
    { id: 'sign-out', label: nav.signOut, group: 'general', icon: <LogOut size={16} />, effect: () => void signOut() },
  ]);
  return (
    <>
      <a className="skip" href="#content">
        {words.common.skip}
      </a>
      <div className="shell">
        <aside className="sidebar">
          <Navigation />
        </aside>
        <div className="shell-body">
          <header className="topbar">
            <IconButton label={nav.openMenu} onClick={() => setDrawer(true)}>
              <MenuIcon size={18} />
            </IconButton>
            <Mark />
            <IconButton label={nav.search} className="topbar-end" onClick={() => setDialog('search')}>
              <Search size={18} />
            </IconButton>
          </header>
          <JournalNews />
          <main id="content" className="content" tabIndex={-1} ref={main}>
            {children}
          </main>
        </div>
      </div>
      <Suspense>
        {drawer && <Drawer onClose={() => setDrawer(false)} />}
        {dialog === 'search' && <Palette onClose={() => setDialog(null)} />}
        {dialog === 'shortcuts' && <Shortcuts onClose={() => setDialog(null)} />}
        {dialog === 'new-project' && <NewProject onClose={() => setDialog(null)} />}
      </Suspense>
      <Announcer />
      <Toaster />
    </>
  );
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}
