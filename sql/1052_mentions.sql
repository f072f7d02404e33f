-- Mentions are found in one pass over the text, and a text notifies the first fifty people it mentions.

-- Members a text mentions: @[Name](user-id), or @ and the display name, spaces as they are or as hyphens. What is quoted is not the
-- writer's own: lines that begin with >. Names are looked for where the text mentions them first; a hundred that begin alike are tried.
create or replace function private.mentioned_members(in_project uuid, words text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
declare
  most_people constant int := 50;
  most_tried constant int := 100;
  low text;
  normal text;
  found_members uuid[];
  candidate record;
begin
  if words is null or position('@' in words) = 0 then
    return '{}';
  end if;
  if position('>' in words) > 0 then
    words := regexp_replace(words, '^ {0,3}>.*$', '', 'gn');
  end if;
  low := lower(words);
  normal := replace(low, '-', ' ');
  found_members := array(
    select m.user_id
    from (
      select by_id.ids[1] as id, min(by_id.place) as place
      from regexp_matches(low, '\]\(([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)', 'g') with ordinality as by_id (ids, place)
      group by 1
    ) as mention
    join public.project_members m on m.project_id = in_project and m.user_id = mention.id::uuid
    order by mention.place
    limit most_people
  );
  for candidate in
    select m.user_id, name.spoken
    from public.project_members m
    join public.profiles p on p.id = m.user_id
    cross join lateral (select replace(lower(p.display_name), '-', ' ') as spoken) as name
    cross join lateral (select strpos(normal, '@' || name.spoken) as place) as first
    where m.project_id = in_project and first.place > 0 and m.user_id <> all (found_members)
    order by first.place, m.user_id
    limit most_tried
  loop
    exit when cardinality(found_members) >= most_people;
    if normal ~ (
      '(^|[^[:alnum:]_.])@' || regexp_replace(candidate.spoken, '([^[:alnum:][:space:]])', '\\\1', 'g') || '($|[^[:alnum:]_])'
    ) then
      found_members := found_members || candidate.user_id;
    end if;
  end loop;
  return found_members;
end
$$;
