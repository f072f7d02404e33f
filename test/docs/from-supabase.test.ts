// The guide for moving over from Supabase, done as it says: a project's migrations as Supabase writes them, its accounts
// with their passwords, its rows; and then the client, which finds everything.

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { inside } from '../browser/words.ts';
import { bin, havePostgres, type OwnPostgres, startOwnPostgres } from '../database/debian.ts';
import { guideBlock } from '../helpers/guide-block.ts';
import { runKanbase, scratch, startKanbase } from '../helpers/kanbase.ts';

const place = scratch('from-supabase');
const migrations = join(place.path, 'migrations');
let server: OwnPostgres;

beforeAll(async () => {
  expect(havePostgres).toBe(true);
  server = await startOwnPostgres();
  psql(server.adminUrl, "create role kanbase login createrole password 'secret'; create database theirs;");
  psql(server.adminUrl, 'create database kanbase owner kanbase');
  mkdirSync(migrations);
});
afterAll(async () => {
  await server.remove();
  place.remove();
});

function run(script: string, env: Record<string, string>): void {
  const done = spawnSync('sh', ['-e', '-c', script], {
    cwd: place.path,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, ...env },
  });
  expect(done.status, done.stderr).toBe(0);
}

function psql(url: string, sql: string): void {
  writeFileSync(join(place.path, 'script.sql'), sql);
  run('psql -X -q -v ON_ERROR_STOP=1 -d "$URL" -f script.sql', { URL: url });
}

/** As `supabase db pull` writes it, with what the hosted platform adds. */
const pulled = `
SET statement_timeout = 0;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
CREATE EXTENSION IF NOT EXISTS "pgsodium" WITH SCHEMA "pgsodium";
CREATE EXTENSION IF NOT EXISTS "pg_stat_statements" WITH SCHEMA "extensions";
CREATE EXTENSION IF NOT EXISTS "pgcrypto" WITH SCHEMA "extensions";
CREATE TABLE IF NOT EXISTS "public"."books" (
    "id" "uuid" DEFAULT "extensions"."uuid_generate_v4"() NOT NULL,
    "owner" "uuid" NOT NULL,
    "title" "text"
);
ALTER TABLE "public"."books" OWNER TO "postgres";
ALTER TABLE ONLY "public"."books" ADD CONSTRAINT "books_pkey" PRIMARY KEY ("id");
ALTER TABLE ONLY "public"."books" ADD CONSTRAINT "books_owner_fkey" FOREIGN KEY ("owner") REFERENCES "auth"."users"("id") ON DELETE CASCADE;
CREATE POLICY "Own books." ON "public"."books" USING (("auth"."uid"() = "owner"));
ALTER TABLE "public"."books" ENABLE ROW LEVEL SECURITY;
GRANT ALL ON TABLE "public"."books" TO "supabase_admin";
ALTER DEFAULT PRIVILEGES FOR ROLE "postgres" IN SCHEMA "public" GRANT ALL ON TABLES TO "anon";
RESET ALL;
`;

/** By hand, as tutorials have it: no grants, and functions of extensions without a prefix. */
const written = `
begin;
create extension pg_cron;
create table shelves (id uuid default uuid_generate_v4() primary key, owner uuid references auth.users not null default auth.uid(), secret text default encode(digest('x', 'sha256'), 'hex'));
alter table shelves enable row level security;
create policy "Own shelves" on shelves for all using (auth.uid() = owner);
create function count_shelves() returns bigint language sql as $$ select count(*) from shelves $$;
commit;
`;

/** The publication made anew, as examples have it: whatever was in it before is not any more. */
const published = `
drop publication if exists supabase_realtime;
create publication supabase_realtime;
alter publication supabase_realtime add table shelves;
`;

/** Rules for files: a bucket, and policies of one's own on its objects. */
const rulesForFiles = `
insert into storage.buckets (id, name, public, avif_autodetection, owner_id) values ('covers', 'covers', false, false, null) on conflict (id) do nothing;
create policy "Covers are for their owner" on storage.objects for all to authenticated
  using (bucket_id = 'covers' and (select auth.uid())::text = (storage.foldername(name))[1])
  with check (bucket_id = 'covers' and (select auth.uid())::text = (storage.foldername(name))[1]);
`;

