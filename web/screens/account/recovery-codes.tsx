// Recovery codes beside two-factor authentication: how many are left, and new ones, shown once to copy, save or print.

import { LifeBuoy } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../session/react.tsx';
import {
  drawRecoveryCodes,
  type RecoveryStatus,
  readRecoveryStatus,
  sayRecoveryCode,
} from '../../session/recovery-codes.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { Notice } from '../../ui/list-states.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { showCopied } from '../../ui/overlays/toaster.tsx';
import { printText } from '../../ui/print-text.ts';
import { saveFile } from '../../ui/save-file.ts';
import { copyText } from '../../ui/text/copy-text.ts';
import styles from './account.module.css';
import { useRequest } from './use-request.ts';

const few = 3;

export function RecoveryCodes() {
  const { door } = useApp();
  const [status, setStatus] = useState<RecoveryStatus | null | undefined>(undefined);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [asking, setAsking] = useState(false);
  const request = useRequest();
  useEffect(() => void readRecoveryStatus(door).then(setStatus, () => undefined), [door]);
  if (status === undefined) return null;

  async function draw(): Promise<void> {
    setAsking(false);
    await request.run(async () => {
      const drawn = await drawRecoveryCodes(door);
      setCodes(drawn);
      setStatus({ total: drawn.length, remaining: drawn.length });
    });
  }
  const isShort = status === null || status.remaining <= few;
  return (
    <>
      <FactRow
        as="div"
        icon={LifeBuoy}
        good={!isShort}
        name={t('recovery.title')}
        facts={[status === null ? t('recovery.none') : t('recovery.left', { n: status.remaining, all: status.total })]}
      >
        <Button busy={request.busy} onClick={() => (status === null ? void draw() : setAsking(true))}>
          {status === null ? t('recovery.make') : t('recovery.replace')}
        </Button>
      </FactRow>
      {request.fault && <Notice tone="danger">{request.fault}</Notice>}
      {codes !== null && <FreshCodes codes={codes} onClose={() => setCodes(null)} />}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('recovery.replaceTitle')}
        description={t('recovery.replaceWords')}
      >
        <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
        <Button look="danger" onClick={() => void draw()}>
          {t('recovery.replace')}
        </Button>
      </Confirm>
    </>
  );
}

function FreshCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const lines = codes.map(sayRecoveryCode);
  const title = t('recovery.fileTitle', { host: location.host });
  const file = `${title}\n\n${lines.join('\n')}\n`;
  const endPrint = useRef<() => void>(() => undefined);
  useEffect(() => () => endPrint.current(), []);
  function print(): void {
    endPrint.current();
    endPrint.current = printText(title, file);
  }
  return (
    <section className={`${shapes.stackS4} ${styles.enrol}`} aria-label={t('recovery.fresh')}>
      <p>{t('recovery.once')}</p>
      <ul className={styles.recoveryCodes} aria-label={t('recovery.title')}>
        {lines.map((line) => (
          <li key={line}>
            <code>{line}</code>
          </li>
        ))}
      </ul>
      <div className={shapes.wrapS3}>
        <Button onClick={() => void copyText(lines.join('\n')).then(showCopied)}>{t('recovery.copy')}</Button>
        <Button onClick={() => saveFile('recovery-codes.txt', new Blob([file], { type: 'text/plain' }))}>
          {t('common.download')}
        </Button>
        <Button onClick={print}>{t('recovery.print')}</Button>
        <Button look="main" onClick={onClose}>
          {t('recovery.saved')}
        </Button>
      </div>
    </section>
  );
}
