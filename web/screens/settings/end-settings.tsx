// Leaving, archiving, deleting; the last asks for the name to be typed.

import type { ReactNode } from 'react';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { archiveProject, deleteProject, leaveProject, sayRefusal, unarchiveProject, useAct } from '../../commands.ts';
import { membersOf, useQuery } from '../../queries.ts';
import { paths } from '../../routes.ts';
import { words } from '../../strings/words.ts';
import { useSync } from '../../sync/react.tsx';
import type { ProjectRow } from '../../sync/rows.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { complain } from '../../ui/toaster.tsx';
import { Section } from './section.tsx';

const say = words.settings;

export function EndSettings({ project, owner }: { project: ProjectRow; owner: boolean }) {
  const sync = useSync();
  const act = useAct();
  const [, go] = useLocation();
  const members = useQuery(membersOf, project.id);
  const [asking, setAsking] = useState<'leave' | 'delete' | null>(null);
  const [typed, setTyped] = useState('');
  const [leaving, setLeaving] = useState(false);
  const lastOwner = owner && members.filter((member) => member.role === 'owner').length === 1;

  async function leave(): Promise<void> {
    setLeaving(true);
    try {
      await leaveProject(sync, project.id);
      go(paths.projects);
    } catch (reason) {
      complain(words.common.refused.title(say.leave), sayRefusal(reason));
      setAsking(null);
      // Refused means that we knew less than the server.
      void sync.watch.refresh();
    } finally {
      setLeaving(false);
    }
  }

  function remove(): void {
    if (typed.trim() !== project.name.trim()) return;
    setAsking(null);
    // It is gone from here at once; should the server refuse, that is told and it comes back.
    go(paths.projects);
    deleteProject(sync, project).catch(() => undefined);
  }

  return (
    <Section title={owner ? say.sections.danger : say.leave}>
      {owner && (
        <End words={say.archiveWords}>
          <Button onClick={() => void act(project.archived_at ? unarchiveProject : archiveProject, project.id)}>
            {project.archived_at ? say.unarchive : say.archive}
          </Button>
        </End>
      )}
      <End words={lastOwner ? say.lastOwner : say.leaveWords}>
        <Button disabled={lastOwner} onClick={() => setAsking('leave')}>
          {say.leave}
        </Button>
      </End>
      {owner && (
        <End words={say.removeWords}>
          <Button look="danger" onClick={() => setAsking('delete')}>
            {say.remove}
          </Button>
        </End>
      )}
      <Confirm open={asking === 'leave'} onClose={() => setAsking(null)} title={say.leave} description={say.leaveWords}>
        <Button onClick={() => setAsking(null)}>{words.common.cancel}</Button>
        <Button look="danger" busy={leaving} onClick={() => void leave()}>
          {say.leave}
        </Button>
      </Confirm>
      <Dialog
        open={asking === 'delete'}
        onClose={() => setAsking(null)}
        title={say.remove}
        description={say.removeWords}
      >
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            remove();
          }}
        >
          <TextField
            label={say.removeType(project.name)}
            autoComplete="off"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
          <div className="dialog-actions">
            <Button onClick={() => setAsking(null)}>{words.common.cancel}</Button>
            <Button look="danger" type="submit" disabled={typed.trim() !== project.name.trim()}>
              {say.doRemove}
            </Button>
          </div>
        </form>
      </Dialog>
    </Section>
  );
}

function End({ words: sentence, children }: { words: string; children: ReactNode }) {
  return (
    <div className="settings-end">
      <p>{sentence}</p>
      {children}
    </div>
  );
}
