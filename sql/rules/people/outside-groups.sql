-- Groups that an outside issuer says a person is in. They are groups here as far as the mapping of the issuer names them, kept by it: from each
-- sign-in on a person is in these and in no others of it. What an issuer said last is stored with the identity, so that operators see what another
-- mapping would bring before it holds, and bring it to everybody at once.

-- No grants: only the functions below read it.
comment on table auth.said_groups is 'Groups of a person, as their issuer last named them; they go with the identity.';
comment on column auth.said_groups.claim is 'The claim that named them.';

-- Of what an issuer says, the groups here: `names` is an object of values and names; null: all, by their own.
create or replace function auth.map_said_groups(said text[], names jsonb) returns table (id text, name text)
language sql immutable rows 10 set search_path = '' as $$
  select v.id, left(btrim(coalesce(names ->> v.id, v.id)), 100)
  from (select s.id, min(s.at) as at from unnest(said) with ordinality s (id, at) group by s.id) v
  where names is null or names ? v.id
  order by v.at
  limit 500
$$;

-- What a sign-in changes. A name that is taken gets the issuer's beside it.
create or replace function auth.changes_by_issuer(person uuid, provider text, said text[], names jsonb)
returns table (external_id text, name text, group_id uuid, joins boolean)
language sql stable rows 10 set search_path = '' as $$
  with named as (
    select changes_by_issuer.provider || ':' || m.id as external_id, m.name from auth.map_said_groups(said, names) m
  )
  select n.external_id, case
      when g.id is not null then g.name
      when exists (select from public.groups o where lower(o.name) = lower(n.name)) then left(n.name, 60) || ' · ' || left(changes_by_issuer.provider, 30)
      else n.name
    end, g.id, true
  from named n
  left join public.groups g on g.source = 'oidc' and g.external_id = n.external_id
  where not exists (select from public.group_members p where p.group_id = g.id and p.user_id = person)
  union all
  select g.external_id, g.name, g.id, false
  from public.group_members p join public.groups g on g.id = p.group_id and g.source = 'oidc'
  where p.user_id = person and starts_with(g.external_id, changes_by_issuer.provider || ':')
    and g.external_id <> all (array(select n.external_id from named n))
$$;

