// Words that name files are sent once the files have arrived: nobody else would see anything but a broken picture before.

import { useEffect, useState } from 'react';
import { addressInText } from '../../files/attachment-name.ts';
import { useUploadList } from '../../files/react.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { useLatest } from '../../ui/use-latest.ts';

interface Sending {
  /** It was asked for, and files of it are still on their way. */
  readonly waits: boolean;
  /** At once, or when the last of its files has arrived. */
  send(): void;
}

export function useSendingWithFiles(text: string, send: () => void): Sending {
  const list = useUploadList();
  const [isDue, setDue] = useState(false);
  const pending = list.some(({ attachment }) => text.includes(addressInText(attachment.id)));
  const latest = useLatest(send);
  useEffect(() => {
    if (!isDue || pending) return;
    setDue(false);
    latest.current();
  }, [isDue, pending, latest]);
  return { waits: isDue && pending, send: () => (pending ? setDue(true) : send()) };
}

export function WaitsForFiles() {
  return (
    <p className={shapes.quiet} role="status">
      {t('writing.waitsForFiles')}
    </p>
  );
}
