// The frame around every screen: navigation at the side (a drawer on small screens), messages, keys.

import { Menu as MenuIcon, Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { tellTimeZone, useAsk } from '../commands.ts';
import { useHasUploads } from '../files/upload-signal.ts';
import { Logo } from '../pieces/logo.tsx';
import { useMinute } from '../queries/days/today.ts';
import { unreadCountIn, useQuery, useScope, useUserId } from '../queries.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Announcer } from '../ui/announcer.tsx';
import { IconButton } from '../ui/button.tsx';
import { lazyComponent } from '../ui/lazy-component.tsx';
import { keepFocus } from '../ui/lists/keep-focus.ts';
import { bufferKeys } from '../ui/overlays/buffered-keys.ts';
import { lazyOverlay } from '../ui/overlays/lazy-overlay.tsx';
import { prepareToaster, Toaster } from '../ui/overlays/toaster.tsx';
import { useUnreadMark } from '../ui/page-title.ts';
import { TopBarSlot } from '../ui/top-bar-slot.tsx';
import { usePhone } from '../ui/use-narrow.ts';
import { JournalMessages } from './journal-messages.tsx';
import { LiveStatus } from './live-status.tsx';
import { Navigation } from './navigation.tsx';
import styles from './shell.module.css';
import { type ShellDialog, useShellActions } from './shell-actions.tsx';

const NewVersion = lazyComponent(() => import('./new-version.tsx'));
const Drawer = lazyComponent(() => import('./drawer.tsx'));
const BottomBar = lazyComponent(() => import('./bottom-bar.tsx'));
const NewTask = lazyOverlay(() => import('../screens/board/new-task.tsx'));
const Palette = lazyOverlay(() => import('../screens/search/palette.tsx'));
const Shortcuts = lazyOverlay(() => import('./shortcuts.tsx'));
const UploadDock = lazyComponent(() => import('./upload-dock.tsx'), ['files']);
const NewProject = lazyOverlay(() => import('../screens/projects/new-project.tsx'), ['starters', 'people', 'groups']);

export function Shell({ children }: { children: ReactNode }) {
  const [drawer, setDrawer] = useState(false);
  const [dialog, setDialog] = useState<ShellDialog | null>(null);
  const [isSettled, setIsSettled] = useState(false);
  const [location] = useLocation();
  const search = useSearch();
  const main = useRef<HTMLElement>(null);
  const phone = usePhone();
  const [topRoom, setTopRoom] = useState<HTMLElement | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: going somewhere closes the drawer
  useEffect(() => setDrawer(false), [location, search]);
  useEffect(() => (main.current ? keepFocus(main.current) : undefined), []);
  // Searching is what one does first: its code is there before its key is pressed. News may be that nobody answers.
  useEffect(() => {
    // After the first screen, whose code and rows come first.
    let stop = (): void => undefined;
    const timer = setTimeout(() => {
      stop = whenIdle(() => {
        Palette.fetch();
        prepareToaster();
        setIsSettled(true);
      });
    }, 1500);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
  const open = useCallback((which: ShellDialog) => {
    bufferKeys();
    setDialog(which);
  }, []);
  useShellActions(open);
  const ask = useAsk();
  useEffect(() => {
    const timer = setTimeout(() => void ask(tellTimeZone).catch(() => undefined), 5000);
    return () => clearTimeout(timer);
  }, [ask]);
  useEffect(refuseStrayFiles, []);
  const hasUploads = useHasUploads();
  // What has come in is followed wherever one is.
  useScope({ kind: 'inbox', userId: useUserId() });
  useUnreadMark(useQuery(unreadCountIn, useMinute()));
  return (
    <TopBarSlot value={topRoom}>
      <a className="skip" href="#content">
        {t('common.skip')}
      </a>
      <div className={`${shapes.grid} ${styles.shell}`}>
        <aside className={`${shapes.onScreen} ${shapes.paper} ${shapes.short} ${styles.sidebar}`}>
          <Navigation />
        </aside>
        <div className={`${shapes.column} ${shapes.slim} ${shapes.short}`}>
          <header className={`${shapes.onScreen} ${shapes.rigid} ${shapes.level} ${shapes.paper} ${styles.topbar}`}>
            <IconButton label={t('common.nav.openMenu')} onClick={() => setDrawer(true)}>
              <MenuIcon size={18} />
            </IconButton>
            <span className={styles.topbarMark}>
              <Logo />
            </span>
            <div className={styles.topbarRoom} ref={setTopRoom} />
            {!phone && (
              <IconButton label={t('common.nav.search')} className={styles.topbarEnd} onClick={() => open('search')}>
                <Search size={18} />
              </IconButton>
            )}
          </header>
          <JournalMessages />
          {isSettled && <NewVersion />}
          <main
            id="content"
            className={`${shapes.scroll} ${shapes.holder} ${shapes.unringed} ${shapes.unrolled} ${styles.content}`}
            tabIndex={-1}
            ref={main}
          >
            {children}
          </main>
        </div>
        {phone && (
          <div className={`${shapes.onScreen} ${styles.foot}`}>
            <BottomBar onNewTask={() => open('new-task')} />
          </div>
        )}
      </div>
      {drawer && <Drawer onClose={() => setDrawer(false)} />}
      {dialog === 'search' && <Palette onClose={() => setDialog(null)} />}
      {dialog === 'shortcuts' && <Shortcuts onClose={() => setDialog(null)} />}
      {dialog === 'new-task' && <NewTask onClose={() => setDialog(null)} />}
      {dialog === 'new-project' && <NewProject onClose={() => setDialog(null)} />}
      {hasUploads && <UploadDock />}
      <LiveStatus />
      <Announcer />
      <Toaster />
    </TopBarSlot>
  );
}

/** A file that is dropped where nothing takes it would open in the place of the app. */
function refuseStrayFiles(): () => void {
  const refuse = (event: DragEvent): void => {
    if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
  return () => {
    window.removeEventListener('dragover', refuse);
    window.removeEventListener('drop', refuse);
  };
}

/** Safari knows no idle callback; a moment after the screen stands does as well. */
function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const asked = requestIdleCallback(work, { timeout: 2000 });
    return () => cancelIdleCallback(asked);
  }
  const timer = setTimeout(work, 300);
  return () => clearTimeout(timer);
}
