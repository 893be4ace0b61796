import { sql } from 'kysely'
import { expect } from 'vitest'
import type { ScoreImport } from '#domain/scores/endpoints.ts'
import type { ScoreMapping } from '#domain/scores/mapping.ts'
import { asApplicant, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { csvOf } from '#server-test/factories/sheets/sheets.ts'
import type { TestApp } from '#server-test/test-app.ts'

let count = 0

/** An account with a profile and a registration. */
async function aRegistrationOf(
  t: TestApp,
  academic: AcademicFixture,
  {
    name,
    birthDate,
    status = 'paid',
    programme = 0,
  }: { name?: string; birthDate?: string; status?: string; programme?: 0 | 1 },
) {
  count += 1
  const { accountId } = await asApplicant(t)
  const { id: applicantId } = await t.db
    .insertInto('applicants')
    .values({ accountId, fullName: name ?? `Peserta ${count}`, birthDate: birthDate ?? null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const code = `N${String(count).padStart(6, '0')}`
  const { id } = await t.db
    .insertInto('registrations')
    .values({
      code,
      applicantId,
      accountId,
      waveId: academic.wave,
      trackId: academic.tracks.regular,
      entryLevelId: academic.entryLevel,
      classProgrammeId: academic.classProgramme,
      programmeId: academic.programmes[programme],
      status: status as never,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, code, accountId }
}

type Seat = { session: string; status?: 'held' | 'booked' | 'attended' | 'absent' }

/** A registration with a seat in a test session, or without one. */
export async function aParticipant(
  t: TestApp,
  academic: AcademicFixture,
  person: { name?: string; birthDate?: string; status?: string; seat?: Seat; programme?: 0 | 1 } = {},
) {
  const participant = await aRegistrationOf(t, academic, person)
  if (person.seat)
    await t.db
      .insertInto('testSeats')
      .values({
        testSessionId: person.seat.session,
        registrationId: participant.id,
        status: person.seat.status ?? 'attended',
        heldUntil: person.seat.status === 'held' ? t.clock.now() : null,
      })
      .execute()
  return participant
}

/** Registration codes of many people who attended a session. */
export async function manyParticipants({ owner }: TestApp, academic: AcademicFixture, session: string, count: number) {
  const { rows } = await sql<{ code: string }>`
    WITH accounts AS (
      INSERT INTO accounts (name, email, role_id)
      SELECT 'Peserta ' || n, 'peserta-' || n || '@example.com', r.id
      FROM generate_series(1, ${count}::int) n, roles r WHERE r.name = 'Mahasiswa' RETURNING id, name),
    applicants AS (
      INSERT INTO applicants (account_id, full_name) SELECT id, name FROM accounts RETURNING id, account_id),
    people AS (
      INSERT INTO registrations (code, applicant_id, account_id, wave_id, track_id, entry_level_id, class_programme_id,
        programme_id, status)
      SELECT 'M' || row_number() OVER (), id, account_id, ${academic.wave}, ${academic.tracks.regular},
        ${academic.entryLevel}, ${academic.classProgramme}, ${academic.programmes[0]}, 'paid'
      FROM applicants RETURNING id, code),
    seats AS (
      INSERT INTO test_seats (test_session_id, registration_id, status) SELECT ${session}, id, 'attended' FROM people)
    SELECT code FROM people`.execute(owner)
  return rows.map(({ code }) => code)
}

/** Uploads score files, checks and writes them, like office staff. */
export function scoreImports(t: TestApp, staff: TestActor, academic: AcademicFixture) {
  const mappingOf = (headers: readonly string[], testId: string): ScoreMapping =>
    headers.flatMap((header): ScoreMapping => {
      const kinds = {
        Kode: 'code',
        Nomor: 'number',
        Nama: 'name',
        Lahir: 'birthDate',
        Paket: 'package',
        Hadir: 'attendance',
      }
      const as = kinds[header as keyof typeof kinds] as 'code' | undefined
      if (as) return [{ header, as }]
      if (header === 'TPA') return [{ header, as: 'score', testId }]
      return ['benar', 'salah', 'bersama'].includes(header) ? [{ header, as: 'part', testId, part: header }] : []
    })

  type Options = { session?: string; profile?: string | null; name?: string }
  type Rows = readonly (readonly (string | number)[])[]

  async function uploadFile(bytes: Buffer, { session, name = 'nilai.csv' }: Options = {}) {
    const query = `waveId=${academic.wave}${session ? `&testSessionId=${session}` : ''}`
    const answer = await staff.upload(`/score-imports?${query}`, { name, type: 'text/csv', bytes })
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json().data as ScoreImport
  }
  const upload = (rows: Rows, options: Options = {}) => uploadFile(csvOf(rows), options)

  /** Sends a file whose first row has the headings, and checks it. */
  async function check(rows: Rows, options: Options = {}) {
    const { id } = await upload(rows, options)
    const mapping = mappingOf(rows[0]!.map(String), academic.test)
    const answer = await staff.post(`/score-imports/${id}/check`, { mapping, profile: options.profile ?? null })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data as ScoreImport
  }

  const run = ({ id, version }: ScoreImport, body: object = {}) =>
    staff.post(`/score-imports/${id}/run`, { version, ...body })

  async function write(rows: Rows, options: Options & { reason?: string } = {}) {
    const record = await check(rows, options)
    const answer = await run(record, options.reason ? { reason: options.reason } : {})
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data as ScoreImport
  }

  const problems = async ({ id }: ScoreImport, language = 'en') =>
    (await staff.get(`/score-imports/${id}/problems?per_page=200`, { 'accept-language': language })).json().data as {
      row: number
      letter: string
      value: string | null
      reason: string
    }[]

  const scores = async () => {
    const rows = await t.db
      .selectFrom('testScores as s')
      .innerJoin('registrations as r', 'r.id', 's.registrationId')
      .select(['r.code', 's.score'])
      .orderBy('r.code')
      .execute()
    return Object.fromEntries(rows.map(({ code, score }) => [code, score]))
  }

  const versions = async (registrationId: string) =>
    (
      await t.db
        .selectFrom('testScoreVersions')
        .select('score')
        .where('registrationId', '=', registrationId)
        .orderBy('version')
        .execute()
    ).map(({ score }) => score)

  return {
    uploadFile,
    upload,
    check,
    run,
    write,
    problems,
    scores,
    versions,
    undo: ({ id }: ScoreImport) => staff.delete(`/score-imports/${id}`),
  }
}
