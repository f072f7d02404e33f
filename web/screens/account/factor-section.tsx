// The second factor: set up by scanning a picture and showing that it works, removed after a question.

import { ShieldCheck } from 'lucide-react';
import type { FormEvent } from 'react';
import { useCallback, useEffect, useState } from 'react';
import { localDay, sayDay } from '../../queries/days.ts';
import {
  confirmFactor,
  type Enrolment,
  enrolFactor,
  type Factor,
  listFactors,
  removeFactor,
} from '../../session/account.ts';
import { useHouse } from '../../session/react.tsx';
import { words } from '../../strings/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { Section } from '../../ui/section.tsx';
import { Notice, Skeleton } from '../../ui/state.tsx';
import { useErrand } from './use-errand.ts';

const say = words.account;

export function FactorSection() {
  const { door } = useHouse();
  const [factors, setFactors] = useState<readonly Factor[] | null>(null);
  const [enrolment, setEnrolment] = useState<Enrolment | null>(null);
  const [code, setCode] = useState('');
  const [removing, setRemoving] = useState<Factor | null>(null);
  const errand = useErrand();
  const load = useCallback(() => listFactors(door).then(setFactors, () => setFactors([])), [door]);
  useEffect(() => void load(), [load]);

  async function confirm(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (enrolment === null) return;
    if (!(await errand.run(() => confirmFactor(door, enrolment.factorId, code), say.factorDone))) return;
    setEnrolment(null);
    setCode('');
    await load();
  }

  async function remove(factor: Factor): Promise<void> {
    setRemoving(null);
    const removed = await errand.run(
      () => removeFactor(door, factor.id),
      say.factorRemoved,
      (refused) => (refused === 'insufficient_aal' ? say.needsCode : null),
    );
    if (removed) await load();
  }

  return (
    <Section title={say.factor} hint={say.factorHint}>
      {factors === null && <Skeleton width="60%" />}
      {factors?.map((factor) => (
        <div key={factor.id} className="account-row">
          <ShieldCheck size={18} className="account-good" aria-hidden="true" />
          <span className="account-row-words">
            {factor.name ?? say.factorName}
            <span className="account-note">{say.factorSince(sayDay(localDay(new Date(factor.since))))}</span>
          </span>
          <Button onClick={() => setRemoving(factor)}>{say.removeFactor}</Button>
        </div>
      ))}
      {factors?.length === 0 && enrolment === null && (
        <div className="account-row">
          <span className="account-row-words account-words">{say.factorOff}</span>
          <Button
            busy={errand.busy}
            onClick={() =>
              void errand.run(async () => {
                setEnrolment(await enrolFactor(door));
              })
            }
          >
            {say.enrol}
          </Button>
        </div>
      )}
      {enrolment === null && errand.fault && <Notice tone="danger">{errand.fault}</Notice>}
      {enrolment && (
        <form className="enrol" onSubmit={confirm} noValidate>
          <p>{say.enrolStep}</p>
          <div className="enrol-body">
            <img className="enrol-qr" src={enrolment.qr} alt={say.qr} width={168} height={168} />
            <div className="form">
              <div>
                <p className="account-note">{say.enrolSecret}</p>
                <code className="enrol-secret">{enrolment.secret.match(/.{1,4}/g)?.join(' ')}</code>
              </div>
              <TextField
                label={words.signIn.code}
                inputMode="numeric"
                autoComplete="one-time-code"
                autoFocus
                maxLength={9}
                value={code}
                error={errand.fault}
                onChange={(event) => setCode(event.target.value)}
              />
              <div className="account-actions">
                <Button look="main" type="submit" busy={errand.busy}>
                  {say.confirm}
                </Button>
                <Button onClick={() => setEnrolment(null)}>{words.common.cancel}</Button>
              </div>
            </div>
          </div>
        </form>
      )}
      {errand.done && <Notice tone="good">{errand.done}</Notice>}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={say.removeFactorTitle}
        description={say.removeFactorWords}
      >
        <Button onClick={() => setRemoving(null)}>{words.common.cancel}</Button>
        <Button look="danger" onClick={() => removing && void remove(removing)}>
          {say.removeFactor}
        </Button>
      </Confirm>
    </Section>
  );
}
