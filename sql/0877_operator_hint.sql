-- An operator's own token says so, for one purpose: the app offers them the way to the desk. Nothing else believes it; the desk looks the
-- account up (private.require_operator).

create function auth.hint_operator() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.raw_app_meta_data := case when new.is_operator then new.raw_app_meta_data || '{"operator": true}' else new.raw_app_meta_data - 'operator' end;
  return new;
end
$$;
revoke all on function auth.hint_operator() from public;
create trigger hint_operator before update of is_operator on auth.users
  for each row when (new.is_operator is distinct from old.is_operator) execute function auth.hint_operator();

update auth.users set raw_app_meta_data = raw_app_meta_data || '{"operator": true}' where is_operator;

comment on function auth.hint_operator() is 'Writes into the token whether its account is an operator''s, for the menu of the app alone.';
