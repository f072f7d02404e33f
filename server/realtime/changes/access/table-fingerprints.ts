// Fingerprints of tables: columns, key, rights and policies. Postgres announces a table again before its next change whenever anything
// about it may have changed, and before the first change that a connection reads; mostly nothing has. A fingerprint that is the same
// saves asking the policies anew.

import { roomRoles } from '../../../database/room-roles.ts';
import { sql, statement } from '../../../database/sql.ts';
import type { Database } from '../../../database/types.ts';

export class TableFingerprints {
  readonly #database: Database;
  /** As of a moment before anything else was read that is kept. */
  readonly #fingerprints = new Map<number, string>();
  readonly #unchecked = new Set<number>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** What is read from here on is compared with what is there now. */
  async begin(): Promise<void> {
    for (const { relation, fingerprint } of await this.#read(null)) this.#fingerprints.set(relation, fingerprint);
  }

  recheck(relation: number): void {
    this.#unchecked.add(relation);
  }

  get arePending(): boolean {
    return this.#unchecked.size > 0;
  }

  /** Tables that have changed, or that cannot be read. */
  async findChanged(): Promise<readonly number[]> {
    const relations = [...this.#unchecked];
    this.#unchecked.clear();
    const now = new Map(
      (await this.#read(relations).catch(() => [])).map(({ relation, fingerprint }) => [relation, fingerprint]),
    );
    const changed = relations.filter((relation) => {
      const fingerprint = now.get(relation);
      return fingerprint === undefined || this.#fingerprints.get(relation) !== fingerprint;
    });
    for (const [relation, fingerprint] of now) this.#fingerprints.set(relation, fingerprint);
    return changed;
  }

  #read(relations: readonly number[] | null): Promise<{ relation: number; fingerprint: string }[]> {
    const some = JSON.stringify(relations);
    return this.#database.objectsAs(
      roomRoles.realtime,
      statement(sql`
        select c.oid::int8 as relation, md5(jsonb_build_array(
          n.nspname, c.relname, c.relowner::text, c.relacl::text, c.relrowsecurity, c.relforcerowsecurity, c.relreplident,
          (select jsonb_agg(jsonb_build_array(a.attname, a.atttypid::text, a.attacl::text) order by a.attnum)
            from pg_catalog.pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped),
          (select jsonb_agg(i.indkey::text order by i.indexrelid) from pg_catalog.pg_index i
            where i.indrelid = c.oid and (i.indexrelid = data_door.key_index(c.oid) or i.indisreplident)),
          (select jsonb_agg(jsonb_build_array(p.polname, p.polcmd, p.polpermissive, p.polroles::text,
              pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid)) order by p.oid)
            from pg_catalog.pg_policy p where p.polrelid = c.oid)
        )::text) as fingerprint
        from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where case when ${some} = 'null' then c.relkind in ('r', 'p') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')
          else c.oid in (select value::int8::oid from jsonb_array_elements_text(${some}::jsonb)) end`),
      { readOnly: true, settings: [['search_path', '']] },
    );
  }
}
