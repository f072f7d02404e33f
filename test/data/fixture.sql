-- A harbour of our own: small tables that together have every shape the data door must know.
-- `harbour` is served first, `annex` second, `hold` never. Nothing here is about tasks.

create schema harbour;
create schema annex;
create schema hold;
comment on schema harbour is 'Harbour API
Ships, ports and what goes on between them.';

do $$ begin
  if not exists (select from pg_roles where rolname = 'harbour_master') then
    create role harbour_master nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
select private.let_become('harbour_master');

grant usage on schema harbour, annex to anon, authenticated, service_role, harbour_master;

-- ports, ships and the people on them: to-one, to-many, one-to-one, many-to-many, self references --------------------

create type harbour.ship_kind as enum ('barge', 'clipper', 'tug');
comment on type harbour.ship_kind is 'How a ship earns its keep';

create table harbour.ports (
  id integer primary key,
  name text not null unique,
  country text,
  depth numeric(6, 2),
  facts jsonb,
  tags text[] not null default '{}'
);
comment on table harbour.ports is 'Places where ships lie

A port is known by its name.';
comment on column harbour.ports.name is 'As painted on the quay';

create table harbour.ships (
  id integer primary key,
  name text not null,
  kind harbour.ship_kind not null default 'barge',
  tonnage bigint,
  home_port_id integer references harbour.ports (id) on delete set null,
  built_at integer constraint ships_built_at_fkey references harbour.ports (id) on delete set null,
  tows_id integer constraint ships_tows_fkey references harbour.ships (id) on delete set null,
  launched_at timestamptz
);
comment on column harbour.ships.tonnage is 'May exceed what a double can hold';

-- one-to-one, recognised from the unique key
create table harbour.captains (
  id integer primary key,
  name text not null,
  ship_id integer unique references harbour.ships (id) on delete cascade
);

-- one-to-one, recognised from the primary key
create table harbour.licences (
  captain_id integer primary key references harbour.captains (id) on delete cascade,
  number text not null
);

create table harbour.sailors (
  id integer primary key,
  name text not null
);

create table harbour.ship_sailors (
  ship_id integer not null references harbour.ships (id) on delete cascade,
  sailor_id integer not null references harbour.sailors (id) on delete cascade,
  rank text not null default 'deckhand',
  primary key (ship_id, sailor_id)
);

-- a second junction: the many-to-many above becomes ambiguous without a hint
create table harbour.ship_pensioners (
  ship_id integer not null references harbour.ships (id) on delete cascade,
  sailor_id integer not null references harbour.sailors (id) on delete cascade,
  primary key (ship_id, sailor_id)
);

create table harbour.buoys (
  id integer primary key,
  colour text,
  port_id integer references harbour.ports (id) on delete cascade
);

-- composite keys
create table harbour.berths (
  port_id integer not null references harbour.ports (id) on delete cascade,
  number integer not null,
  length_m integer,
  primary key (port_id, number)
);

create table harbour.moorings (
  id integer primary key,
  port_id integer not null,
  berth_number integer not null,
  ship_id integer references harbour.ships (id) on delete cascade,
  since date,
  constraint moorings_berth_fkey foreign key (port_id, berth_number) references harbour.berths (port_id, number) on delete cascade
);

-- a tree through itself, hinted by column and by constraint
create table harbour.offices (
  id integer primary key,
  name text not null,
  parent_id integer constraint offices_parent_fkey references harbour.offices (id) on delete cascade
);

-- partitions
create table harbour.cargo (
  id integer not null,
  year integer not null,
  ship_id integer references harbour.ships (id) on delete cascade,
  what text,
  kilos integer,
  primary key (id, year)
) partition by range (year);
create table harbour.cargo_2023 partition of harbour.cargo for values from (2023) to (2024);
create table harbour.cargo_2024 partition of harbour.cargo for values from (2024) to (2025);

-- relations seen through views ----------------------------------------------------------------------------------------

create view harbour.fleet as select id, name, kind, home_port_id as port_id, tonnage from harbour.ships;
create view harbour.fleet_of_fleet as select id, name, port_id from harbour.fleet;
create view harbour.port_names as select id, name from harbour.ports;
create materialized view harbour.port_totals as
  select p.id, p.name, count(s.id) as ships from harbour.ports p left join harbour.ships s on s.home_port_id = p.id group by p.id, p.name;
