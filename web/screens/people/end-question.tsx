// Question before a key or an app loses access for good.

import { t } from '../../strings/messages.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';

interface EndQuestionProps {
  readonly title: string;
  /** The consequences. */
  readonly words: string;
  /** On the button. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function EndQuestion({ title, words, action, onConfirm, onClose }: EndQuestionProps) {
  return (
    <Confirm open title={title} description={words} onClose={onClose}>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
      <Button
        look="danger"
        onClick={() => {
          onClose();
          onConfirm();
        }}
      >
        {action}
      </Button>
    </Confirm>
  );
}
