-- Trials: of a provider that is on trial, people and groups stand in tables of their own, as it says. They begin as a copy of those it keeps, so that
-- ids hold on. Each change of a person is also made for good and rolled back, so that it is refused or gets the id it would get. An operator sees the
-- difference, which is made and rolled back as well, and applies it by the functions that serve providers otherwise.

comment on table private.scim_trial_people is 'People as a provider on trial says.';
comment on table private.scim_trial_groups is 'Groups as a provider on trial says.';
comment on table private.scim_trial_group_people is 'Members of groups as a provider on trial says.';

create or replace function private.trial_attributes(said private.scim_trial_people) returns jsonb
language sql immutable set search_path = ''
return jsonb_build_object('userName', (said).user_name, 'externalId', (said).external_id, 'displayName', (said).display_name,
  'formatted', (said).formatted_name, 'givenName', (said).given_name, 'familyName', (said).family_name, 'emails', (said).emails,
  'active', (said).is_active, 'address', (said).address, 'shown', (said).shown_name);

-- Rolled back with its notices, log lines and locks.
create or replace function private.dry_run_scim_user(provider private.scim_providers, account_id uuid, wanted uuid, said jsonb) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  account uuid;
begin
  -- What the trial took from others whom the provider keeps is free.
  update private.scim_people p set user_name = p.user_id::text
  from private.scim_trial_people t
  where p.provider_id = provider.id and p.removed_at is null and p.user_name_key = lower(said ->> 'userName') and p.user_id is distinct from account_id
    and t.provider_id = p.provider_id and t.id = coalesce(p.known_as, p.user_id) and (t.removed_at is not null or t.user_name_key <> p.user_name_key);
  update auth.users u set email = null
  from private.scim_people p, private.scim_trial_people t
  where lower(u.email) = lower(said ->> 'address') and u.id is distinct from account_id and p.user_id = u.id and p.provider_id = provider.id
    and p.removed_at is null and t.provider_id = p.provider_id and t.id = coalesce(p.known_as, p.user_id) and t.address <> lower(u.email);
  account := private.upsert_scim_user(provider, account_id, wanted, said);
  raise exception 'rolled back' using errcode = 'KBT01';
exception when sqlstate 'KBT01' then
  return account;
end
$$;
comment on function private.dry_run_scim_user(private.scim_providers, uuid, uuid, jsonb) is 'The account that a person of a provider would have; refuses what would be refused.';

create or replace function private.save_trial_user(provider private.scim_providers, person uuid, said jsonb) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  saved uuid;
  tried uuid;
begin
  if person is not null and not private.lock_scim_user(person) then
    perform private.refuse('KB852', 'There is no such person', 'They may have been removed.');
  elsif exists (
    select from private.scim_trial_people t
    where t.provider_id = provider.id and t.removed_at is null and t.user_name_key = lower(said ->> 'userName') and t.id is distinct from person
  ) then
    perform private.raise_scim_conflict('A person with this userName is provisioned already', 'Find them by a filter and change them.');
  elsif exists (
    select from private.scim_trial_people t
    where t.provider_id = provider.id and t.removed_at is null and t.address = lower(said ->> 'address') and t.id is distinct from person
  ) then
    perform private.raise_scim_conflict('A person with this email address is provisioned already', 'Find them by a filter and change them.');
  end if;
  -- One who was removed during the trial comes again.
  saved := coalesce(person, (
    select t.id from private.scim_trial_people t
    where t.provider_id = provider.id and t.removed_at is not null and t.address = lower(said ->> 'address') order by t.removed_at desc limit 1
  ));
  tried := private.dry_run_scim_user(provider, private.scim_account(provider.id, saved), saved, said);
  -- The account's id may be known as another's by now.
  saved := coalesce(saved, (select gen_random_uuid() from private.scim_trial_people t where t.provider_id = provider.id and t.id = tried), tried);
  insert into private.scim_trial_people as t (id, provider_id, user_name, external_id, display_name, formatted_name, given_name, family_name, emails,
    address, shown_name, is_active)
  values (saved, provider.id, said ->> 'userName', said ->> 'externalId', said ->> 'displayName', said ->> 'formatted', said ->> 'givenName',
    said ->> 'familyName', said -> 'emails', lower(said ->> 'address'), nullif(btrim(said ->> 'shown'), ''), (said ->> 'active')::boolean)
  on conflict (provider_id, id) do update set user_name = excluded.user_name, external_id = excluded.external_id, display_name = excluded.display_name,
    formatted_name = excluded.formatted_name, given_name = excluded.given_name, family_name = excluded.family_name, emails = excluded.emails,
    address = excluded.address, shown_name = excluded.shown_name, is_active = excluded.is_active, removed_at = null, updated_at = clock_timestamp(),
    created_at = case when t.removed_at is null then t.created_at else now() end
  where person is not null or t.removed_at is not null;
  if not found then
    perform private.raise_scim_conflict('Another request makes the same person', 'Try again.');
  end if;
  return saved;