create view harbour.crew_list as
  select ss.ship_id, ss.sailor_id, ss.rank, sa.name as sailor_name
  from harbour.ship_sailors ss join harbour.sailors sa on sa.id = ss.sailor_id;
comment on view harbour.fleet is 'Ships without their history';

-- the hidden schema, only shown through a view
create table hold.secrets (id integer primary key, ship_id integer references harbour.ships (id) on delete cascade, what text);
create view harbour.rumours as select id, ship_id, left(what, 3) as hint from hold.secrets;

-- computed columns and computed relationships -------------------------------------------------------------------------

create function harbour.label(harbour.ships) returns text language sql stable as $$ select $1.name || ' (' || $1.kind::text || ')' $$;
create function harbour.tonnes(harbour.cargo) returns numeric language sql stable as $$ select $1.kilos / 1000.0 $$;
create function harbour.is_deep(harbour.ports) returns boolean language sql stable as $$ select $1.depth > 10 $$;
create function harbour.shout(harbour.fleet) returns text language sql stable as $$ select upper($1.name) $$;

create function harbour.port_of(harbour.ships) returns setof harbour.ports rows 1 language sql stable as
  $$ select * from harbour.ports where id = $1.home_port_id $$;
create function harbour.fleet_at(harbour.ports) returns setof harbour.ships language sql stable as
  $$ select * from harbour.ships where home_port_id = $1.id order by id $$;
create function harbour.view_port(harbour.fleet) returns setof harbour.ports rows 1 language sql stable as
  $$ select * from harbour.ports where id = $1.port_id $$;
create function harbour.heavy_cargo(harbour.ships) returns setof harbour.cargo language sql stable as
  $$ select * from harbour.cargo where ship_id = $1.id and kilos >= 1000 $$;
create function harbour.carrier(harbour.cargo) returns setof harbour.ships rows 1 language sql stable as
  $$ select * from harbour.ships where id = $1.ship_id $$;

-- values of every type --------------------------------------------------------------------------------------------------

create domain harbour.short_name as varchar(10) check (value <> '');
create type harbour.spot as (x integer, y integer);

create table harbour.samples (
  id integer generated by default as identity primary key,
  c_bool boolean,
  c_small smallint,
  c_big bigint,
  c_num numeric,
  c_real real,
  c_double double precision,
  c_text text,
  c_varchar varchar(5),
  c_char char(3),
  c_bytea bytea,
  c_date date,
  c_time time,
  c_ts timestamp,
  c_tstz timestamptz,
  c_interval interval,
  c_uuid uuid,
  c_json json,
  c_jsonb jsonb,
  c_ints integer[],
  c_texts text[],
  c_matrix integer[][],
  c_range int4range,
  c_period tstzrange,
  c_days daterange,
  c_kind harbour.ship_kind,
  c_kinds harbour.ship_kind[],
  c_name harbour.short_name,
  c_spot harbour.spot,
  c_inet inet,
  c_search tsvector,
  c_bits bit varying(8),
  c_generated integer generated always as (c_small * 2) stored
);

-- data representations: a domain with casts -------------------------------------------------------------------------------

create domain harbour.colour as integer;
create function harbour.colour_to_json(harbour.colour) returns json language sql immutable as
  $$ select case when $1 is null then null else to_json('#' || lpad(upper(to_hex($1::integer)), 6, '0')) end $$;
create function harbour.colour_from_text(text) returns harbour.colour language sql immutable as
  $$ select (('x' || lpad(ltrim($1, '#'), 8, '0'))::bit(32)::integer)::harbour.colour $$;
