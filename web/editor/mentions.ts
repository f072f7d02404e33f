// People and tasks that a text names, drawn as what they are while they stay letters: a chip can be typed through, copied and read out.

import type { Node } from 'prosemirror-model';
import { Plugin, PluginKey } from 'prosemirror-state';
import { Decoration, DecorationSet } from 'prosemirror-view';
import { schema } from './schema.ts';

/** A task that is named in the text by these words. */
export interface MentionedTask {
  readonly words: string;
  readonly title: string;
  readonly done: boolean;
  /** Of its column. */
  readonly kind: string;
  readonly color: string | null;
}

export interface Mentions {
  readonly people: readonly string[];
  readonly tasks: readonly MentionedTask[];
}

const key = new PluginKey<Mentions>('named');

export function mentionsPlugin(initial: Mentions): Plugin<Mentions> {
  let last: { doc: Node; named: Mentions; set: DecorationSet } | null = null;
  return new Plugin<Mentions>({
    key,
    state: {
      init: () => initial,
      apply: (tr, held) => (tr.getMeta(key) as Mentions | undefined) ?? held,
    },
    props: {
      decorations(state) {
        const named = key.getState(state) ?? initial;
        if (last?.doc === state.doc && last.named === named) return last.set;
        const set = DecorationSet.create(state.doc, decorationsOf(state.doc, named));
        last = { doc: state.doc, named, set };
        return set;
      },
    },
  });
}

export const mentionsMeta = key;

function decorationsOf(doc: Node, { people, tasks }: Mentions): Decoration[] {
  const longest = [...people].filter(Boolean).sort((one, other) => other.length - one.length);
  const words = [...new Set(tasks.map((task) => task.words))].sort((one, other) => other.length - one.length);
  const all: Decoration[] = [];
  if (longest.length === 0 && words.length === 0) return all;
  const pattern = new RegExp(
    [
      ...(longest.length === 0
        ? []
        : [`(?<![\\p{L}\\p{N}])@(?:${longest.map(escapePattern).join('|')})(?![\\p{L}\\p{N}])`]),
      ...(words.length === 0
        ? []
        : [`(?<![\\p{L}\\p{N}_/-])(?:${words.map(escapePattern).join('|')})(?![\\p{L}\\p{N}_-])`]),
    ].join('|'),
    'giu',
  );
  doc.descendants((node, pos) => {
    if (node.type.spec.code) return false;
    if (!node.isText || schema.marks.code.isInSet(node.marks)) return true;
    for (const { 0: found, index } of (node.text ?? '').matchAll(pattern)) {
      const [from, to] = [pos + index, pos + index + found.length];
      if (found.startsWith('@')) {
        all.push(Decoration.inline(from, to, { 'data-person': '' }));
        continue;
      }
      const task = tasks.find((one) => one.words === found);
      if (task === undefined) continue;
      const { title, done, kind, color } = task;
      all.push(
        Decoration.inline(from, to, {
          'data-chip': kind,
          ...(done ? { 'data-done': '' } : {}),
          'data-title': title,
          title,
          ...(color === null ? {} : { style: `--chip: ${color}` }),
        }),
      );
    }
    return true;
  });
  return all;
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