test('schema, accounts and rows move, and the client finds them', async () => {
  const ada = '0190b0c8-0000-4000-8000-00000000000a';
  const theirs = server.adminUrl.replace('/postgres?', '/theirs?');
  const { hashSync } = await import('@node-rs/bcrypt');
  const stored = hashSync('a good long password', 10);
  // What these commands read of theirs.
  psql(
    theirs,
    `create schema auth;
     create table auth.users (instance_id uuid, id uuid primary key, email varchar(255), encrypted_password varchar(255), email_confirmed_at timestamptz, raw_app_meta_data jsonb, raw_user_meta_data jsonb, last_sign_in_at timestamptz, created_at timestamptz, updated_at timestamptz, deleted_at timestamptz);
     create table auth.identities (provider_id text, user_id uuid, identity_data jsonb, provider text, last_sign_in_at timestamptz, created_at timestamptz, updated_at timestamptz, id uuid);
     insert into auth.users values (null, '${ada}', 'ada@example.test', '${stored}', now(), '{"provider":"email","providers":["email"]}', '{"name":"Ada"}', now(), now(), now(), null),
       (null, gen_random_uuid(), 'gone@example.test', '', now(), null, null, null, now(), null, now());
     insert into auth.identities select id::text, id, jsonb_build_object('sub', id, 'email', email), 'email', now(), now(), now(), gen_random_uuid() from auth.users;
     create table public.books (id uuid primary key, owner uuid, title text);
     insert into public.books values (gen_random_uuid(), '${ada}', 'Notes on the Analytical Engine');`,
  );

  const block = guideBlock('run/from-supabase', 'sql', '0000_from_supabase.sql');
  writeFileSync(join(migrations, '0000_from_supabase.sql'), block);
  writeFileSync(join(migrations, '20240101000000_remote_schema.sql'), pulled);
  writeFileSync(join(migrations, '20240102000000_shelves.sql'), written);
  writeFileSync(join(migrations, '20240103000000_covers.sql'), rulesForFiles);
  writeFileSync(join(migrations, '20240104000000_realtime.sql'), published);
  run(guideBlock('run/from-supabase', 'sh', 'OWNER TO'), { MIGRATIONS_DIR: migrations });

  const url = server.url('kanbase', 'secret', 'kanbase');
  const env = { DATABASE_URL: url, MIGRATIONS_DIR: migrations, DATA_DIR: join(place.path, 'data') };
  const migrated = await runKanbase(['migrate'], { env });
  expect(migrated.stderr).toBe('');
  expect(migrated.stdout).toContain('applied  20240102000000_shelves.sql');
  const unheard = async () =>
    new RegExp(inside('health.realtime.unpublished')).exec((await runKanbase(['doctor'], { env })).stdout);
  expect((await unheard())?.[0]).toMatch(/\btasks\b/);
  psql(url, guideBlock('run/from-supabase', 'sql', 'publish_table'));
  expect(await unheard()).toBeNull();

  const both = { SUPABASE_DB_URL: theirs, KANBASE_DB_URL: url };
  run(guideBlock('run/from-supabase', 'sh', '# over there'), both);
  run(guideBlock('run/from-supabase', 'sh', '# here'), both);
  const asSuperuser = server.adminUrl.replace('/postgres?', '/kanbase?');
  run(guideBlock('run/from-supabase', 'sh', '--data-only'), { ...both, KANBASE_DB_URL: asSuperuser });

  const kanbase = await startKanbase([], { env });
  const open = (): SupabaseClient =>
    createClient(kanbase.url, kanbase.anonKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport: WebSocket as never },
    });
  const client = open();
  const signedIn = await client.auth.signInWithPassword({
    email: 'ada@example.test',
    password: 'a good long password',
  });
  expect(signedIn.error).toBeNull();
  expect(signedIn.data.user).toMatchObject({ id: ada, user_metadata: { name: 'Ada' } });
  expect((await client.from('books').select('title')).data).toEqual([{ title: 'Notes on the Analytical Engine' }]);
  expect((await client.from('shelves').insert({})).error).toBeNull();
  expect((await client.rpc('count_shelves')).data).toBe(1);
  const covers = client.storage.from('covers');
  expect((await covers.upload(`${ada}/notes.txt`, 'a cover', { contentType: 'text/plain' })).error).toBeNull();
  expect(await (await covers.download(`${ada}/notes.txt`)).data?.text()).toBe('a cover');
  expect((await covers.upload('someone/notes.txt', 'a cover')).error).not.toBeNull();
  const nobody = open();
  expect((await nobody.from('shelves').select()).data).toEqual([]);
  expect((await nobody.auth.signInWithPassword({ email: 'gone@example.test', password: '' })).error).not.toBeNull();
  expect((await kanbase.stop()).code).toBe(0);
}, 120_000);
