import crypto from 'node:crypto'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'

export type Table = { name: string; columns: string[] }

/** Settings that make COPY write identical text on every server. */
export const textFormat = `SET LOCAL datestyle = 'ISO, YMD'; SET LOCAL intervalstyle = 'iso_8601'; SET LOCAL timezone = 'UTC';
  SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; SET LOCAL client_encoding = 'UTF8';
  SET LOCAL synchronize_seqscans = off`

/** Every table with its stored columns. Generated columns are left out; a restore computes them again. */
export async function tablesOf(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(`
    SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'schema_migrations'
    GROUP BY c.relname ORDER BY c.relname`)
  return rows
}

const quoteTable = ({ name, columns }: Table) =>
  `${pg.escapeIdentifier(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`

export const copyIn = (table: Table) => `COPY ${quoteTable(table)} FROM STDIN`

const copyOut = ({ name, columns }: Table) =>
  `COPY (SELECT ${columns.map(pg.escapeIdentifier).join(', ')} FROM ${pg.escapeIdentifier(name)}) TO STDOUT`

/** Passes a table to `take` in chunks; returns the row count and the hash of the text. */
export async function readOut(client: pg.Client, table: Table, take: (piece: Buffer) => Promise<void> | void) {
  const hash = crypto.createHash('sha256')
  const source = client.query(copyTo(copyOut(table)))
  await pipeline(
    source,
    new Writable({
      write(piece: Buffer, _encoding, done) {
        hash.update(piece)
        Promise.resolve(take(piece)).then(() => done(), done)
      },
    }),
  )
  return { rows: source.rowCount, sha256: hash.digest('hex') }
}
