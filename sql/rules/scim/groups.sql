-- Groups that a provider keeps. Each is a group of public.groups with source scim, so that it brings its people into projects as any other;
-- who is in it is what the provider says, less those who are deactivated.

comment on table private.scim_groups is 'Groups as their provider says.';
comment on table private.scim_group_people is 'Members of a group as its provider says, also those who are deactivated.';

create or replace view private.scim_group_list with (security_barrier) as
select g.group_id as id, g.display_name, g.display_name_key, g.external_id, g.created_at, g.updated_at
from private.scim_groups g
where g.provider_id = (select private.scim_caller(false))
union all
select t.id, t.display_name, t.display_name_key, t.external_id, t.created_at, t.updated_at
from private.scim_trial_groups t
where t.provider_id = (select private.scim_caller(true)) and t.removed_at is null;
grant select on private.scim_group_list to kanbase_scim;
comment on view private.scim_group_list is 'Groups of the provider that asks.';

create or replace view private.scim_memberships with (security_barrier) as
select m.group_id, coalesce(p.known_as, p.user_id) as user_id, g.display_name as group_name, coalesce(p.display_name, p.user_name) as person_name
from private.scim_group_people m
join private.scim_groups g on g.group_id = m.group_id
join private.scim_people p on p.user_id = m.user_id
where g.provider_id = (select private.scim_caller(false)) and p.removed_at is null
union all
select m.group_id, m.person_id, g.display_name, coalesce(t.display_name, t.user_name)
from private.scim_trial_group_people m
join private.scim_trial_groups g on g.provider_id = m.provider_id and g.id = m.group_id
join private.scim_trial_people t on t.provider_id = m.provider_id and t.id = m.person_id
where m.provider_id = (select private.scim_caller(true));
grant select on private.scim_memberships to kanbase_scim;
comment on view private.scim_memberships is 'Who is in which group of the provider that asks.';

