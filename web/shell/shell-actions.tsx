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
  type LucideIcon,
  Plus,
  Search,
  ShieldCheck,
  SunMoon,
  UserRound,
  UsersRound,
} from 'lucide-react';
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { type Action, useActions } from '../actions/registry.tsx';
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
  const way = (id: string, label: string, Icon: LucideIcon, path: string, keys?: string): Action => {
    return { id, label, group: 'general', ...(keys && { keys }), icon: <Icon size={16} />, effect: () => go(path) };
  };
  useActions([
    way('go-projects', t('common.nav.projects'), House, paths.projects, 'g p'),
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
    way('go-inbox', t('common.nav.inbox'), Inbox, paths.inbox, 'g i'),
    way('go-my-tasks', t('common.nav.myTasks'), CircleCheckBig, paths.myTasks, 'g m'),
    way('go-dashboard', t('projects.views.dashboard'), ChartColumn, paths.dashboard, 'g d'),
    way('go-archive', t('common.nav.archive'), Archive, paths.archive),
    way('go-import', t('common.nav.import'), FileUp, paths.imports),
    ...(settings.billing ? [way('go-billing', t('common.nav.billing'), CreditCard, paths.billing)] : []),
    {
      id: 'new-project',
      label: t('common.nav.newProject'),
      group: 'general',
      keys: 'n',
      icon: <Plus size={16} />,
      effect: () => onOpen('new-project'),
    },
    way('go-account', t('common.nav.account'), UserRound, paths.account, 'g a'),
    way('go-groups', t('common.nav.groups'), UsersRound, paths.groups),
    ...(user?.operator ? [way('go-admin', t('common.nav.admin'), ShieldCheck, paths.admin)] : []),
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