create function harbour.colour_from_json(json) returns harbour.colour language sql immutable as
  $$ select harbour.colour_from_text($1 #>> '{}') $$;
set client_min_messages = error; -- Postgres warns that it never applies such casts by itself; the data door does
create cast (harbour.colour as json) with function harbour.colour_to_json(harbour.colour) as implicit;
create cast (json as harbour.colour) with function harbour.colour_from_json(json) as implicit;
create cast (text as harbour.colour) with function harbour.colour_from_text(text) as implicit;
reset client_min_messages;

create table harbour.paints (
  id integer primary key,
  name text not null,
  tint harbour.colour default 255,
  port_id integer references harbour.ports (id) on delete cascade
);
create view harbour.paint_list as select id, name, tint from harbour.paints;

-- writing: defaults, identities, unique keys, no key at all, generated columns -----------------------------------------------

create table harbour.crates (
  id integer generated by default as identity primary key,
  label text not null default 'unlabelled',
  weight integer default 7,
  code text unique,
  meta jsonb default '{"new": true}',
  packed_at timestamptz default '2024-01-01 00:00:00+00'
);
create table harbour.tallies (what text, n integer);                       -- no key
create table harbour.pairs (a integer, b integer, note text, primary key (a, b));
create table harbour.drawer (id integer primary key, note text default 'none');
create view harbour.crate_labels as select id, label from harbour.crates;  -- updatable
create view harbour.crate_count as select count(*) as n from harbour.crates; -- not updatable
create table harbour.stamped (id integer generated always as identity primary key, body text not null, seen integer generated always as (length(body)) stored);

-- names that need care --------------------------------------------------------------------------------------------------------

create table harbour."Odd Table" (
  "Id" integer primary key,
  "a,b" text,
  "dot.ted" text,
  "quo""te" text,
  "par(en)" text,
  "ñandú" text,
  "select" text,
  "col:on" text
);
create table harbour."数" (id integer primary key, "名" text);

-- json, full text, ranges -----------------------------------------------------------------------------------------------------

create table harbour.papers (
  id integer primary key,
  body text,
  doc jsonb,
  raw json,
  search tsvector generated always as (to_tsvector('english', body)) stored
);
create function harbour.words(harbour.papers) returns tsvector language sql immutable as $$ select $1.search $$;
create table harbour.numbers (id integer primary key, big bigint, parts integer[], span int4range);

-- a long list for paging
create table harbour.pages (id integer primary key);

-- who may see what ------------------------------------------------------------------------------------------------------------

create table harbour.letters (
  id integer generated by default as identity primary key,
  owner uuid not null default (current_setting('request.jwt.claims', true)::json ->> 'sub')::uuid,
  body text not null
);
alter table harbour.letters enable row level security;
create policy "see own or open letters" on harbour.letters for select using (
  owner::text = current_setting('request.jwt.claims', true)::json ->> 'sub' or body like 'open:%'
);
create policy "write own letters" on harbour.letters for insert with check (
  owner::text = current_setting('request.jwt.claims', true)::json ->> 'sub'
);
create policy "change own letters" on harbour.letters for update using (true) with check (
  owner::text = current_setting('request.jwt.claims', true)::json ->> 'sub'
);
create policy "burn own letters" on harbour.letters for delete using (
  owner::text = current_setting('request.jwt.claims', true)::json ->> 'sub'
);
create policy "the master sees all letters" on harbour.letters for select to harbour_master using (true);

create table harbour.ledger (id integer primary key, amount numeric); -- no grants to anon: 401, to authenticated: 403
create table harbour.dropbox (id integer primary key, note text);     -- anon may insert, not read
create table harbour.half_open (id integer primary key, shown text, hidden text); -- only some columns

-- the annex, a second schema with a table of the same name and one pointing back --------------------------------------------------

create table annex.ports (id integer primary key, name text, note text default 'annex');
create table annex.sheds (id integer primary key, port_id integer references annex.ports (id) on delete cascade);
create function annex.where_am_i() returns text language sql stable as $$ select 'annex' $$;
create function harbour.where_am_i() returns text language sql stable as $$ select 'harbour' $$;

-- procedures -----------------------------------------------------------------------------------------------------------------------

create function harbour.add_them(a integer, b integer) returns integer language sql immutable as $$ select a + b $$;
comment on function harbour.add_them(integer, integer) is 'Adds two numbers
No more than that.';
create function harbour.greet(name text) returns text language sql stable as $$ select 'Hello, ' || name $$;
create function harbour.with_defaults(a integer, b integer default 5, c text default 'x') returns json language sql stable as
  $$ select json_build_object('a', a, 'b', b, 'c', c) $$;
create function harbour.all_defaults(a integer default 1, b integer default 2) returns integer language sql stable as $$ select a + b $$;
create function harbour.overloaded() returns text language sql stable as $$ select 'none' $$;
create function harbour.overloaded(a integer) returns text language sql stable as $$ select 'a' $$;
create function harbour.overloaded(a integer, b integer) returns text language sql stable as $$ select 'a and b' $$;
create function harbour.overloaded(a integer, b integer, c integer) returns setof text language sql stable as $$ values ('a'), ('b'), ('c') $$;
create function harbour.clash(arg integer) returns text language sql stable as $$ select 'integer' $$;
create function harbour.clash(arg text, num integer default 0) returns text language sql stable as $$ select 'text' $$;
create function harbour.mixed(json) returns text language sql stable as $$ select 'unnamed json' $$;
create function harbour.mixed(a integer) returns text language sql stable as $$ select 'named a' $$;
create function harbour.torn(json) returns text language sql stable as $$ select 'json' $$;
create function harbour.torn(jsonb) returns text language sql stable as $$ select 'jsonb' $$;
create function harbour.total(variadic numbers integer[]) returns integer language sql stable as
  $$ select coalesce(sum(n), 0)::integer from unnest(numbers) n $$;
create function harbour.join_words(sep text, variadic words text[]) returns text language sql stable as
  $$ select array_to_string(words, sep) $$;
create function harbour.sum_array(xs integer[]) returns integer language sql stable as $$ select sum(x)::integer from unnest(xs) x $$;
create function harbour.echo_texts(xs text[]) returns text[] language sql stable as $$ select xs $$;
create function harbour.echo_jsonb(data jsonb) returns jsonb language sql stable as $$ select data $$;
create function harbour.echo_bool(yes boolean) returns boolean language sql stable as $$ select yes $$;
create function harbour.echo_big(n bigint) returns bigint language sql stable as $$ select n $$;
create function harbour.take_json(json) returns json language sql stable as $$ select $1 $$;
create function harbour.take_jsonb(jsonb) returns jsonb language sql stable as $$ select $1 $$;
create function harbour.take_text(text) returns text language sql stable as $$ select 'got ' || $1 $$;
create function harbour.take_bytes(bytea) returns integer language sql stable as $$ select length($1) $$;
create function harbour.named_json(data json) returns json language sql stable as $$ select data $$;
create function harbour.nothing() returns void language sql as $$ $$;
create function harbour.null_text() returns text language sql stable as $$ select null::text $$;
create function harbour.null_ship() returns harbour.ships language sql stable as $$ select null::harbour.ships $$;
create function harbour.one_ship(id integer) returns harbour.ships language sql stable as $$ select * from harbour.ships s where s.id = one_ship.id $$;
create function harbour.all_ships() returns setof harbour.ships language sql stable as $$ select * from harbour.ships order by id $$;
create function harbour.single_ship() returns setof harbour.ships rows 1 language sql stable as $$ select * from harbour.ships where id = 1 $$;
create function harbour.ship_names() returns setof text language sql stable as $$ select name from harbour.ships order by id $$;
create function harbour.tally() returns table (kind text, n bigint) language sql stable as
  $$ select kind::text, count(*) from harbour.ships group by kind order by kind $$;
create function harbour.split_name(full_name text, out first text, out last text) language sql stable as
  $$ select split_part(full_name, ' ', 1), split_part(full_name, ' ', 2) $$;
create function harbour.one_out(out n integer) language sql stable as $$ select 42 $$;
create function harbour.counted(inout n integer) language sql stable as $$ select n + 1 $$;
create function harbour.a_spot() returns harbour.spot language sql stable as $$ select row(3, 4)::harbour.spot $$;
create function harbour.anonymous_record() returns record language sql stable as $$ select 1, 'x'::text $$;
create function harbour.get_pages(lo integer, hi integer) returns setof harbour.pages language sql stable as
  $$ select id from harbour.pages where id between lo and hi order by id $$;
create function harbour."Shout"("Word" text) returns text language sql stable as $$ select upper("Word") $$;
create function harbour.tint_of(paint integer) returns harbour.colour language sql stable as $$ select tint from harbour.paints where id = paint $$;
create function harbour.mixed_up(tint harbour.colour) returns integer language sql stable as $$ select tint::integer $$;

create function harbour.put_page(id integer) returns setof harbour.pages language sql as $$ insert into harbour.pages values (id) returning * $$;
create function harbour.rename_ship(id integer, name text) returns harbour.ships language sql as
  $$ update harbour.ships s set name = rename_ship.name where s.id = rename_ship.id returning * $$;
create function harbour.age_crates(by integer) returns setof harbour.crates language sql as
  $$ update harbour.crates set weight = weight + by returning * $$;
create function harbour.stable_write() returns void language sql stable as $$ $$;

create function harbour.refuse(code text, words text) returns void language plpgsql as
  $$ begin raise using errcode = code, message = words, detail = 'the detail', hint = 'the hint'; end $$;
create function harbour.refuse_fully(message text, detail text) returns void language plpgsql as
  $$ begin raise exception using errcode = 'PGRST', message = refuse_fully.message, detail = refuse_fully.detail; end $$;
create function harbour.refuse_briefly() returns void language plpgsql as
  $$ begin raise exception using errcode = 'PGRST', message = '{"code": "123", "message": "abc"}'; end $$;
create function harbour.plain_raise() returns void language plpgsql as $$ begin raise exception 'no more berths'; end $$;
create function harbour.divide(a integer, b integer) returns integer language sql stable as $$ select a / b $$;

create function harbour.answer_with(status text, headers text) returns text language plpgsql as $$
begin
  if status <> '' then perform set_config('response.status', status, true); end if;
  if headers <> '' then perform set_config('response.headers', headers, true); end if;
  return 'answered';
end $$;
create function harbour.describe_request() returns json language sql stable as $$
  select json_build_object(
    'headers', current_setting('request.headers', true)::json,
    'cookies', nullif(current_setting('request.cookies', true), '')::json,
    'method', current_setting('request.method', true),
    'path', current_setting('request.path', true),
    'claims', nullif(current_setting('request.jwt.claims', true), '')::json,
    'role', current_user,
    'search_path', current_setting('search_path'),
    'read_only', current_setting('transaction_read_only'))
$$;
create function harbour.describe_write() returns json language sql volatile as $$
  select json_build_object('method', current_setting('request.method', true), 'path', current_setting('request.path', true), 'role', current_user)
$$;
create function harbour.time_zone() returns text language sql stable as $$ select current_setting('timezone') $$;
create function harbour.work_mem() returns text language sql stable set work_mem = '6000' as $$ select current_setting('work_mem') $$;
create function harbour.nap(seconds double precision) returns text language sql as $$ select pg_sleep(seconds)::text $$;
create function harbour.locked_up() returns integer language sql stable as $$ select 1 $$;

-- runs before every request
create function harbour.at_the_gate() returns void language plpgsql as $$
declare
  headers json := nullif(current_setting('request.headers', true), '')::json;
begin
  if headers ->> 'x-counted' = 'yes' then
    perform pg_notify('gate', gen_random_uuid()::text);
  end if;
  if headers ->> 'x-refuse' = 'yes' then
    raise sqlstate 'PT418' using message = 'Turned away at the gate', hint = 'Come back tomorrow';
  end if;
  if headers ->> 'x-become' = 'master' and current_user = 'service_role' then
    set local role harbour_master;
  end if;
  if headers ->> 'x-stamp' is not null then
    perform set_config('response.headers', json_build_array(json_build_object('X-Stamped', headers ->> 'x-stamp'))::text, true);
  end if;
end $$;

-- custom media types ------------------------------------------------------------------------------------------------------------------

create domain harbour."application/vnd.harbour.manifest" as text;
create function harbour.manifest_step(state harbour."application/vnd.harbour.manifest", next harbour.ships)
returns harbour."application/vnd.harbour.manifest" language sql immutable as $$ select state || next.name || E'\n' $$;
create aggregate harbour.manifest(harbour.ships) (initcond = 'MANIFEST' , stype = harbour."application/vnd.harbour.manifest", sfunc = harbour.manifest_step);

-- plain text for anything: every row's first column would be too clever; the number of rows will do
create domain harbour."text/vnd.count" as text;
create function harbour.count_step(state harbour."text/vnd.count", next anyelement)
returns harbour."text/vnd.count" language sql immutable as $$ select (state::integer + 1)::text $$;
create aggregate harbour.count_rows(anyelement) (initcond = '0', stype = harbour."text/vnd.count", sfunc = harbour.count_step);

create domain harbour."text/plain" as text;
create domain harbour."image/png" as bytea;
create domain harbour."text/html" as text;
create domain harbour."*/*" as bytea;
create function harbour.plain_greeting() returns harbour."text/plain" language sql stable as $$ select 'ahoy' $$;
create function harbour.picture(id integer) returns harbour."image/png" language sql stable as $$ select '\x89504e470d0a1a0a'::bytea $$;
create function harbour.page_of(title text) returns harbour."text/html" language sql stable as $$ select '<h1>' || title || '</h1>' $$;
create function harbour.whatever() returns harbour."*/*" language plpgsql stable as $$
begin
  perform set_config('response.headers', '[{"Content-Type": "app/whatever"}]', true);
  return 'any form you like'::bytea;
end $$;

-- rights ----------------------------------------------------------------------------------------------------------------------------------

grant select, insert, update, delete on all tables in schema harbour, annex to anon, authenticated, service_role, harbour_master;
grant usage on all sequences in schema harbour, annex to anon, authenticated, service_role, harbour_master;
grant execute on all functions in schema harbour, annex to anon, authenticated, service_role, harbour_master;

revoke all on harbour.ledger from anon, authenticated;
revoke all on harbour.dropbox from anon;
grant insert on harbour.dropbox to anon;
revoke all on harbour.half_open from anon;
grant select (id, shown), insert (id, shown) on harbour.half_open to anon;
revoke execute on function harbour.locked_up() from public, anon, authenticated;
grant execute on function harbour.locked_up() to service_role;
grant usage on schema hold to service_role;

-- rows ------------------------------------------------------------------------------------------------------------------------------------

insert into harbour.ports values
  (1, 'Aalborg', 'DK', 10.40, '{"cranes": 4, "pilot": {"name": "Bo", "boats": [1, 2]}}', '{north,small}'),
  (2, 'Bergen', 'NO', 14.00, '{"cranes": 9, "pilot": {"name": "Liv", "boats": []}}', '{north}'),
  (3, 'Cadiz', 'ES', 9.25, null, '{south,old}'),
  (4, 'Delft', null, null, '{"cranes": null}', '{}');
insert into harbour.ships values
  (1, 'Albatross', 'barge', 9007199254740993, 1, 2, null, '2020-01-02 03:04:05+00'),
  (2, 'Bonito', 'clipper', 200, 1, 1, 1, '2021-06-30 12:00:00+00'),
  (3, 'Cormorant', 'tug', 30, 2, 1, 1, null),
  (4, 'Dolphin', 'tug', null, null, 3, 2, '2019-12-31 23:59:59+00'),
  (5, 'Eider, the "Duck"', 'clipper', 500, 2, null, null, null);
insert into harbour.captains values (1, 'Ada', 1), (2, 'Bob', 2), (3, 'Cy', null);
insert into harbour.licences values (1, 'L-1'), (2, 'L-2');
insert into harbour.sailors values (1, 'Sven'), (2, 'Tove'), (3, 'Ulf');
insert into harbour.ship_sailors values (1, 1, 'mate'), (1, 2, 'cook'), (2, 2, 'deckhand'), (3, 3, 'deckhand');
insert into harbour.ship_pensioners values (1, 3), (4, 1);
insert into harbour.buoys values (1, 'red', 1), (2, 'green', 1), (3, 'red', null);
insert into harbour.berths values (1, 1, 50), (1, 2, 80), (2, 1, 120);
insert into harbour.moorings values (1, 1, 1, 1, '2024-01-01'), (2, 1, 2, 2, '2024-02-01'), (3, 2, 1, 3, '2024-03-01'), (4, 2, 1, null, null);
insert into harbour.offices values (1, 'Head', null), (2, 'North', 1), (3, 'South', 1), (4, 'Far North', 2);
insert into harbour.cargo values (1, 2023, 1, 'grain', 1500), (2, 2023, 1, 'coal', 900), (3, 2024, 2, 'tea', 250), (4, 2024, 3, 'salt', 4000);
refresh materialized view harbour.port_totals;
insert into hold.secrets values (1, 1, 'treasure'), (2, 2, 'mutiny');
insert into harbour.paints values (1, 'red', 16711680, 1), (2, 'blue', 255, 2), (3, 'none', null, null);
insert into harbour.crates (id, label, weight, code) values (1, 'one', 10, 'c1'), (2, 'two', 20, 'c2'), (3, 'three', 30, 'c3');
select setval('harbour.crates_id_seq', 100);
insert into harbour.pairs values (1, 1, 'first'), (1, 2, 'second');
insert into harbour.drawer values (1, 'pens'), (2, 'pins');
insert into harbour.tallies values ('ropes', 3), ('ropes', 3), ('sails', null);
insert into harbour."Odd Table" values (1, 'comma', 'dot', 'quote', 'paren', 'bird', 'word', 'colon'), (2, 'x,y', 'p.q', 'say "hi"', '(z)', 'Ñ', 'sel', 'a:b');
insert into harbour."数" values (1, '一'), (2, '二');
insert into harbour.papers (id, body, doc, raw) values
  (1, 'The fat cats sat on the mat', '{"a": {"b": [10, 20, {"c": "deep"}]}, "n": 5, "s": "text", "key with space": 1}', '{"k": [1, 2]}'),
  (2, 'A fat rat ran', '{"a": null, "n": 12, "s": "other"}', '{"k": "v"}'),
  (3, 'Nothing to see', '[1, "two", {"three": 3}]', null),
  (4, null, null, null);
insert into harbour.numbers values
  (1, 9007199254740993, '{1,2,3}', '[1,10)'), (2, -9223372036854775808, '{3,4}', '[10,20)'), (3, 0, '{}', 'empty'), (4, null, null, null);
insert into harbour.pages select generate_series(1, 15);
insert into harbour.letters (id, owner, body) values
  (1, '00000000-0000-4000-8000-000000000001', 'mine'), (2, '00000000-0000-4000-8000-000000000002', 'theirs'), (3, '00000000-0000-4000-8000-000000000002', 'open: to all');
select setval('harbour.letters_id_seq', 100);
insert into harbour.ledger values (1, 100);
insert into harbour.half_open values (1, 'seen', 'unseen');
insert into annex.ports values (1, 'Annex port');
insert into annex.sheds values (1, 1);
insert into harbour.samples (
  id, c_bool, c_small, c_big, c_num, c_real, c_double, c_text, c_varchar, c_char, c_bytea, c_date, c_time, c_ts, c_tstz, c_interval, c_uuid,
  c_json, c_jsonb, c_ints, c_texts, c_matrix, c_range, c_period, c_days, c_kind, c_kinds, c_name, c_spot, c_inet, c_search, c_bits
) values (
  1, true, 7, 9223372036854775807, 12345678901234567890.123456789, 1.5, 2.5, 'tab	and "quote"', 'abcde', 'ab', '\xdeadbeef', '2024-02-29', '13:14:15.5',
  '2024-02-29 13:14:15.123456', '2024-02-29 13:14:15.123456+00', '1 day 02:03:04', '0190aaaa-bbbb-7ccc-8ddd-eeeeffff0001',
  '{"b":1,  "a":[2]}', '{"b":1,"a":[2]}', '{1,NULL,3}', '{"a b","c,d","e\"f",NULL}', '{{1,2},{3,4}}', '[1,5)', '[2024-01-01 00:00+00,2024-02-01 00:00+00)', '[2024-01-01,2024-02-01)',
  'tug', '{tug,barge}', 'short', '(1,2)', '10.0.0.0/8', 'fat:2 cat:3', '10110'
), (2, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null, null);
analyze;