exception when unique_violation then
  perform private.raise_scim_conflict('Another request makes the same person', 'Try again.');
end
$$;
comment on function private.save_trial_user(private.scim_providers, uuid, jsonb) is 'Makes or changes a person of a provider on trial.';

-- Those who are kept in truth stay, to be removed when the trial is applied.
create or replace function private.remove_trial_user(provider private.scim_providers, person uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  account constant uuid := private.scim_account(provider.id, person);
begin
  if (select u.is_operator from auth.users u where u.id = account) then
    perform private.raise_protected_operator('deactivated');
  end if;
  update private.scim_trial_groups g set updated_at = clock_timestamp()
  where g.provider_id = provider.id
    and g.id in (select m.group_id from private.scim_trial_group_people m where m.provider_id = provider.id and m.person_id = person);
  delete from private.scim_trial_group_people m where m.provider_id = provider.id and m.person_id = person;
  update private.scim_trial_people t set removed_at = now(), updated_at = clock_timestamp() where t.provider_id = provider.id and t.id = person;
  delete from private.scim_trial_people t where t.provider_id = provider.id and t.id = person and account is null;
end
$$;
comment on function private.remove_trial_user(private.scim_providers, uuid) is 'Removes a person of a provider on trial.';

create or replace function private.save_trial_group(provider private.scim_providers, of_group uuid, said jsonb, joins uuid[], leaves uuid[]) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  called constant text := said ->> 'displayName';
  saved constant uuid := coalesce(of_group, private.uuid_v7());
begin
  if exists (
    select from private.scim_trial_groups t
    where t.provider_id = provider.id and t.removed_at is null and t.display_name_key = lower(called) and t.id <> saved
  ) then
    perform private.raise_scim_conflict('A group with this displayName is provisioned already', 'Find it by a filter and change it.');
  end if;
  insert into private.scim_trial_groups (id, provider_id, display_name, external_id) values (saved, provider.id, called, said ->> 'externalId')
  on conflict (provider_id, id) do update set display_name = excluded.display_name, external_id = excluded.external_id, updated_at = clock_timestamp();
  delete from private.scim_trial_group_people m where m.provider_id = provider.id and m.group_id = saved and m.person_id = any (leaves);
  insert into private.scim_trial_group_people (provider_id, group_id, person_id) select provider.id, saved, j from unnest(joins) j on conflict do nothing;
  return saved;
exception when unique_violation then
  perform private.raise_scim_conflict('Another request makes the same group', 'Try again.');
end
$$;
comment on function private.save_trial_group(private.scim_providers, uuid, jsonb, uuid[], uuid[]) is 'Makes or changes a group of a provider on trial.';

create or replace function private.remove_trial_group(provider private.scim_providers, of_group uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.scim_trial_group_people m where m.provider_id = provider.id and m.group_id = of_group;
  update private.scim_trial_groups t set removed_at = now(), updated_at = clock_timestamp() where t.provider_id = provider.id and t.id = of_group;
  delete from private.scim_trial_groups t
  where t.provider_id = provider.id and t.id = of_group and not exists (select from private.scim_groups g where g.group_id = t.id and g.provider_id = provider.id);
$$;
comment on function private.remove_trial_group(private.scim_providers, uuid) is 'Removes a group of a provider on trial.';

-- Accounts that people of trials have or would have -----------------------------------------------------------------------------

create or replace function private.trial_people_of(account auth.users) returns setof private.scim_trial_people
language sql stable rows 1 set search_path = '' as $$
  select t.* from private.scim_trial_people t cross join lateral (select private.scim_account(t.provider_id, t.id) as id) kept
  where kept.id = account.id
    or kept.id is null and t.address = lower(account.email) and not account.is_sso_user and account.email_confirmed_at is not null and not exists (
      select from auth.identities i where i.user_id = account.id and i.provider = 'email' and i.identity_data -> 'email_verified' = 'false'
    )
$$;
comment on function private.trial_people_of(auth.users) is 'An account as providers on trial say.';

-- Also those who were given the id of the account, and another address since: the id is not given twice.
create or replace function private.leave_scim_trials(account auth.users) returns void
language sql volatile set search_path = '' as $$
  delete from private.scim_trial_people t
  where (t.provider_id, t.id) in (select o.provider_id, o.id from private.trial_people_of(account) o)
    or t.id = account.id and private.scim_account(t.provider_id, t.id) is null
$$;
comment on function private.leave_scim_trials(auth.users) is 'Takes a deleted account out of trials.';

-- Applying ---------------------------------------------------------------------------------------------------------------------

create or replace function private.take_trial_user(provider private.scim_providers, person uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  said private.scim_trial_people;
  account uuid := private.scim_account(provider.id, person);
begin
  -- A deletion of the account that is under way takes the person out of the trial.
  perform from auth.users u where u.id = account for no key update;
  select t.* into said from private.scim_trial_people t where t.provider_id = provider.id and t.id = person;
  if not found then
    return;
  elsif said.removed_at is not null then
    perform private.release_scim_user(provider, account) where account is not null;
    return;
  end if;
  account := private.upsert_scim_user(provider, account, person, private.trial_attributes(said));
  -- Entity tags that the provider was given hold on.
  update private.scim_people p set created_at = said.created_at, updated_at = said.updated_at where p.user_id = account;
end
$$;

create or replace function private.take_trial_group(provider private.scim_providers, of_group uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  said private.scim_trial_groups;
  kept constant uuid := (select g.group_id from private.scim_groups g where g.group_id = of_group and g.provider_id = provider.id);
  -- Less those who could not be taken.
  members constant uuid[] := array(
    select p.user_id from private.scim_trial_group_people m
    join private.scim_people p on coalesce(p.known_as, p.user_id) = m.person_id and p.provider_id = provider.id and p.removed_at is null
    where m.provider_id = provider.id and m.group_id = of_group
  );
  were constant uuid[] := array(select m.user_id from private.scim_group_people m where m.group_id = of_group);
begin
  select t.* into said from private.scim_trial_groups t where t.provider_id = provider.id and t.id = of_group;
  if said.removed_at is not null then
    delete from public.groups g where g.id = kept;
    return;
  end if;
  perform private.upsert_scim_group(provider, kept, of_group, jsonb_build_object('displayName', said.display_name, 'externalId', said.external_id),
    array(select m from unnest(members) m except select w from unnest(were) w), array(select w from unnest(were) w except select m from unnest(members) m));
  update private.scim_groups g set created_at = said.created_at, updated_at = said.updated_at where g.group_id = of_group;
end
$$;

-- Of a trial what differs from what is kept, in the order in which it is applied: people before the groups that have them.
create or replace function private.changes_of_trial(provider uuid) returns table (kind text, id uuid, name text, email text, at bigint)
language sql stable rows 100 set search_path = '' as $$
  select c.kind, c.id, c.name, c.email, row_number() over (order by c.place, c.created_at, c.id)
  from (
    select 'person' as kind, t.id, coalesce(t.shown_name, t.user_name) as name, t.address as email, t.created_at,
      case when t.removed_at is null then 2 else 1 end as place
    from private.scim_trial_people t
    where t.provider_id = changes_of_trial.provider and not exists (
      select from private.scim_people p
      where coalesce(p.known_as, p.user_id) = t.id and p.provider_id = t.provider_id and p.removed_at is null and p.updated_at = t.updated_at
    )
    union all
    select 'group', t.id, t.display_name, null, t.created_at, case when t.removed_at is null then 4 else 3 end
    from private.scim_trial_groups t
    where t.provider_id = changes_of_trial.provider and not exists (
      select from private.scim_groups g where g.group_id = t.id and g.provider_id = t.provider_id and t.removed_at is null and g.updated_at = t.updated_at
    )
  ) c
$$;

create or replace function private.take_trial_item(provider private.scim_providers, item jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if item ->> 'kind' = 'person' then
    perform private.take_trial_user(provider, (item ->> 'id')::uuid);
  else
    perform private.take_trial_group(provider, (item ->> 'id')::uuid);
  end if;
end
$$;

-- People who each want what another of them has: all give up names and addresses that change, then each takes its own, all or none. Whoever is refused
-- even so is left out, and the others are tried again. Who was taken.
create or replace function private.swap_trial_people(provider private.scim_providers, people uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  person uuid;
begin
  while cardinality(people) > 1 loop
    person := null;
    begin
      update private.scim_people p set user_name = p.user_id::text
      from private.scim_trial_people t
      where p.provider_id = provider.id and p.removed_at is null and coalesce(p.known_as, p.user_id) = any (people)
        and t.provider_id = p.provider_id and t.id = coalesce(p.known_as, p.user_id) and t.user_name_key <> p.user_name_key;
      update auth.users u set email = null
      from private.scim_people p, private.scim_trial_people t
      where p.user_id = u.id and p.provider_id = provider.id and p.removed_at is null and coalesce(p.known_as, p.user_id) = any (people)
        and t.provider_id = p.provider_id and t.id = coalesce(p.known_as, p.user_id) and t.address <> p.address and not u.is_operator;
      foreach person in array people loop
        perform private.take_trial_user(provider, person);
      end loop;
      return people;
    exception when others then
      if person is null or sqlstate !~ '^(KB|PT)' then
        raise;
      end if;
      people := array_remove(people, person);
    end;
  end loop;
  return '{}';
end
$$;

-- Groups likewise, by their names. Their names here are given up as well, or each would keep the other's from being used.
create or replace function private.swap_trial_groups(provider private.scim_providers, ids uuid[]) returns uuid[]
language plpgsql volatile security definer set search_path = '' as $$
declare
  one uuid;
begin
  while cardinality(ids) > 1 loop
    one := null;
    begin
      update public.groups g set name = g.id::text
      from private.scim_groups s, private.scim_trial_groups t
      where s.group_id = g.id and s.provider_id = provider.id and s.group_id = any (ids)
        and t.provider_id = s.provider_id and t.id = s.group_id and t.display_name_key <> s.display_name_key;
      update private.scim_groups s set display_name = s.group_id::text
      from private.scim_trial_groups t
      where s.provider_id = provider.id and s.group_id = any (ids)
        and t.provider_id = s.provider_id and t.id = s.group_id and t.display_name_key <> s.display_name_key;
      foreach one in array ids loop
        perform private.take_trial_group(provider, one);
      end loop;
      return ids;
    exception when others then
      if one is null or sqlstate !~ '^(KB|PT)' then
        raise;
      end if;
      ids := array_remove(ids, one);
    end;
  end loop;
  return '{}';
end
$$;

-- What is refused is left out; its refusals. Names and addresses may change places: what is refused once is tried again after the others, then those
-- who wait for each other at once. Groups come when all their people are there.
create or replace function private.apply_scim_trial(provider private.scim_providers) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  pending jsonb;
  refused jsonb;
  all_refused jsonb := '[]';
  waiting uuid[];
  swapped uuid[];
  of_kind text;
  item jsonb;
begin
  foreach of_kind in array array['person', 'group'] loop
    pending := (select coalesce(jsonb_agg(to_jsonb(c) order by c.at), '[]') from private.changes_of_trial(provider.id) c where c.kind = of_kind);
    loop
      refused := '[]';
      for item in select i.value from jsonb_array_elements(pending) with ordinality i (value, at) order by i.at loop
        begin
          perform private.take_trial_item(provider, item);
        exception when others then
          -- Refusals of rules alone.
          if sqlstate !~ '^(KB|PT)' then
            raise;
          end if;
          refused := refused || jsonb_build_array(item || jsonb_build_object('code', sqlstate, 'reason', sqlerrm));
        end;
      end loop;
      if jsonb_array_length(refused) = jsonb_array_length(pending) then
        waiting := array(select (r ->> 'id')::uuid from jsonb_array_elements(refused) r);
        swapped := case when of_kind = 'person' then private.swap_trial_people(provider, waiting) else private.swap_trial_groups(provider, waiting) end;
        refused := (
          select coalesce(jsonb_agg(i.value order by i.at), '[]') from jsonb_array_elements(refused) with ordinality i (value, at)
          where (i.value ->> 'id')::uuid <> all (swapped)
        );
        exit when swapped = '{}';
      end if;
      exit when refused = '[]';
      pending := refused;
    end loop;
    all_refused := all_refused || refused;
  end loop;
  delete from private.scim_trial_groups t where t.provider_id = provider.id;
  delete from private.scim_trial_people t where t.provider_id = provider.id;
  update private.scim_providers p set trial_since = null where p.id = provider.id;
  return (
    select coalesce(jsonb_agg(i.value - '{id,at}'::text[] order by i.at), '[]')
    from jsonb_array_elements(all_refused) with ordinality i (value, at)
  );
end
$$;
comment on function private.apply_scim_trial(private.scim_providers) is 'Ends a trial: people and groups become as the provider said. Returns the refused changes.';

-- Admin pages ------------------------------------------------------------------------------------------------------------------

create or replace function private.admin_begin_scim_trial(provider uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant private.scim_providers := private.find_scim_provider(provider);
begin
  delete from private.scim_trial_groups t where t.provider_id = subject.id;
  delete from private.scim_trial_people t where t.provider_id = subject.id;
  insert into private.scim_trial_people (id, provider_id, user_name, external_id, display_name, formatted_name, given_name, family_name, emails, address,
    shown_name, is_active, created_at, updated_at)
  select coalesce(p.known_as, p.user_id), p.provider_id, p.user_name, p.external_id, p.display_name, p.formatted_name, p.given_name, p.family_name, p.emails, p.address,
    p.shown_name, p.is_active, p.created_at, p.updated_at
  from private.scim_people p join auth.users u on u.id = p.user_id and u.deleted_at is null
  where p.provider_id = subject.id and p.removed_at is null;
  insert into private.scim_trial_groups (id, provider_id, display_name, external_id, created_at, updated_at)
  select g.group_id, g.provider_id, g.display_name, g.external_id, g.created_at, g.updated_at from private.scim_groups g where g.provider_id = subject.id;
  insert into private.scim_trial_group_people (provider_id, group_id, person_id)
  select t.provider_id, g.id, t.id
  from private.scim_group_people m
  join private.scim_trial_groups g on g.provider_id = subject.id and g.id = m.group_id
  join private.scim_people p on p.user_id = m.user_id
  join private.scim_trial_people t on t.provider_id = subject.id and t.id = coalesce(p.known_as, p.user_id);
  update private.scim_providers p set trial_since = now() where p.id = subject.id;
  perform private.write_admin_log(operator, 'scim_trial_started', subject.id, subject.name, null);
end
$$;
grant execute on function private.admin_begin_scim_trial(uuid) to kanbase_desk;
comment on function private.admin_begin_scim_trial(uuid) is 'Puts a provider on trial, or forgets what it said during its trial.';

-- Of all that a provider on trial said; changes with each request of it.
create or replace function private.version_of_trial(provider uuid) returns text
language sql stable set search_path = '' as $$
  select md5(coalesce(string_agg(c.id || ' ' || extract(epoch from c.updated_at), ' ' order by c.id), ''))
  from (
    select t.id, t.updated_at from private.scim_trial_people t where t.provider_id = version_of_trial.provider
    union all
    select t.id, t.updated_at from private.scim_trial_groups t where t.provider_id = version_of_trial.provider
  ) c
$$;

create or replace function private.require_trial(subject private.scim_providers) returns void
language plpgsql set search_path = '' as $$
begin
  if subject.trial_since is null then
    perform private.refuse('PT409', 'This provider is not on trial', 'Load the page again.');
  end if;
end
$$;

create or replace function private.admin_preview_scim_trial(provider uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  subject private.scim_providers;
  people uuid[];
  was jsonb;
  becomes jsonb;
begin
  perform private.require_operator();
  subject := private.find_scim_provider(provider);
  perform private.require_trial(subject);
  people := array(
    select p.user_id from private.scim_people p where p.provider_id = subject.id
    union
    select u.id from private.scim_trial_people t join auth.users u on lower(u.email) = t.address and not u.is_sso_user and u.deleted_at is null
    where t.provider_id = subject.id
  );
  was := private.snapshot_provisioning(subject.id, people);
  begin
    becomes := jsonb_build_object('refused', private.apply_scim_trial(subject));
    people := array(select unnest(people) union select p.user_id from private.scim_people p where p.provider_id = subject.id);
    becomes := becomes || private.compare_provisioning(subject.id, was, people);
    raise exception 'rolled back' using errcode = 'KBT01';
  exception when sqlstate 'KBT01' then
    null;
  end;
  return becomes || jsonb_build_object('version', private.version_of_trial(subject.id));
end
$$;
grant execute on function private.admin_preview_scim_trial(uuid) to kanbase_desk;
comment on function private.admin_preview_scim_trial(uuid) is 'Changes that applying a trial would make: accounts, groups, projects and roles. It is applied, compared, and rolled back.';

create or replace function private.admin_apply_scim_trial(provider uuid, version text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  operator constant auth.users := private.require_operator();
  subject constant private.scim_providers := private.find_scim_provider(provider);
  refused jsonb;
begin
  perform private.require_trial(subject);
  if private.version_of_trial(subject.id) is distinct from version then
    perform private.refuse('PT409', 'The provider has sent changes since', 'Look at the preview again.');
  end if;
  refused := private.apply_scim_trial(subject);
  perform private.write_admin_log(operator, 'scim_trial_applied', subject.id, subject.name, jsonb_build_object('refused', jsonb_array_length(refused)));
  return jsonb_build_object('refused', refused);
end
$$;
grant execute on function private.admin_apply_scim_trial(uuid, text) to kanbase_desk;
comment on function private.admin_apply_scim_trial(uuid, text) is 'Applies a trial as it was previewed, and ends it.';
