// The server has another version of the app than this page: a quiet line says so. The page is loaded anew by a press, or once nobody looks
// at it and nothing would be lost; and at once where a part of the old version is not to be had any more, or where the page has only just
// begun, from what this device keeps, and nobody has touched it.

import { Sparkles } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useJournal } from '../commands.ts';
import { useHasUploads } from '../files/upload-signal.ts';
import { useLiveState } from '../queries.ts';
import { type BuildWatch, hasServerAnother, reloadOnce, watchBuild } from '../session/new-build.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { Button } from '../ui/button.tsx';
import { useLatest } from '../ui/use-latest.ts';
import styles from './journal-messages.module.css';

export default function NewVersion() {
  const journal = useJournal();
  const hasUploads = useHasUploads();
  const live = useLiveState();
  const [isThere, setIsThere] = useState(false);
  const watch = useRef<BuildWatch | null>(null);
  const mayReload = useLatest(() => !isInTheMiddle() && !journal.busy && !hasUploads);

  useEffect(watchTyping, []);
  useEffect(() => {
    watch.current = watchBuild((isFirstLook) => {
      if (isFirstLook && !navigator.userActivation.hasBeenActive && mayReload.current() && reloadOnce()) return;
      setIsThere(true);
    });
    return () => watch.current?.end();
  }, [mayReload]);
  // A connection that was lost and is there again may have been a server that was replaced.
  useEffect(() => {
    if (live === 'live') watch.current?.look();
  }, [live]);

  useEffect(() => {
    const onMissing = async (): Promise<void> => {
      if (!(await hasServerAnother())) return;
      setIsThere(true);
      if (mayReload.current()) reloadOnce();
    };
    const missing = (): void => void onMissing();
    window.addEventListener('vite:preloadError', missing);
    return () => window.removeEventListener('vite:preloadError', missing);
  }, [mayReload]);

  useEffect(() => {
    if (!isThere) return;
    const reload = (): void => {
      if (document.visibilityState === 'hidden' && mayReload.current()) reloadOnce();
    };
    document.addEventListener('visibilitychange', reload);
    return () => document.removeEventListener('visibilitychange', reload);
  }, [isThere, mayReload]);

  return (
    <div role="status">
      {isThere && (
        <div className={`${shapes.row} ${styles.unsent} ${styles.newVersion}`}>
          <Sparkles size={16} className={styles.unsentSign} aria-hidden="true" />
          <p>{t('common.newVersion.words')}</p>
          <Button look="plain" onClick={() => location.reload()}>
            {t('common.reload')}
          </Button>
        </div>
      )}
    </div>
  );
}

const touched = new Set<Element>();

/** Begins to listen. */
function watchTyping(): () => void {
  const note = (event: Event): void => {
    if (event.target instanceof Element) touched.add(event.target);
  };
  document.addEventListener('input', note, true);
  return () => {
    document.removeEventListener('input', note, true);
    touched.clear();
  };
}

function isInTheMiddle(): boolean {
  for (const element of touched) if (!element.isConnected) touched.delete(element);
  return [...touched].some((field) => wordsIn(field) !== '') || document.querySelector('[role="dialog"]') !== null;
}

function wordsIn(field: Element): string {
  const words = 'value' in field ? String(field.value) : field.textContent;
  return (words ?? '').trim();
}
