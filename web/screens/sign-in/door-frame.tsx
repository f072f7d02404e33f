// The frame of every door: the mark, a title, the form, and a quiet picture beside it on wide screens.

import type { ReactNode } from 'react';
import { Mark } from '../../shell/mark.tsx';
import { words } from '../../strings/words.ts';
import { Notice } from '../../ui/state.tsx';
import './door.css';

export function DoorFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <div className="door">
      <main className="door-form">
        <a href="/" className="door-home">
          <Mark />
        </a>
        <h1>{title}</h1>
        {lead && <p className="door-lead">{lead}</p>}
        {children}
      </main>
      <aside className="door-art" aria-hidden="true">
        <div className="door-board">
          {[3, 4, 2].map((cards, column) => (
            <div key={cards} className="door-column">
              <span className="door-bar" />
              {Array.from({ length: cards }, (_, card) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a drawing that never changes
                <span key={card} className={`door-card door-card-${(column * 2 + card) % 4}`}>
                  <i />
                  <i />
                </span>
              ))}
            </div>
          ))}
        </div>
        <p>{words.signIn.pitch}</p>
      </aside>
    </div>
  );
}

/** A mail is on its way. */
export function Sent({ words: sentence }: { words: string }) {
  return (
    <Notice tone="good">
      <strong>{words.signIn.sent.title}</strong>
      <p>{sentence}</p>
    </Notice>
  );
}

/** After the faults are drawn, the first field that has one gets the focus. */
export function focusFirstFault(): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>('form [aria-invalid]')?.focus());
}
