-- Who is named in lines that are quoted was told when they were written.

-- Members a text mentions: @[Name](user-id), or @ and the display name, spaces as they are or as hyphens. What is quoted is not the
-- writer's own: lines that begin with >.
create or replace function private.mentioned_members(in_project uuid, words text) returns uuid[]
language plpgsql stable security definer set search_path = '' as $$
begin
  if words is null or position('@' in words) = 0 then
    return '{}';
  end if;
  if position('>' in words) > 0 then
    words := regexp_replace(words, '^ {0,3}>.*$', '', 'gn');
  end if;
  return array(
    select m.user_id
    from public.project_members m
    join public.profiles p on p.id = m.user_id
    where m.project_id = in_project and (
      strpos(lower(words), '](' || m.user_id::text || ')') > 0
      or strpos(replace(lower(words), '-', ' '), '@' || replace(lower(p.display_name), '-', ' ')) > 0
        and replace(lower(words), '-', ' ') ~ (
          '(^|[^[:alnum:]_.])@'
          || regexp_replace(replace(lower(p.display_name), '-', ' '), '([^[:alnum:][:space:]])', '\\\1', 'g')
          || '($|[^[:alnum:]_])'
        )
    )
  );
end
$$;
