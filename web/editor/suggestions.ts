// Suggestions where one types: people after @, tasks after #, blocks after /. Drawn by rich-field.tsx.

import { Plugin, PluginKey } from 'prosemirror-state';
import { schema } from './schema.ts';

export interface SuggestionQuery {
  readonly kind: 'person' | 'task' | 'block';
  /** From its sign on. */
  readonly from: number;
  readonly to: number;
  readonly words: string;
}

interface Held {
  readonly asked: SuggestionQuery | null;
  /** One that was waved away stays so. */
  readonly dismissed: number | null;
}

const key = new PluginKey<Held>('offers');

const signs: readonly [SuggestionQuery['kind'], RegExp][] = [
  ['person', /(?:^|[\s(\ufffc])@([\p{L}\p{N}'.-]*(?: [\p{L}\p{N}'.-]*)?)$/u],
  ['task', /(?:^|[\s(\ufffc])#([\p{L}\p{N}][\p{L}\p{N}-]*(?: [\p{L}\p{N}-]+){0,4} ?|)$/u],
  ['block', /(?:^|[\s\ufffc])\/([\p{L}\p{N}]{0,16})$/u],
];

export function suggestionsPlugin(onKey: (event: KeyboardEvent) => boolean): Plugin<Held> {
  return new Plugin<Held>({
    key,
    state: {
      init: () => ({ asked: null, dismissed: null }),
      apply(tr, held, _before, state) {
        const wave: unknown = tr.getMeta(key);
        if (wave === 'dismiss') return { asked: null, dismissed: held.asked?.from ?? null };
        if (!tr.docChanged && !tr.selectionSet) return held;
        // Going through what stands there asks for nothing.
        if (!tr.docChanged && held.asked === null) return held;
        const { $from, empty } = state.selection;
        const dismissed = held.dismissed === null ? null : tr.mapping.map(held.dismissed, -1);
        if (!empty || $from.parent.type.spec.code || schema.marks.code.isInSet($from.marks()))
          return { asked: null, dismissed };
        const before = $from.parent.textBetween(
          Math.max(0, $from.parentOffset - 64),
          $from.parentOffset,
          undefined,
          '\ufffc',
        );
        for (const [kind, sign] of signs) {
          const [, words] = sign.exec(before) ?? [];
          if (words === undefined) continue;
          const from = $from.pos - words.length - 1;
          if (from === dismissed) return { asked: null, dismissed };
          return { asked: { kind, from, to: $from.pos, words }, dismissed: null };
        }
        return { asked: null, dismissed: null };
      },
    },
    props: {
      handleKeyDown: (_view, event) => onKey(event),
    },
  });
}

export const suggestionQueryOf = (state: Parameters<typeof key.getState>[0]): SuggestionQuery | null =>
  key.getState(state)?.asked ?? null;

export const dismissal = { key, value: 'dismiss' } as const;
