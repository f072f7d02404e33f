// Picker of any emoji, found by its name.

import { useState } from 'react';
import { t } from '../../../strings/messages.ts';
import { Picker } from '../../../ui/fields/picker.tsx';
import { findEmojis } from './emojis.ts';

interface EmojiPickerProps {
  /** It opens below this, which has the focus afterwards. */
  readonly there: HTMLElement;
  readonly onPick: (emoji: string) => void;
  readonly onClosed: () => void;
}

export default function EmojiPicker({ there, onPick, onClosed }: EmojiPickerProps) {
  const [text, setText] = useState('');
  return (
    <Picker
      trigger={{ there }}
      label={t('writing.comments.moreEmoji')}
      items={findEmojis(text).map(({ emoji, name }) => ({
        id: emoji,
        label: name,
        icon: <span aria-hidden="true">{emoji}</span>,
      }))}
      onSearch={setText}
      searched
      empty={t('writing.comments.noEmoji')}
      startOpen
      onPick={onPick}
      onClosed={onClosed}
    />
  );
}
