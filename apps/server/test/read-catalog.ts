import type pg from 'pg'

/** Definitions by name, by kind of object. */
export type Catalog = Record<string, Record<string, string>>

/** Source of a function without comments and white space. */
const plainSource = `btrim(regexp_replace(regexp_replace(p.prosrc, '--[^\\n]*', '', 'g'), '\\s+', ' ', 'g'))`

const inPublic = `n.nspname = 'public'`

/** Leaves out what an extension made: its version says the same. */
const ofNoExtension = (classId: string, oid: string) =>
  `NOT EXISTS (SELECT FROM pg_depend x WHERE x.classid = '${classId}'::regclass AND x.objid = ${oid} AND x.deptype = 'e')`

/** Each query answers `name` and `definition`. */
const queries: Record<string, string> = {
  schemas: `SELECT nspname AS name, pg_get_userbyid(nspowner) || coalesce(nspacl::text, '') AS definition FROM pg_namespace
    WHERE nspname !~ '^pg_'`,
  extensions: 'SELECT extname AS name, extversion AS definition FROM pg_extension',
  relations: `SELECT c.relname AS name, concat_ws(' ', c.relkind, c.relpersistence, c.reloptions::text, c.relrowsecurity,
      c.relforcerowsecurity, c.relreplident, c.relispartition, am.amname, pg_get_userbyid(c.relowner), c.relacl::text) AS definition
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace LEFT JOIN pg_am am ON am.oid = c.relam
    WHERE ${inPublic} AND ${ofNoExtension('pg_class', 'c.oid')}`,
  columns: `SELECT c.relname || '.' || a.attname AS name, concat_ws(' ', row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum),
      format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN 'NOT NULL' END, a.attidentity, a.attgenerated,
      pg_get_expr(d.adbin, d.adrelid), l.collname, a.attstorage, a.attcompression, a.attstattarget, a.attoptions::text,
      a.attacl::text) AS definition
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum LEFT JOIN pg_collation l ON l.oid = a.attcollation
    WHERE ${inPublic} AND a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c')
      AND ${ofNoExtension('pg_class', 'c.oid')}`,
  constraints: `SELECT k.conrelid::regclass || '.' || k.conname AS name, concat_ws(' ', replace(pg_get_constraintdef(k.oid), ' NOT VALID', ''),
      k.condeferrable, k.condeferred, k.conislocal, k.connoinherit) AS definition
    FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace WHERE ${inPublic} AND k.contype <> 'n'`,
  indexes: `SELECT i.indexrelid::regclass::text AS name, concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid, i.indisready,
      i.indisclustered, i.indisreplident, i.indimmediate) AS definition
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${inPublic}`,
  triggers: `SELECT t.tgrelid::regclass || '.' || t.tgname AS name, concat_ws(' ', pg_get_triggerdef(t.oid), t.tgenabled, t.tgdeferrable,
      t.tginitdeferred) AS definition
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inPublic} AND NOT t.tgisinternal`,
  functions: `SELECT p.oid::regprocedure::text AS name, concat_ws(' ', pg_get_function_arguments(p.oid),
      pg_get_function_result(p.oid), l.lanname, p.prokind, p.provolatile, p.proisstrict, p.prosecdef, p.proleakproof,
      p.proparallel, p.procost, p.prorows, p.proconfig::text, pg_get_userbyid(p.proowner), p.proacl::text, ${plainSource}) AS definition
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace JOIN pg_language l ON l.oid = p.prolang
    WHERE ${inPublic} AND ${ofNoExtension('pg_proc', 'p.oid')}`,
  views: `SELECT c.relname AS name, pg_get_viewdef(c.oid) AS definition FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inPublic} AND c.relkind IN ('v', 'm') AND ${ofNoExtension('pg_class', 'c.oid')}`,
  rules: `SELECT r.ev_class::regclass || '.' || r.rulename AS name, pg_get_ruledef(r.oid) AS definition FROM pg_rewrite r
      JOIN pg_class c ON c.oid = r.ev_class JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${inPublic} AND ${ofNoExtension('pg_class', 'c.oid')}`,
  policies: 'SELECT polrelid::regclass || polname AS name, polcmd::text AS definition FROM pg_policy',
  types: `SELECT t.typname AS name, concat_ws(' ', t.typtype, t.typcategory, t.typnotnull, t.typdefault, t.typacl::text) AS definition
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE ${inPublic} AND ${ofNoExtension('pg_type', 't.oid')}`,
  sequences: `SELECT s.sequencename AS name, concat_ws(' ', s.data_type, s.start_value, s.min_value, s.max_value, s.increment_by,
      s.cycle, s.cache_size, s.last_value, (SELECT d.refobjid::regclass || '.' || a.attname FROM pg_depend d
        JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid WHERE d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass AND d.deptype = 'i')) AS definition
    FROM pg_sequences s WHERE s.schemaname = 'public'`,
  comments: `SELECT pg_describe_object(classoid, objoid, objsubid) AS name, description AS definition FROM pg_description
    WHERE classoid IN ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_constraint'::regclass, 'pg_trigger'::regclass)
      AND (pg_identify_object(classoid, objoid, objsubid)).schema = 'public'`,
  statistics: `SELECT stxname AS name, pg_get_statisticsobjdef(oid) AS definition FROM pg_statistic_ext`,
  publications: 'SELECT pubname AS name, puballtables::text AS definition FROM pg_publication',
  eventTriggers: 'SELECT evtname AS name, evtevent::text AS definition FROM pg_event_trigger',
  defaultRights: `SELECT concat_ws(' ', pg_get_userbyid(defaclrole), defaclnamespace::regnamespace, defaclobjtype) AS name,
      defaclacl::text AS definition FROM pg_default_acl`,
}

/**
 * Reads the schema `public` from PostgreSQL's catalogue, to compare two databases. Left out: names of NOT NULL constraints,
 * which only PostgreSQL 18 has and which a renamed column keeps, and whether a CHECK was validated when it was added.
 */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const catalog: Catalog = {}
  for (const [kind, query] of Object.entries(queries)) {
    const { rows } = await client.query<{ name: string; definition: string }>(query)
    catalog[kind] = Object.fromEntries(rows.map(({ name, definition }) => [name, definition]))
  }
  return catalog
}

/** Rows of every table as JSON, without ids and times, which each database makes for itself. */
export async function readRows(client: pg.Client): Promise<Record<string, string[]>> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'schema_migrations'",
  )
  const rowsByTable: Record<string, string[]> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ row: string }>(
      `SELECT (to_jsonb(t) - ARRAY['id', 'created_at', 'updated_at'])::text AS row FROM public.${name} t ORDER BY 1`,
    )
    rowsByTable[name] = rows.map(({ row }) => row)
  }
  return rowsByTable
}
