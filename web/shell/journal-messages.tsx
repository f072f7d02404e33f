// Messages about commands: refused ones with their reason, deleted things with an undo; offers undo and redo. While the server cannot
// be reached a line above the screen says so, and one for each change that cannot be sent any more: these lines stay, and must not
// cover what someone is typing.

import { CircleHelp, CloudOff, Redo2, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions } from '../actions/registry.tsx';
import { sayRefusal, truncate, type Unsendable, useJournal, useUnsendable } from '../commands.ts';
import { useRefresh } from '../queries.ts';
import { t } from '../strings/messages.ts';
import shapes from '../styles/shapes.module.css';
import { announce } from '../ui/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { removeMessage, showError, showMessage, showOffer } from '../ui/overlays/toaster.tsx';
import { copyText } from '../ui/text/copy-text.ts';
import styles from './journal-messages.module.css';

export function JournalMessages() {
  const journal = useJournal();
  const refresh = useRefresh();
  // What an earlier page left may have been tried already.
  const [isOffline, setOffline] = useState(journal.isOffline);
  useEffect(() => {
    setOffline(journal.isOffline);
    return journal.subscribe((event) => {
      if (event.kind === 'refused') {
        const { entry, part, words } = event;
        const what =
          part === undefined
            ? t('common.refused.title', { what: entry.label })
            : t('common.refused.part', { what: entry.label, n: part.refused, all: part.all });
        const copying = { label: t('common.stranded.copy'), onPick: () => void copyWords(words) };
        showError(what, sayRefusal(event.reason), words === '' ? undefined : copying);
        // Refused means that we knew less than the server: look again.
        void refresh();
      }
      if (event.kind === 'offline') setOffline(true);
      if (event.kind === 'online') {
        setOffline(false);
        showMessage(t('common.unsent.arriving'), 2500);
        // Others were at work meanwhile.
        void journal.idle().then(() => refresh());
      }
      if (event.kind === 'shown' && (event.entry.delay !== undefined || event.entry.announced))
        showOffer(event.entry.id, event.entry.label, event.entry.delay, {
          label: t('common.undo'),
          onPick: () => journal.undo(event.entry),
        });
      if (event.kind === 'undone') {
        const { entry, left, all } = event;
        const what = entry.label;
        // The way back is not offered twice.
        if (left < all) removeMessage(entry.id);
        if (left === all) showMessage(t('common.overtaken', { what }));
        else if (left > 0) showMessage(t('common.undonePart', { what, n: left, all }), 9000);
        else showMessage(t('common.undone', { what }), 2500);
      }
      if (event.kind === 'redone') showMessage(t('common.redone', { what: event.entry.label }), 2500);
    });
  }, [journal, refresh]);
  useActions([
    {
      id: 'undo',
      label: t('common.undo'),
      group: 'general',
      keys: 'mod+z',
      icon: <Undo2 size={16} />,
      effect: () => {
        if (journal.undo() === null) {
          showMessage(t('common.nothingToUndo'), 2000);
          announce(t('common.nothingToUndo'));
        }
      },
    },
    {
      id: 'redo',
      label: t('common.redo'),
      group: 'general',
      keys: 'mod+shift+z|mod+y',
      icon: <Redo2 size={16} />,
      effect: () => {
        journal.redo();
      },
    },
  ]);
  return (
    <div role="status">
      {isOffline && (
        <div className={`${shapes.row} ${styles.unsent}`}>
          <CloudOff size={16} className={styles.unsentSign} aria-hidden="true" />
          <p>
            <strong>{t('common.unsent.title')}</strong> {t('common.unsent.words')}
          </p>
          <Button look="plain" onClick={() => journal.retry()}>
            {t('common.retry')}
          </Button>
        </div>
      )}
      <UnsendableMessages />
    </div>
  );
}

const copyWords = (words: string) =>
  copyText(words).then((copied) => copied && showMessage(t('common.stranded.copied'), 2500));

/** So much of what was written stands in the line. */
const shownWords = 300;

function whyUnsent({ why, words }: Unsendable): string {
  if (why === 'unsupported') return t('common.stranded.words');
  return words === '' ? t('common.stranded.theirs') : t('common.stranded.overtaken');
}

/** What is kept here and cannot be sent: it stays until its owner says otherwise. */
function UnsendableMessages() {
  const { unsendable, discard, override } = useUnsendable();
  return unsendable.map((one) => (
    <div key={one.name} className={`${shapes.row} ${styles.unsent}`}>
      <CircleHelp size={16} className={styles.unsentSign} aria-hidden="true" />
      <p>
        <strong>{t('common.stranded.title', { what: one.label || t('common.stranded.something') })}</strong>{' '}
        {whyUnsent(one)} {one.words !== '' && <q>{truncate(one.words, shownWords)}</q>}
      </p>
      {one.why === 'conflict' && (
        <Button look="plain" onClick={() => override(one)}>
          {t('task.conflict.useMine')}
        </Button>
      )}
      {(one.why === 'unsupported' || one.words !== '') && (
        <Button look="plain" onClick={() => void copyWords(one.words || one.record)}>
          {t('common.stranded.copy')}
        </Button>
      )}
      <Button look="plain" onClick={() => discard(one)}>
        {t('common.discard')}
      </Button>
    </div>
  ));
}
