// Tells what became of commands: refused ones with their reason, deleted things with a way back; and offers undo and redo.
// While the server is away a line above the screen says so: it stays, and must not cover what someone is typing.

import { CloudOff, Redo2, Undo2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions } from '../actions/registry.tsx';
import { sayRefusal } from '../commands/refusals.ts';
import { words } from '../strings/words.ts';
import type { Deed } from '../sync/journal.ts';
import { useSync } from '../sync/react.tsx';
import { announce } from '../ui/announcer.tsx';
import { Button } from '../ui/button.tsx';
import { clearAway, complain, offer, tell } from '../ui/toaster.tsx';
import './journal-news.css';

const names = new WeakMap<Deed, string>();
let named = 0;

/** What the message about a deed is called. */
function nameOf(deed: Deed): string {
  const name = names.get(deed) ?? `deed ${++named}`;
  names.set(deed, name);
  return name;
}

export function JournalNews() {
  const { journal, watch } = useSync();
  // What an earlier page left may have been tried already.
  const [stuck, setStuck] = useState(journal.trouble !== null);
  useEffect(() => {
    setStuck(journal.trouble !== null);
    return journal.subscribe((news) => {
      if (news.kind === 'refused') {
        const { label, steps } = news.deed;
        const say = words.common.refused;
        const what = news.part === undefined ? say.title(label) : say.part(label, news.part, steps.length);
        complain(what, sayRefusal(news.reason));
        // Refused means that we knew less than the server: look again.
        void watch.refresh();
      }
      if (news.kind === 'stuck') setStuck(true);
      if (news.kind === 'arriving') {
        setStuck(false);
        tell(words.common.unsent.arriving, 2500);
        // Others were at work meanwhile.
        void journal.idle().then(() => watch.refresh());
      }
      if (news.kind === 'done' && (news.deed.hold !== undefined || news.deed.told))
        offer(nameOf(news.deed), news.deed.label, news.deed.hold, {
          label: words.common.undo,
          onPick: () => journal.undo(news.deed),
        });
      if (news.kind === 'undone') {
        // The way back is not offered twice.
        clearAway(nameOf(news.deed));
        tell(words.common.undone(news.deed.label), 2500);
      }
      if (news.kind === 'overtaken') tell(words.common.overtaken(news.deed.label));
      if (news.kind === 'redone') tell(words.common.redone(news.deed.label), 2500);
    });
  }, [journal, watch]);
  useActions([
    {
      id: 'undo',
      label: words.common.undo,
      group: 'general',
      keys: 'mod+z',
      icon: <Undo2 size={16} />,
      effect: () => {
        if (journal.undo() === null) {
          tell(words.common.nothingToUndo, 2000);
          announce(words.common.nothingToUndo);
        }
      },
    },
    {
      id: 'redo',
      label: words.common.redo,
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
      {stuck && (
        <div className="unsent">
          <CloudOff size={16} className="unsent-sign" aria-hidden="true" />
          <p>
            <strong>{words.common.unsent.title}</strong> {words.common.unsent.words}
          </p>
          <Button look="plain" onClick={() => journal.retry()}>
            {words.common.retry}
          </Button>
        </div>
      )}
    </div>
  );
}
