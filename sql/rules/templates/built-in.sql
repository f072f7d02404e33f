-- The templates that come with Kanbase, which sql/data/templates.sql writes: one English document each, and for every other language the ids
-- of its rows and a dictionary. The file is applied whenever it or these functions change, so a row that is as written stays untouched.

-- Values that the dictionary has, wherever they stand in a document; keys stay.
create or replace function private.translate_strings(document jsonb, words jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select case jsonb_typeof(document)
    when 'string' then coalesce(words -> (document #>> '{}'), document)
    when 'array' then (
      select coalesce(jsonb_agg(private.translate_strings(e.one, words) order by e.place), '[]')
      from jsonb_array_elements(document) with ordinality as e (one, place)
    )
    when 'object' then (select coalesce(jsonb_object_agg(o.key, private.translate_strings(o.value, words)), '{}') from jsonb_each(document) o)
    else document
  end
$$;

-- Makes the rows of all languages what is written, and removes those that are written no more. `translations`: by language {ids, words}.
create or replace function private.save_built_in_templates(templates jsonb, translations jsonb) returns void
language plpgsql set search_path = '' as $$
declare
  english constant jsonb := regexp_replace(templates::text, '@([a-f])([0-9a-f])', '00000000-0000-4000-8000-0\1010000000\2', 'g');
  written constant jsonb := (
    select jsonb_agg(w.template)
    from (
      select t || '{"language": "en"}' from jsonb_array_elements(english) t
      union all
      select t || s.translated || jsonb_build_object('language', l.key, 'id', l.value -> 'ids' -> (t ->> 'built_in'))
      from jsonb_each(translations) l, jsonb_array_elements(english) t,
        lateral (select private.translate_strings(t - '{built_in,id,kind}'::text[], l.value -> 'words')) s (translated)
    ) w (template)
  );
begin
  delete from public.templates t
  where t.built_in is not null and not exists (select from jsonb_array_elements(written) w where (w ->> 'id')::uuid = t.id);
  insert into public.templates as t (id, built_in, language, kind, name, description, body)
  select w.id, w.built_in, w.language, w.kind, w.name, w.description, w.body
  from jsonb_populate_recordset(null::public.templates, written) w
  on conflict (id) do update
  set built_in = excluded.built_in, language = excluded.language, name = excluded.name, description = excluded.description, body = excluded.body
  where (t.built_in, t.language, t.name, t.description, t.body)
    is distinct from (excluded.built_in, excluded.language, excluded.name, excluded.description, excluded.body);
end
$$;
