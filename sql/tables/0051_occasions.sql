-- Codes beside what the database itself says in sessions of agents: people read it in their language.

alter table public.agent_activities add column occasion jsonb;
alter table public.agent_proposals add column stays jsonb;

-- They have one parameter more now.
drop function if exists private.add_activity(public.agent_sessions, text, text);
drop function if exists private.prompt_session(public.agent_sessions, text, text);
drop function if exists private.hand_over(uuid, public.tasks, text, boolean);
drop function if exists private.hand_over_to_each(uuid[], uuid, uuid, text, boolean);
drop function if exists private.settle_proposal(uuid, text, text);
