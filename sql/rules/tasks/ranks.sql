-- Ranks: places within a column, a fractional index in text, compared byte by byte (collation "C"). A rank made here is a whole part, whose first
-- letter says how many digits follow (a0 … az, b00 … bzz, and Zz … Z0 below), so that a thousand tasks appended take no more room than ten, and
-- then digits that split the gap between two ranks. Clients may send any printable text; there is always room between two different ranks.

-- Number of the 62 digits that sort at or before this byte.
create or replace function private.rank_digits_up_to(byte integer) returns integer
language plpgsql immutable parallel safe set search_path = '' as $$
begin
  return case
    when byte < 48 then 0
    when byte < 58 then byte - 47
    when byte < 65 then 10
    when byte < 91 then byte - 54
    when byte < 97 then 36
    when byte < 123 then byte - 60
    else 62
  end;
end
$$;
grant execute on function private.rank_digits_up_to(integer) to authenticated, service_role;

-- A rank after `low` and before `high`; null is the end of the column on that side. Prefers the 62 digits; where they leave no
-- room (a client's "a" and "a0"), it takes other printable characters.
create or replace function private.rank_between(low text, high text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  made text := '';
  spot integer := 1;
  floor_byte integer;
  ceiling_byte integer;
  below integer;
  room integer;
  bounded boolean := high is not null;
begin
  low := coalesce(low, '');
  loop
    if bounded and spot > length(high) then
      perform private.refuse('22023', 'no rank lies between these', 'Ranks are printable ASCII without spaces and do not end in "!".');
    end if;
    floor_byte := case when spot <= length(low) then ascii(substr(low, spot, 1)) else 32 end;
    ceiling_byte := case when bounded then ascii(substr(high, spot, 1)) else 127 end;
    if floor_byte < ceiling_byte then
      below := private.rank_digits_up_to(floor_byte);
      room := private.rank_digits_up_to(ceiling_byte - 1) - below;
      if room > 0 then
        return made || substr(digits, below + (room + 1) / 2, 1);
      elsif ceiling_byte - floor_byte > 2 then
        return made || chr((floor_byte + ceiling_byte + 1) / 2);
      elsif ceiling_byte - floor_byte = 2 then
        -- '!' is the lowest character and may not end a rank
        return made || case when floor_byte = 32 then '!V' else chr(floor_byte + 1) end;
      elsif floor_byte > 32 then
        bounded := false;
      end if;
    end if;
    made := made || chr(greatest(floor_byte, 33));
    spot := spot + 1;
  end loop;
end
$$;
grant execute on function private.rank_between(text, text) to authenticated, service_role;

-- Number of digits in the whole part of a rank; 0 for a rank that was not made here.
create or replace function private.rank_whole_digits(rank text) returns integer
language plpgsql immutable set search_path = '' as $$
declare
  head constant integer := ascii(rank);
  width constant integer := case when head between 97 and 122 then head - 96 when head between 65 and 90 then 91 - head else 0 end;
  whole constant text := substr(rank, 2, width);
begin
  return case
    when length(whole) = width and translate(whole, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', '') = '' then width
    else 0
  end;
end
$$;
grant execute on function private.rank_whole_digits(text) to authenticated, service_role;

-- The first rank of a column, or the next whole one after its last.
create or replace function private.rank_after(low text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  width integer;
begin
  if low is null then
    return 'a0';
  end if;
  width := private.rank_whole_digits(low);
  for spot in reverse width + 1..2 loop
    if substr(low, spot, 1) <> 'z' then
      return left(low, spot - 1) || substr(digits, strpos(digits, substr(low, spot, 1)) + 1, 1) || repeat('0', width + 1 - spot);
    end if;
  end loop;
  -- every digit is at its highest: one digit more (one less below 'a')
  return case
    when width = 0 or left(low, 1) = 'z' then private.rank_between(low, null)
    when left(low, 1) = 'Z' then 'a0'
    when left(low, 1) > 'Z' collate "C" then chr(ascii(low) + 1) || repeat('0', width + 1)
    else chr(ascii(low) + 1) || repeat('0', width - 1)
  end;
end
$$;
grant execute on function private.rank_after(text) to authenticated, service_role;

-- The whole rank before the first of a column.
create or replace function private.rank_before(high text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  digits constant text := '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  width integer;
begin
  if high is null then
    return 'a0';
  end if;
  width := private.rank_whole_digits(high);
  if width > 0 and length(high) > width + 1 then
    return left(high, width + 1);
  end if;
  for spot in reverse width + 1..2 loop
    if substr(high, spot, 1) <> '0' then
      return left(high, spot - 1)
        || substr(digits, private.rank_digits_up_to(ascii(substr(high, spot, 1))) - 1, 1)
        || repeat('z', width + 1 - spot);
    end if;
  end loop;
  return case
    when width = 0 or left(high, 1) = 'A' then private.rank_between(null, high)
    when left(high, 1) = 'a' then 'Zz'
    when left(high, 1) > 'Z' collate "C" then chr(ascii(high) - 1) || repeat('z', width - 1)
    else chr(ascii(high) - 1) || repeat('z', width + 1)
  end;
end
$$;
grant execute on function private.rank_before(text) to authenticated, service_role;

-- `amount` ranks in order between two others, as short as the gap allows.
create or replace function private.ranks_between(low text, high text, amount integer) returns text[]
language plpgsql immutable set search_path = '' as $$
declare
  made text[] := '{}';
  middle text;
begin
  if amount <= 0 then
    return made;
  elsif high is null then
    for i in 1..amount loop
      low := private.rank_after(low);
      made := made || low;
    end loop;
    return made;
  elsif low is null then
    for i in 1..amount loop
      high := private.rank_before(high);
      made := high || made;
    end loop;
    return made;
  end if;
  middle := private.rank_between(low, high);
  return private.ranks_between(low, middle, (amount - 1) / 2)
    || middle
    || private.ranks_between(middle, high, amount - 1 - (amount - 1) / 2);
end
$$;

-- Ranks in a column -------------------------------------------------------------------------------------------------------

-- Nobody learns from a rank of a task that they don't see: ranks are drawn from those that the caller sees, and a task that they don't see and that
-- stands at such a rank gives way to the next free one after it. A task that is restricted is appended just behind the one before it, where it takes
-- no whole rank that the next one would get without it.

-- Asked once in a while: for most callers a task without an audience is one that they see.
create or replace function private.sees_task(in_project uuid, of_task uuid, audience uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.may_be_guest() and not private.is_reader(in_project) then
    return exists (select from private.my_guest_tasks g where g.task_id = of_task);
  end if;
  return private.sees_audience(in_project, audience);
end
$$;

-- A guest moves no task of the team: one of these keeps its rank, and theirs gets digits by chance right behind the rank that they named. It gets them
-- also where that rank is free, so that they tell of nothing.
create or replace function private.free_guest_rank(in_project uuid, in_column uuid, wanted text, for_task uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  stem constant text := left(wanted, 990) || '0';
  made text;
begin
  if char_length(wanted) > 1000 then
    -- Refused by its constraint.
    return wanted;
  end if;
  loop
    made := stem || left(gen_random_uuid()::text, 8) || 'V';
    exit when not exists (
      select from public.tasks t
      where t.project_id = in_project and t.column_id = in_column and t.order_rank = made and t.id <> for_task
    );
  end loop;
  return made;
end
$$;

-- A rank that is taken becomes the next free one after it.
create or replace function private.free_rank(in_project uuid, in_column uuid, wanted text, for_task uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  taken record;
begin
  if private.may_be_guest() and not private.is_reader(in_project) then
    return private.free_guest_rank(in_project, in_column, wanted, for_task);
  end if;
  loop
    select t.id, t.audience_id into taken from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.order_rank = wanted and t.id <> for_task;
    if not found or (not private.sees_task(in_project, taken.id, taken.audience_id) and private.give_way(in_project, in_column, taken.id, wanted)) then
      return wanted;
    end if;
    wanted := private.rank_between(wanted, (
      select t.order_rank from public.tasks t
      where t.project_id = in_project and t.column_id = in_column and t.order_rank > wanted and t.id <> for_task
        and private.sees_task(in_project, t.id, t.audience_id)
      order by t.order_rank limit 1
    ));
  end loop;
end
$$;

-- Moves a task from its rank to the next free one, and answers whether it did. Whoever holds its row may be waiting for this column: it stays then.
create or replace function private.give_way(in_project uuid, in_column uuid, of_task uuid, from_rank text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.tasks t where t.project_id = in_project and t.id = of_task for no key update skip locked;
  if not found then
    return false;
  end if;
  perform set_config('kanbase.spreading', 'on', true);
  update public.tasks t set order_rank = private.rank_between(from_rank, (
    select min(o.order_rank) from public.tasks o where o.project_id = in_project and o.column_id = in_column and o.order_rank > from_rank
  ))
  where t.project_id = in_project and t.id = of_task;
  perform set_config('kanbase.spreading', 'off', true);
  return true;
end
$$;

-- The end of a column behind a task that has an audience, or for a guest.
create or replace function private.rank_at_end(in_project uuid, in_column uuid, for_task uuid, audience uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  last_seen constant text := (
    select t.order_rank from public.tasks t
    where t.project_id = in_project and t.column_id = in_column and t.id <> for_task and private.sees_task(in_project, t.id, t.audience_id)
    order by t.order_rank desc limit 1
  );
  whole constant text := coalesce(left(last_seen, nullif(private.rank_whole_digits(last_seen), 0) + 1), case when last_seen is null then 'Zz' end);
begin
  return private.free_rank(in_project, in_column, case
    when audience is null or whole is null then private.rank_after(last_seen)
    else whole || private.rank_after(nullif(substr(last_seen, length(whole) + 1), ''))
  end, for_task);
end
$$;

-- Many drops into one gap make ranks long. Beyond 24 characters the crowded stretch, up to the nearest short rank on either side, is spread out
-- again in the same transaction, unless a guest made them: first the tasks that everybody in the project sees, then between these those that are restricted.
create or replace function private.spread_ranks() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  low text;
  high text;
  crowd uuid[];
  spread text[];
begin
  if current_setting('kanbase.spreading', true) = 'on' or (private.may_be_guest() and not private.is_reader(new.project_id)) then
    return null;
  end if;
  perform private.lock_column(new.project_id, new.column_id);
  select max(t.order_rank) into low from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id and t.audience_id is null
    and t.order_rank < new.order_rank and length(t.order_rank) <= 8;
  select min(t.order_rank) into high from public.tasks t
  where t.project_id = new.project_id and t.column_id = new.column_id and t.audience_id is null
    and t.order_rank > new.order_rank and length(t.order_rank) <= 8;
  crowd := array(
    select t.id from public.tasks t
    where t.project_id = new.project_id and t.column_id = new.column_id
      and (low is null or t.order_rank > low) and (high is null or t.order_rank < high)
    order by t.order_rank
  );
  -- Whoever holds one of them may be waiting for this column: rather than wait for each other, the crowd stays as it is
  -- until the next drop into it.
  if (
    select count(*) from (
      select from public.tasks t where t.project_id = new.project_id and t.id = any (crowd) for no key update skip locked
    ) as free
  ) < cardinality(crowd) then
    return null;
  end if;
  spread := private.ranks_between(low, high, (
    select count(*)::integer from public.tasks t where t.project_id = new.project_id and t.id = any (crowd) and t.audience_id is null
  ));
  perform set_config('kanbase.spreading', 'on', true);
  update public.tasks t set order_rank = s.rank
  from (
    select g.ids, case
      when g.is_open then array[spread[g.place]]
      else private.ranks_between(coalesce(spread[g.place], low), coalesce(spread[g.place + 1], high), cardinality(g.ids))
    end as ranks
    from (
      select p.place, p.audience_id is null as is_open, array_agg(p.id order by p.order_rank) as ids
      from (
        select o.id, o.order_rank, o.audience_id, (count(*) filter (where o.audience_id is null) over (order by o.order_rank))::integer as place
        from public.tasks o where o.project_id = new.project_id and o.id = any (crowd)
      ) p
      group by 1, 2
    ) g
  ) parts
  cross join unnest(parts.ids, parts.ranks) as s (id, rank)
  where t.project_id = new.project_id and t.id = s.id and t.order_rank <> s.rank;
  perform set_config('kanbase.spreading', 'off', true);
  return null;
end
$$;