create or replace function auth.settle_outside_groups(person uuid, provider text, said text[], names jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  changes constant jsonb := (
    select jsonb_agg(to_jsonb(c)) from auth.changes_by_issuer(person, settle_outside_groups.provider, said, names) c
  );
begin
  if changes is null then
    return;
  end if;
  insert into public.groups (name, source, external_id)
  select c.name, 'oidc', c.external_id from jsonb_to_recordset(changes) as c (name text, external_id text, group_id uuid)
  where c.group_id is null
  order by c.external_id
  on conflict do nothing;
  -- Both names are taken: one that nobody takes beforehand.
  insert into public.groups (name, source, external_id)
  select left(c.name, 60) || ' · ' || gen_random_uuid(), 'oidc', c.external_id
  from jsonb_to_recordset(changes) as c (name text, external_id text, group_id uuid)
  where c.group_id is null and not exists (select from public.groups g where g.source = 'oidc' and g.external_id = c.external_id)
  order by c.external_id
  on conflict do nothing;
  delete from public.group_members p using jsonb_to_recordset(changes) as c (group_id uuid, joins boolean)
  where not c.joins and p.user_id = person and p.group_id = c.group_id;
  insert into public.group_members (group_id, user_id)
  select g.id, person from jsonb_to_recordset(changes) as c (external_id text, joins boolean)
  join public.groups g on g.source = 'oidc' and g.external_id = c.external_id
  where c.joins
  order by g.id
  on conflict do nothing;
end
$$;
grant execute on function auth.settle_outside_groups(uuid, text, text[], jsonb) to kanbase_identity;
comment on function auth.settle_outside_groups(uuid, text, text[], jsonb) is 'Puts a person into the groups that their issuer names, and out of its others.';

create or replace function auth.keep_said_groups(person uuid, provider text, subject text, claim text, said text[], names jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into auth.said_groups as k (identity_id, claim, groups)
  select i.id, keep_said_groups.claim, said from auth.identities i
  where i.user_id = person and i.provider = keep_said_groups.provider and i.provider_id = subject
  on conflict (identity_id) do update set claim = excluded.claim, groups = excluded.groups, said_at = excluded.said_at;
  perform auth.settle_outside_groups(person, keep_said_groups.provider, said, names);
end
$$;
grant execute on function auth.keep_said_groups(uuid, text, text, text, text[], jsonb) to kanbase_identity;
comment on function auth.keep_said_groups(uuid, text, text, text, text[], jsonb) is 'Stores what an issuer says of a person''s groups, and settles them.';

-- For operators -----------------------------------------------------------------------------------------------------------------

-- What each person's issuer said last; of two identities at one issuer the later.
create or replace function private.said_of_issuer(provider text, claim text) returns table (user_id uuid, groups text[])
language sql stable set search_path = '' as $$
  select distinct on (i.user_id) i.user_id, k.groups
  from auth.said_groups k
  join auth.identities i on i.id = k.identity_id and i.provider = said_of_issuer.provider
  join auth.users u on u.id = i.user_id and u.deleted_at is null
  where k.claim = said_of_issuer.claim
  order by i.user_id, k.said_at desc, k.identity_id
$$;

create or replace function private.admin_said_groups(provider text, claim text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  most_values constant integer := 200;
begin
  perform private.require_operator();
  return (
    with said as (select s.user_id, s.groups from private.said_of_issuer(admin_said_groups.provider, admin_said_groups.claim) s)
    select jsonb_build_object('people', (select count(*) from said), 'values', coalesce((
      select jsonb_agg(jsonb_build_object('value', v.value, 'people', v.people) order by v.people desc, v.value) from (
        select g.value, count(*) as people from said s, unnest(s.groups) g (value) group by g.value order by 2 desc, 1 limit most_values
      ) v
    ), '[]'))
  );
end
$$;
grant execute on function private.admin_said_groups(text, text) to kanbase_desk;
comment on function private.admin_said_groups(text, text) is 'Number of people whose groups an issuer named, and the most common values.';

-- Groups that are called otherwise by a mapping, unless the name is taken by one that keeps it, or wanted twice. Groups may exchange names.
create or replace function private.renames_by_mapping(provider text, names jsonb) returns table (group_id uuid, was text, becomes text)
language plpgsql stable set search_path = '' as $$
declare
  renamed uuid[];
  free uuid[];
  wanted constant jsonb := (
    select coalesce(jsonb_object_agg(w.id, w.name), '{}') from (
      select distinct on (lower(v.name)) g.id, g.name as was, v.name
      from jsonb_each_text(case when jsonb_typeof(names) = 'object' then names else '{}' end) n
      cross join lateral (select left(btrim(n.value), 100) as name) v
      join public.groups g on g.source = 'oidc' and g.external_id = renames_by_mapping.provider || ':' || n.key
      order by lower(v.name), lower(g.name) = lower(v.name) desc, g.created_at, g.id
    ) w where w.was <> w.name
  );
begin
  renamed := array(select w::uuid from jsonb_object_keys(wanted) w);
  loop
    free := array(
      select r from unnest(renamed) r
      where not exists (select from public.groups o where lower(o.name) = lower(wanted ->> r::text) and o.id <> r and o.id <> all (renamed))
    );
    exit when cardinality(free) = cardinality(renamed);
    renamed := free;
  end loop;
  return query select g.id, g.name, wanted ->> g.id::text from public.groups g where g.id = any (renamed);
end
$$;

-- Each group that changes, with the people it gains and loses.
create or replace function private.admin_preview_said_groups(provider text, claim text, names jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  most_people constant integer := 100;
  groups jsonb;
  projects jsonb;
  people uuid[];
  was jsonb;
begin
  perform private.require_operator();
  groups := (
    with changes as (
      select c.external_id, c.name, c.group_id, c.joins, s.user_id
      from private.said_of_issuer(admin_preview_said_groups.provider, admin_preview_said_groups.claim) s
      cross join lateral auth.changes_by_issuer(s.user_id, admin_preview_said_groups.provider, s.groups, names) c
    ), people as (
      select c.*, f.display_name, u.email, row_number() over (partition by c.external_id, c.joins order by lower(f.display_name), c.user_id) as at
      from changes c join public.profiles f on f.id = c.user_id join auth.users u on u.id = c.user_id
    ), sides as (
      select p.external_id, p.name, p.group_id, p.joins, count(*) as total,
        jsonb_agg(jsonb_build_object('id', p.user_id, 'name', p.display_name, 'email', p.email) order by p.at) filter (where p.at <= most_people) as some
      from people p group by 1, 2, 3, 4
    )
    select jsonb_build_object(
      'people', (select count(*) from private.said_of_issuer(admin_preview_said_groups.provider, admin_preview_said_groups.claim)),
      'renames', (
        select coalesce(jsonb_agg(jsonb_build_object('from', r.was, 'to', r.becomes) order by lower(r.was)), '[]')
        from private.renames_by_mapping(admin_preview_said_groups.provider, names) r
      ),
      'groups', coalesce(jsonb_agg(g.words order by lower(g.words ->> 'name')), '[]')
    )
    from (
      select jsonb_build_object(
        'id', s.group_id, 'name', s.name, 'joining', coalesce(max(s.total) filter (where s.joins), 0),
        'leaving', coalesce(max(s.total) filter (where not s.joins), 0),
        'joins', coalesce(jsonb_agg(s.some) filter (where s.joins) -> 0, '[]'), 'leaves', coalesce(jsonb_agg(s.some) filter (where not s.joins) -> 0, '[]')
      ) as words
      from sides s group by s.external_id, s.group_id, s.name
    ) g
  );
  people := array(
    select distinct s.user_id from private.said_of_issuer(admin_preview_said_groups.provider, admin_preview_said_groups.claim) s
    cross join lateral auth.changes_by_issuer(s.user_id, admin_preview_said_groups.provider, s.groups, names)
  );
  was := private.note_access(people);
  begin
    perform private.apply_group_mapping(admin_preview_said_groups.provider, admin_preview_said_groups.claim, names);
    projects := private.compare_access(was, people);
    raise exception 'rolled back' using errcode = 'KBT01';
  exception when sqlstate 'KBT01' then
    null;
  end;
  return groups || jsonb_build_object('projects', projects);
end
$$;
grant execute on function private.admin_preview_said_groups(text, text, jsonb) to kanbase_desk;
comment on function private.admin_preview_said_groups(text, text, jsonb) is 'People who would join or leave groups and projects with this mapping, by what their issuer said last.';

create or replace function private.apply_group_mapping(provider text, claim text, names jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  renames constant jsonb := (select jsonb_agg(to_jsonb(r)) from private.renames_by_mapping(apply_group_mapping.provider, names) r);
begin
  -- A name that another one of them gets is given up first.
  update public.groups g set name = g.id::text
  from jsonb_to_recordset(renames) r (group_id uuid, was text)
  where g.id = r.group_id and exists (
    select from jsonb_to_recordset(renames) o (group_id uuid, becomes text) where o.group_id <> r.group_id and lower(o.becomes) = lower(r.was)
  );
  update public.groups g set name = r.becomes from jsonb_to_recordset(renames) r (group_id uuid, becomes text) where g.id = r.group_id;
  perform auth.settle_outside_groups(s.user_id, apply_group_mapping.provider, s.groups, names)
  from private.said_of_issuer(apply_group_mapping.provider, apply_group_mapping.claim) s;
end
$$;
comment on function private.apply_group_mapping(text, text, jsonb) is 'Puts everybody into the groups that a mapping gives them, by what the issuer said of them last.';

create or replace function private.admin_change_group_mapping(setting text, names text, provider text, claim text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.admin_change_setting(setting, names, null);
  perform private.apply_group_mapping(admin_change_group_mapping.provider, admin_change_group_mapping.claim, names::jsonb);
end
$$;
grant execute on function private.admin_change_group_mapping(text, text, text, text) to kanbase_desk;
comment on function private.admin_change_group_mapping(text, text, text, text) is 'Saves a mapping of an issuer''s groups, and brings it to everybody by what the issuer said of them last.';
