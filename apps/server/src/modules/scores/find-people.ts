import { sql } from 'kysely'
import type { RegistrationStatus } from '#domain/admissions/registration-status.ts'
import type { SeatStatus } from '#domain/testing/seat-status.ts'
import type { Db } from '#server/platform/database/database.ts'
import { slicesOf } from '#server/platform/slices.ts'

/** What an import checks about a row's person. */
export type Person = {
  id: string
  code: string
  name: string
  waveId: string
  wave: string
  status: RegistrationStatus
  seatStatus: SeatStatus | null
  sessionId: string | null
  session: string | null
  /** Date as `2026-11-27`; start time as `13:00`. */
  sessionDate: string | null
  sessionTime: string | null
}

const columns = sql`r.id, r.code, a.full_name AS name, r.wave_id, w.name AS wave, r.status, s.status AS seat_status,
  s.test_session_id AS session_id, e.name AS session, e.date::text AS session_date,
  to_char(e.start_time, 'HH24:MI') AS session_time`
const joins = sql`JOIN applicants a ON a.id = r.applicant_id JOIN waves w ON w.id = r.wave_id
  LEFT JOIN test_seats s ON s.registration_id = r.id AND s.status <> 'released'
  LEFT JOIN test_sessions e ON e.id = s.test_session_id`

/** People read per statement; more would block other requests. */
const peopleAtOnce = 1_000

/** People by registration code, in upper case. */
export async function findByCode(db: Db, codes: readonly string[]): Promise<Map<string, Person>> {
  const people = new Map<string, Person>()
  for await (const slice of slicesOf([...new Set(codes.flatMap((code) => [code, code.toUpperCase()]))], peopleAtOnce)) {
    const { rows } = await sql<Person>`SELECT ${columns} FROM registrations r ${joins}
      WHERE r.code = ANY(${[...slice]}::text[])`.execute(db)
    for (const person of rows) people.set(person.code.toUpperCase(), person)
  }
  return people
}

export async function findById(db: Db, ids: readonly string[]): Promise<Map<string, Person>> {
  const { rows } = await sql<Person>`SELECT ${columns} FROM registrations r ${joins}
    WHERE r.id = ANY(${ids}::uuid[])`.execute(db)
  return new Map(rows.map((person) => [person.id, person]))
}

/** Registrations by the number another system used for them in this wave. */
export async function findByNumber(db: Db, system: { profileId: string; waveId: string }, numbers: readonly string[]) {
  const people = new Map<string, Person>()
  for await (const slice of slicesOf(numbers, peopleAtOnce)) {
    const { rows } = await sql<Person & { number: string }>`SELECT n.number, ${columns} FROM score_numbers n
      JOIN registrations r ON r.id = n.registration_id ${joins}
      WHERE n.profile_id = ${system.profileId} AND n.wave_id = ${system.waveId}
        AND n.number = ANY(${[...slice]}::text[])`.execute(db)
    for (const { number, ...person } of rows) people.set(number, person)
  }
  return people
}

export type UnknownPerson = { row: number; name: string; birthDate: string | null }

/** Most candidates per row. */
const maxCandidates = 5
/** Most rows with proposals; if more people are unknown, the mapping is wrong. */
const maxProposals = 1_000

/**
 * Registrations of the wave that a row may mean, most similar first: the same birth date with a similar name, or the
 * same name.
 */
export async function proposePeople(db: Db, waveId: string, unknown: readonly UnknownPerson[]) {
  const proposable = unknown.slice(0, maxProposals)
  const { rows } = await sql<{ row: number; id: string }>`
    WITH asked AS MATERIALIZED (
      SELECT x.row, lower(x.name) AS name, x.birth_date
      FROM unnest(${proposable.map(({ row }) => row)}::int[], ${proposable.map(({ name }) => name)}::text[],
        ${proposable.map(({ birthDate }) => birthDate)}::date[]) AS x (row, name, birth_date)),
    people AS MATERIALIZED (
      SELECT r.id, lower(a.full_name) AS name, a.birth_date FROM registrations r JOIN applicants a ON a.id = r.applicant_id
      WHERE r.wave_id = ${waveId} AND r.status NOT IN ('draft', 'withdrawn', 'cancelled', 'expired')),
    found AS (
      SELECT x.row, p.id, similarity(p.name, x.name) AS likeness FROM asked x
        JOIN people p ON p.birth_date = x.birth_date AND similarity(p.name, x.name) >= 0.3
      UNION SELECT x.row, p.id, 1 FROM asked x JOIN people p ON p.name = x.name)
    SELECT row, id FROM found GROUP BY row, id ORDER BY row, max(likeness) DESC, id`.execute(db)
  const byRow = Map.groupBy(rows, ({ row }) => row)
  return new Map([...byRow].map(([row, found]) => [row, found.slice(0, maxCandidates).map(({ id }) => id)]))
}
