import { sql } from 'kysely'
import type { ScanKind } from '#domain/door/attendance.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'

/** Append-only tables of scans, with their columns for the session and the person. */
const tables = {
  event: { name: 'eventScans', session: 'sessionId', person: 'visitorId' },
  test: { name: 'testScans', session: 'testSessionId', person: 'registrationId' },
} as const
export type DoorKind = keyof typeof tables

export type CountedScan = { id: string; kind: ScanKind; at: Date; deviceId: string; deviceName: string }

/** Scans that count in a session, earliest first, by person. */
export async function countedScans(
  db: Db,
  door: DoorKind,
  sessionId: string,
  personIds: readonly string[],
): Promise<Map<string, CountedScan[]>> {
  const { name, session, person } = tables[door]
  const { rows } = await sql<CountedScan & { personId: string }>`
    SELECT id, ${sql.ref(person)} AS person_id, kind, at, device_id, device_name FROM ${sql.table(name)}
    WHERE ${sql.ref(session)} = ${sessionId} AND ${sql.ref(person)} = ANY(${personIds}::uuid[])
      AND outcome IN ('recorded', 'repeated')
    ORDER BY at, id`.execute(db)
  return Map.groupBy(rows, ({ personId }) => personId)
}

/** Stores scans with the columns of their table. An unknown code sent twice at once is stored once. */
export const storeScans = (tx: Tx, door: DoorKind, scans: readonly Record<string, unknown>[]) =>
  tx
    .insertInto(tables[door].name)
    // as never: each of the two tables has columns of its own, which its door gives.
    .values(scans as never)
    .onConflict((same) => same.column('id').doNothing())
    .execute()

type StoredScan = { id: string; sessionId: string; personId: string | null; outcome: string }

/** Scans with these ids, recorded in any session. */
export async function findScans(db: Db, door: DoorKind, ids: readonly string[]) {
  const { name, session, person } = tables[door]
  const { rows } = await sql<StoredScan>`
    SELECT id, ${sql.ref(session)} AS session_id, ${sql.ref(person)} AS person_id, outcome FROM ${sql.table(name)}
    WHERE id = ANY(${ids}::uuid[])`.execute(db)
  return rows
}
