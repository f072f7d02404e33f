-- Proposals: what a session in mode propose would change, with the call that would have done it. A person accepts one, which does what it shows as far as
-- nothing of it has changed meanwhile, or rejects it.

select private.project_rows('public.agent_proposals', clients => 'select', but => '{add, change, remove, refuse_delete}', program => 'write');
comment on table public.agent_proposals is 'What agents propose: a call, and exactly what it would change. Stored by the server for sessions in mode propose.';
comment on column public.agent_proposals.session_id is 'The session it comes from.';
comment on column public.agent_proposals.task_id is 'The task that the session is about.';
comment on column public.agent_proposals.user_id is 'Who proposes it.';
comment on column public.agent_proposals.summary is 'What it would do, in a few words.';
comment on column public.agent_proposals.call is 'The request, as {"method", "path", "body"}.';
comment on column public.agent_proposals.difference is 'The rows it would change, as [{"table", "was", "becomes"}].';
comment on column public.agent_proposals.state is 'open, accepted, rejected, or conflict: what it would change has changed meanwhile.';
comment on column public.agent_proposals.decided_by is 'Who accepted or rejected it.';
comment on column public.agent_proposals.decided_at is 'When they did.';
comment on column public.agent_proposals.reason is 'Words of who rejected it, or what stood against it.';
