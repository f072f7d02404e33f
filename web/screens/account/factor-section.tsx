// Two-factor authentication: set up by scanning a code and confirming it, removed after a confirmation.

import { ShieldCheck } from 'lucide-react';
import type { FormEvent } from 'react';
import { useCallback, useEffect, useState } from 'react';
import { localDay, sayDay } from '../../queries/days/days.ts';
import {
  confirmFactor,
  type Enrolment,
  enrolFactor,
  type Factor,
  listFactors,
  removeFactor,
} from '../../session/account.ts';
import { useApp } from '../../session/react.tsx';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { FactRow } from '../../ui/fact-row.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import { Notice, Skeleton } from '../../ui/list-states.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './account.module.css';
import { RecoveryCodes } from './recovery-codes.tsx';
import { useRequest } from './use-request.ts';

export function FactorSection() {
  const { door } = useApp();
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [code, setCode] = useState('');
  const [removing, setRemoving] = useState<Factor | null>(null);
  const request = useRequest();
  const load = useCallback(() => listFactors(door).then(setFactors, () => setFactors([])), [door]);
  useEffect(() => void load(), [load]);

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (enrolment === null) return;
    if (!(await request.run(() => confirmFactor(door, enrolment.factorId, code), t('account.factorDone')))) return;
    setEnrolment(null);
    setCode('');
    await load();
  }

  async function remove(factor: Factor): Promise<void> {
    setRemoving(null);
    const removed = await request.run(
      () => removeFactor(door, factor.id),
      t('account.factorRemoved'),
      (refused) => (refused === 'insufficient_aal' ? t('account.needsCode') : null),
    );
    if (removed) await load();
  }

  return (
    <Section title={t('common.twoFactor')} hint={t('account.factorHint')}>
      {factors === null && <Skeleton width="60%" />}
      {factors?.map((factor) => (
        <FactRow
          as="div"
          key={factor.id}
          icon={ShieldCheck}
          good
          name={factor.name || t('account.factorName')}
          facts={[t('account.factorSince', { date: sayDay(localDay(new Date(factor.since))) })]}
        >
          <Button onClick={() => setRemoving(factor)}>{t('account.removeFactor')}</Button>
        </FactRow>
      ))}
      {factors?.length === 0 && enrolment === null && (
        <FactRow as="div" words name={t('account.factorOff')}>
          <Button
            busy={request.busy}
            onClick={() =>
              void request.run(async () => {
                setEnrolment(await enrolFactor(door));
              })
            }
          >
            {t('account.enrol')}
          </Button>
        </FactRow>
      )}
      {factors !== null && factors.length > 0 && <RecoveryCodes />}
      {enrolment === null && request.fault && <Notice tone="danger">{request.fault}</Notice>}
      {enrolment && (
        <form className={`${shapes.stackS4} ${styles.enrol}`} onSubmit={confirm} noValidate>
          <p>{t('account.enrolStep')}</p>
          <div className={`${shapes.wrapS5} ${styles.enrolBody}`}>
            <img className={styles.enrolQr} src={enrolment.qr} alt={t('account.qr')} width={168} height={168} />
            <div className={shapes.stackS5}>
              <div>
                <p className={`${shapes.quietS} ${shapes.block} ${shapes.plain}`}>{t('account.enrolSecret')}</p>
                <code className={styles.enrolSecret}>{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</code>
              </div>
              <TextField
                label={t('signIn.code')}
                inputMode="numeric"
                autoComplete="one-time-code"
                autoFocus
                maxLength={9}
                value={code}
                error={request.fault}
                onChange={(event) => setCode(event.target.value)}
              />
              <div className={shapes.wrapS3}>
                <Button look="main" type="submit" busy={request.busy}>
                  {t('account.confirm')}
                </Button>
                <Button onClick={() => setEnrolment(null)}>{t('common.cancel')}</Button>
              </div>
            </div>
          </div>
        </form>
      )}
      {request.done && <Notice tone="good">{request.done}</Notice>}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={t('account.removeFactorTitle')}
        description={t('account.removeFactorWords')}
      >
        <Button onClick={() => setRemoving(null)}>{t('common.cancel')}</Button>
        <Button look="danger" onClick={() => removing && void remove(removing)}>
          {t('account.removeFactor')}
        </Button>
      </Confirm>
    </Section>
  );
}
