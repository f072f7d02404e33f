// Actions available everywhere: navigation, search, a new project, the theme, the list of keys, signing out.

import {
  Archive,
  ChartColumn,
  CircleCheckBig,
  CreditCard,
  FileUp,
  House,
  Inbox,
  Keyboard,
  LogOut,
  Plus,
  Search,
  ShieldCheck,
  SunMoon,
  UserRound,
} from 'lucide-react';
import { type ReactNode, useCallback } from 'react';
import { useLocation } from 'wouter';
import { useActions } from '../actions/registry.tsx';
import { useHasUploads } from '../files/upload-signal.ts';
import { paths } from '../routes.ts';
import { useLastCall } from '../session/own-rows.tsx';
import { useApp, useSession } from '../session/react.tsx';
import { t } from '../strings/messages.ts';
import { chooseTheme } from '../theme.ts';

/** What opens over every screen. */
export type ShellDialog = 'shortcuts' | 'new-project' | 'new-task' | 'search';

export function useShellActions(onOpen: (dialog: ShellDialog) => void): void {
  const [, go] = useLocation();
  const signOut = useSignOut();
  const { settings } = useApp();
  const { user } = useSession();
  const way = (id: string, label: string, icon: ReactNode, path: string) => {
    return { id, label, group: 'general' as const, icon, effect: () => go(path) };
  };
  useActions([
    {
      id: 'go-projects',
      label: t('common.nav.projects'),
      group: 'general',
      keys: 'g p',
      icon: <House size={16} />,
      effect: () => go(paths.projects),
    },
    {
      id: 'search',
      label: t('common.nav.search'),
      group: 'general',
      keys: 'mod+k',
      icon: <Search size={16} />,
      hidden: true,
      whileTyping: true,
      effect: () => onOpen('search'),
    },
    // A second way in that must not be taken from someone who types a slash.
    {
      id: 'search-slash',
      label: t('common.nav.search'),
      group: 'general',
      keys: '/',
      hidden: true,
      effect: () => onOpen('search'),
    },
    {
      id: 'go-inbox',
      label: t('common.nav.inbox'),
      group: 'general',
      keys: 'g i',
      icon: <Inbox size={16} />,
      effect: () => go(paths.inbox),
    },
    {
      id: 'go-my-tasks',
      label: t('common.nav.myTasks'),
      group: 'general',
      keys: 'g m',
      icon: <CircleCheckBig size={16} />,
      effect: () => go(paths.myTasks),
    },
    {
      id: 'go-dashboard',
      label: t('projects.views.dashboard'),
      group: 'general',
      keys: 'g d',
      icon: <ChartColumn size={16} />,
      effect: () => go(paths.dashboard),
    },
    way('go-archive', t('common.nav.archive'), <Archive size={16} />, paths.archive),
    way('go-import', t('common.nav.import'), <FileUp size={16} />, paths.imports),
    ...(settings.billing ? [way('go-billing', t('common.nav.billing'), <CreditCard size={16} />, paths.billing)] : []),
    {
      id: 'new-project',
      label: t('common.nav.newProject'),
      group: 'general',
      keys: 'n',
      icon: <Plus size={16} />,
      effect: () => onOpen('new-project'),
    },
    {
      id: 'go-account',
      label: t('common.nav.account'),
      group: 'general',
      keys: 'g a',
      icon: <UserRound size={16} />,
      effect: () => go(paths.account),
    },
    ...(user?.operator ? [way('go-admin', t('common.nav.admin'), <ShieldCheck size={16} />, paths.admin)] : []),
    {
      id: 'theme',
      label: t('common.theme'),
      group: 'general',
      keys: 'shift+d',
      icon: <SunMoon size={16} />,
      effect: () => chooseTheme(isDark() ? 'light' : 'dark'),
    },
    {
      id: 'shortcuts',
      label: t('common.nav.shortcuts'),
      group: 'general',
      keys: '?',
      icon: <Keyboard size={16} />,
      effect: () => onOpen('shortcuts'),
    },
    {
      id: 'sign-out',
      label: t('common.nav.signOut'),
      group: 'general',
      icon: <LogOut size={16} />,
      effect: () => void signOut(),
    },
  ]);
}

function isDark(): boolean {
  const { theme } = document.documentElement.dataset;
  return theme === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : theme === 'dark';
}

/** Leaving: asks when something would be lost; the session then ends here whatever the server says. */
function useSignOut(): () => Promise<void> {
  const { holder } = useApp();
  const lastCall = useLastCall();
  const hasUploads = useHasUploads();
  const [, go] = useLocation();
  return useCallback(async () => {
    if (((await lastCall()) || hasUploads) && !confirm(t('common.unsent.leave'))) return;
    await holder.signOut();
    go(paths.signIn);
  }, [holder, lastCall, hasUploads, go]);
}
