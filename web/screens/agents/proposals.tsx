// Proposals of a session: each with its difference; accepted one by one or all, rejected with a reason; a conflict with what stood against it.

import { type FormEvent, useState } from 'react';
import { acceptProposal, acceptProposals, rejectProposal } from '../../commands/agent-requests.ts';
import type { AgentProposal } from '../../queries/agents/sessions.ts';
import { sayAgo, sayMoment } from '../../queries/days/days.ts';
import { nameOf, profileOf, useQuery } from '../../queries.ts';
import { t } from '../../strings/messages.ts';
import shapes from '../../styles/shapes.module.css';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields/field.tsx';
import lines from '../../ui/lines.module.css';
import { Notice } from '../../ui/list-states.tsx';
import { showMessage } from '../../ui/overlays/toaster.tsx';
import { ChangeLines } from './change-lines.tsx';
import { Difference, useGroups } from './difference.tsx';
import { nameProposal } from './say-difference.ts';
import type { SessionRequest } from './use-session-request.ts';

interface ProposalsProps {
  readonly sessionId: string;
  readonly proposals: readonly AgentProposal[];
  /** The reader accepts and rejects. */
  readonly decides: boolean;
  readonly request: SessionRequest;
}

export function Proposals({ sessionId, proposals, decides, request }: ProposalsProps) {
  if (proposals.length === 0) return null;
  const open = proposals.filter(({ state }) => state === 'open');
  async function acceptAll(): Promise<void> {
    let left = 0;
    await request.run(async (ask) => {
      left = await ask(acceptProposals, sessionId);
    });
    if (left > 0) showMessage(t('agents.proposals.left', { n: left }));
  }
  return (
    <section className={`${shapes.stackS4} ${shapes.oneColumn}`} aria-label={t('agents.proposals.title')}>
      <div className={`${shapes.rowS4} ${shapes.spread} ${shapes.wraps}`}>
        <h4>{t('agents.proposals.title')}</h4>
        {decides && open.length > 1 && (
          <Button busy={request.busy} onClick={() => void acceptAll()}>
            {t('agents.proposals.acceptAll', { n: open.length })}
          </Button>
        )}
      </div>
      <ul className={`${shapes.stackS4} ${shapes.oneColumn}`}>
        {proposals.map((one) => (
          <Proposal key={one.id} proposal={one} decides={decides} request={request} />
        ))}
      </ul>
    </section>
  );
}

type ProposalProps = Pick<ProposalsProps, 'decides' | 'request'> & { readonly proposal: AgentProposal };

/** One that is decided is folded: its words stay. */
function Proposal({ proposal, decides, request }: ProposalProps) {
  const { state, created_at: at } = proposal;
  const groups = useGroups(proposal.project_id, proposal.difference);
  const name = nameProposal(groups);
  const isOpen = state === 'open' || state === 'conflict';
  return (
    <li className={`${shapes.box} ${shapes.panel} ${shapes.stackS4} ${shapes.oneColumn}`} data-proposal={state}>
      <div className={`${shapes.flowS3} ${shapes.spread}`}>
        <strong className={`${shapes.medium} ${shapes.breaks}`}>{name}</strong>
        <span className={`${shapes.quietS} ${lines.facts}`}>
          <span>{t(`agents.proposals.states.${state}`)}</span>
          <time dateTime={at} title={sayMoment(at)}>
            {sayAgo(at)}
          </time>
        </span>
      </div>
      <Decided proposal={proposal} />
      {isOpen ? (
        <Difference groups={groups} />
      ) : (
        <details>
          <summary>{t('agents.proposals.difference')}</summary>
          <Difference groups={groups} />
        </details>
      )}
      {decides && state === 'open' && <Decision proposal={proposal} name={name} request={request} />}
    </li>
  );
}

function Decided({ proposal: { state, reason, stays, decided_by } }: Pick<ProposalProps, 'proposal'>) {
  const person = useQuery(profileOf, decided_by ?? '');
  if (state === 'open') return null;
  if (state === 'conflict')
    return (
      <Notice tone="warn">
        <p>{t('agents.proposals.conflict')}</p>
        {stays !== null && <ChangeLines title={t('agents.proposals.conflict')} lines={stays} />}
        {stays === null && reason !== null && <p className={shapes.breaks}>{reason}</p>}
      </Notice>
    );
  return (
    <p className={`${shapes.quietS} ${shapes.breaks}`}>
      {decided_by !== null && t(`agents.proposals.by.${state}`, { name: nameOf(person) })} {reason}
    </p>
  );
}

const mostOfReason = 2000;

function Decision({ proposal: { id }, name, request }: Pick<ProposalProps, 'proposal' | 'request'> & { name: string }) {
  const [rejecting, setRejecting] = useState(false);
  const [reason, setReason] = useState('');
  function reject(event: FormEvent): void {
    event.preventDefault();
    void request.run((ask) => ask(rejectProposal, id, reason));
  }
  if (rejecting)
    return (
      <form className={shapes.stackS3} onSubmit={reject}>
        <TextField
          label={t('agents.proposals.reason')}
          hint={t('agents.proposals.reasonHint')}
          maxLength={mostOfReason}
          autoFocus
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <div className={shapes.wrapS3}>
          <Button type="submit" look="danger" busy={request.busy}>
            {t('agents.proposals.reject')}
          </Button>
          <Button onClick={() => setRejecting(false)}>{t('common.cancel')}</Button>
        </div>
      </form>
    );
  return (
    <div className={shapes.wrapS3}>
      <Button
        look="main"
        busy={request.busy}
        aria-label={t('agents.proposals.acceptOf', { name })}
        onClick={() => void request.run((ask) => ask(acceptProposal, id))}
      >
        {t('agents.proposals.accept')}
      </Button>
      <Button aria-label={t('agents.proposals.rejectOf', { name })} onClick={() => setRejecting(true)}>
        {t('agents.proposals.reject')}
      </Button>
    </div>
  );
}