create or replace function private.lock_scim_group(of_group uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider constant private.scim_providers := private.hold_scim_provider();
begin
  if provider.trial_since is not null then
    perform from private.scim_trial_groups t where t.provider_id = provider.id and t.id = of_group and t.removed_at is null for no key update;
    return found;
  end if;
  perform from public.groups g
  where g.id = of_group and exists (select from private.scim_groups s where s.group_id = of_group and s.provider_id = provider.id)
  for no key update;
  return found;
end
$$;
grant execute on function private.lock_scim_group(uuid) to kanbase_scim;
comment on function private.lock_scim_group(uuid) is 'Holds a group of the provider for a change; false: there is none.';

-- Triggers of group_members change project memberships in the same transaction.
create or replace function private.settle_scim_groups(ids uuid[], people uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  delete from public.group_members m
  where m.group_id = any (ids) and m.user_id = any (people) and not exists (
    select from private.scim_group_people s join private.scim_people p on p.user_id = s.user_id
    where s.group_id = m.group_id and s.user_id = m.user_id and p.is_active and p.removed_at is null
  );
  insert into public.group_members (group_id, user_id)
  select s.group_id, s.user_id from private.scim_group_people s join private.scim_people p on p.user_id = s.user_id
  where s.group_id = any (ids) and s.user_id = any (people) and p.is_active and p.removed_at is null
    and not exists (select from public.group_members m where m.group_id = s.group_id and m.user_id = s.user_id)
  order by s.group_id, s.user_id
  on conflict do nothing;
$$;
comment on function private.settle_scim_groups(uuid[], uuid[]) is 'Puts these people into these groups, or takes them out, as their provider says.';

create or replace function private.take_out_scim_user(person uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  ids constant uuid[] := array(select m.group_id from private.scim_group_people m where m.user_id = person);
begin
  delete from private.scim_group_people m where m.user_id = person;
  perform private.settle_scim_groups(ids, array[person]);
end
$$;
comment on function private.take_out_scim_user(uuid) is 'Takes a person out of all groups of their provider.';

-- A name that is taken gets the provider's beside it, as groups of an issuer do.
create or replace function private.name_scim_group(of_group uuid, wanted text, provider private.scim_providers) returns text
language sql volatile security definer set search_path = '' as $$
  select n.name from unnest(array[
    left(wanted, 100), left(wanted, 60) || ' · ' || left(provider.name, 30),
    -- one that nobody takes beforehand
    left(wanted, 40) || ' · ' || left(provider.name, 20) || ' ' || gen_random_uuid()
  ]) with ordinality n (name, place)
  where not exists (select from public.groups g where lower(g.name) = lower(n.name) and g.id is distinct from of_group)
  order by n.place limit 1
$$;
comment on function private.name_scim_group(uuid, text, private.scim_providers) is 'A free name for a group of a provider.';

-- `of_group` null: a new one, with the wanted id. Members are accounts.
create or replace function private.upsert_scim_group(
  provider private.scim_providers, of_group uuid, wanted uuid, said jsonb, joins uuid[], leaves uuid[]
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  called constant text := said ->> 'displayName';
  saved uuid := of_group;
begin
  if exists (
    select from private.scim_groups g
    where g.provider_id = provider.id and g.display_name_key = lower(called) and g.group_id is distinct from of_group
  ) then
    perform private.raise_scim_conflict('A group with this displayName is provisioned already', 'Find it by a filter and change it.');
  end if;
  if saved is null then
    insert into public.groups (id, name, source) values (coalesce(wanted, private.uuid_v7()), private.name_scim_group(null, called, provider), 'scim')
    returning id into saved;
    insert into private.scim_groups (group_id, provider_id, display_name, external_id) values (saved, provider.id, called, said ->> 'externalId');
  else
    update public.groups g set name = private.name_scim_group(saved, called, provider)
    from private.scim_groups s where g.id = of_group and s.group_id = g.id and s.display_name <> called;
    update private.scim_groups s set display_name = called, external_id = said ->> 'externalId', updated_at = clock_timestamp() where s.group_id = saved;
  end if;
  delete from private.scim_group_people m where m.group_id = saved and m.user_id = any (leaves);
  insert into private.scim_group_people (group_id, user_id) select saved, j from unnest(joins) j on conflict do nothing;
  perform private.settle_scim_groups(array[saved], joins || leaves);
  return saved;
exception when unique_violation then
  perform private.raise_scim_conflict('Another request makes the same group', 'Try again.');
end
$$;
comment on function private.upsert_scim_group(private.scim_providers, uuid, uuid, jsonb, uuid[], uuid[]) is 'Makes a group of a provider, or changes one: its names, who joins and who leaves.';

create or replace function private.save_scim_group(of_group uuid, said jsonb, joins uuid[], leaves uuid[]) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider constant private.scim_providers := private.hold_scim_provider();
  stranger uuid;
begin
  if of_group is not null and not private.lock_scim_group(of_group) then
    perform private.refuse('KB852', 'There is no such group', 'It may have been removed.');
  end if;
  select j into stranger from unnest(joins) j
  where case when provider.trial_since is null then private.scim_account(provider.id, j) is null else not exists (
    select from private.scim_trial_people t where t.provider_id = provider.id and t.id = j and t.removed_at is null
  ) end limit 1;
  if stranger is not null then
    perform private.refuse('KB856', format('There is no person %s', stranger), 'Members are ids of people of this provider.');
  elsif provider.trial_since is not null then
    return private.save_trial_group(provider, of_group, said, joins, leaves);
  end if;
  return private.upsert_scim_group(provider, of_group, null, said, array(select private.scim_account(provider.id, j) from unnest(joins) j),
    array(select a.id from unnest(leaves) l cross join lateral (select private.scim_account(provider.id, l) as id) a where a.id is not null));
end
$$;
grant execute on function private.save_scim_group(uuid, jsonb, uuid[], uuid[]) to kanbase_scim;
comment on function private.save_scim_group(uuid, jsonb, uuid[], uuid[]) is 'Makes a group of the provider (null), or changes one: its names, who joins and who leaves.';

create or replace function private.remove_scim_group(of_group uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  provider constant private.scim_providers := private.hold_scim_provider();
begin
  if not private.lock_scim_group(of_group) then
    perform private.refuse('KB852', 'There is no such group', 'It may have been removed.');
  elsif provider.trial_since is not null then
    perform private.remove_trial_group(provider, of_group);
  else
    delete from public.groups g where g.id = of_group;
  end if;
end
$$;
grant execute on function private.remove_scim_group(uuid) to kanbase_scim;
comment on function private.remove_scim_group(uuid) is 'Removes a group of the provider, and what it brought.';
