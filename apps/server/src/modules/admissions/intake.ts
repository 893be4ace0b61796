import { sql } from 'kysely'
import type { DonationRule } from '#domain/admissions/facts.ts'
import { windowState } from '#domain/admissions/submission.ts'
import { donationRuleFor } from '#domain/fees/donation-rule.ts'
import { registrationFeeFor } from '#server/modules/payments/bills/prices/prices.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import { placesTaken } from './places.ts'

type TrackRow = {
  waveId: string
  id: string
  code: string
  name: string
  kind: string
  description: string | null
  hasTest: boolean
  freeOfFee: boolean
  maxChoices: number
  asksDonation: boolean
  entryLevelId: string
  entryLevelName: string
  opensAt: Date
  closesAt: Date
  paymentDueAt: Date | null
  resultsAt: Date | null
  confirmationDueAt: Date | null
}

type ProgrammeRow = {
  waveId: string
  classProgrammeId: string
  classCode: string
  className: string
  classDescription: string | null
  entryLevelId: string
  id: string
  code: string
  name: string
  nameEn: string | null
  facultyName: string
  degreeLevel: string
  accreditation: string | null
  capacity: number
  placesLeft: number
}

const windowsOf = async (db: Db, waveIds: readonly string[]) =>
  (
    await sql<TrackRow>`
      SELECT d.wave_id, t.id, t.code, t.name, t.kind, t.description, t.has_test, t.free_of_fee, t.max_choices,
        t.asks_donation, e.id AS entry_level_id, e.name AS entry_level_name, d.opens_at, d.closes_at, d.payment_due_at,
        coalesce(d.results_at, w.results_at) AS results_at,
        coalesce(d.confirmation_due_at, w.confirmation_due_at) AS confirmation_due_at
      FROM track_details d
      JOIN tracks t ON t.id = d.track_id AND t.active
      JOIN waves w ON w.id = d.wave_id
      JOIN entry_levels e ON e.id = d.entry_level_id AND e.active
      WHERE d.active AND d.wave_id = ANY(${[...waveIds]}::uuid[])
      ORDER BY t.name, t.id, e.name`.execute(db)
  ).rows

const programmesOf = async (db: Db, waveIds: readonly string[]) =>
  (
    await sql<ProgrammeRow>`
      SELECT d.wave_id, c.id AS class_programme_id, c.code AS class_code, c.name AS class_name,
        c.description AS class_description, d.entry_level_id, p.id, p.code, p.name, p.name_en,
        f.name AS faculty_name, l.code AS degree_level, p.accreditation, d.capacity,
        greatest(d.capacity - ${placesTaken(sql`d.programme_id`, sql`d`)}, 0) AS places_left
      FROM programme_details d
      JOIN study_programmes p ON p.id = d.programme_id AND p.active
      JOIN faculties f ON f.id = p.faculty_id
      JOIN degree_levels l ON l.id = p.degree_level_id
      JOIN class_programmes c ON c.id = d.class_programme_id AND c.active
      WHERE d.active AND d.open AND d.wave_id = ANY(${[...waveIds]}::uuid[])
      ORDER BY c.name, c.id, p.name, p.id`.execute(db)
  ).rows

const requirementsOf = (db: Db, trackIds: readonly string[]) =>
  trackIds.length === 0
    ? Promise.resolve([])
    : db
        .selectFrom('trackFiles')
        .select(['id', 'trackId', 'name', 'required', 'acceptedTypes', 'maxMb', 'mayDefer'])
        .where('trackId', 'in', [...trackIds])
        .where('stage', '=', 'registration')
        .where('active', '=', true)
        .orderBy('sortOrder')
        .orderBy('name')
        .execute()

const withoutTrack = <T extends { trackId: string }>({ trackId: _, ...rest }: T) => rest
const unique = <T>(values: readonly T[]) => [...new Set(values)]

const toWindow = (row: TrackRow, now: Date) => ({
  entryLevelId: row.entryLevelId,
  entryLevelName: row.entryLevelName,
  state: windowState(row, now),
  opensAt: row.opensAt,
  closesAt: row.closesAt,
  paymentDueAt: row.paymentDueAt,
  resultsAt: row.resultsAt,
  confirmationDueAt: row.confirmationDueAt,
})

const toProgramme = (row: ProgrammeRow) => ({
  id: row.id,
  code: row.code,
  name: row.name,
  nameEn: row.nameEn,
  facultyName: row.facultyName,
  degreeLevel: row.degreeLevel,
  accreditation: row.accreditation,
  entryLevelId: row.entryLevelId,
  capacity: row.capacity,
  placesLeft: row.placesLeft,
})

/** Active waves that are open or will open, with tracks, programmes, requirements and tests. */
export async function readIntake(db: Db, now: Date) {
  const waves = await db
    .selectFrom('waves')
    .select(['id', 'code', 'name', 'academicYear', 'opensAt', 'closesAt', 'resultsAt', 'confirmationDueAt'])
    .where('active', '=', true)
    .where('closesAt', '>', now)
    .orderBy('opensAt')
    .orderBy('code')
    .execute()
  const waveIds = waves.map((wave) => wave.id)
  const [windows, programmes] = await Promise.all([windowsOf(db, waveIds), programmesOf(db, waveIds)])
  const [requirements, tests] = await Promise.all([
    requirementsOf(db, unique(windows.map((row) => row.id))),
    testsOf(db, waveIds),
  ])
  return Promise.all(
    waves.map(async (wave) => {
      const windowsOfWave = windows.filter((row) => row.waveId === wave.id)
      const offered = programmes.filter((row) => row.waveId === wave.id)
      return {
        ...wave,
        state: windowState(wave, now),
        tracks: await Promise.all(
          unique(windowsOfWave.map((row) => row.id)).map(async (trackId) => {
            const rows = windowsOfWave.filter((row) => row.id === trackId)
            const states = rows.map((row) => windowState(row, now))
            const { id, code, name, kind, description, hasTest, freeOfFee, maxChoices, asksDonation } = rows[0]!
            const fees = freeOfFee ? [0] : await feesOf(db, wave.id, rows, offered)
            return {
              id,
              code,
              name,
              kind,
              description,
              hasTest,
              freeOfFee,
              maxChoices,
              asksDonation,
              state: (['open', 'upcoming'] as const).find((state) => states.includes(state)) ?? ('closed' as const),
              windows: rows.map((row) => toWindow(row, now)),
              fee: { minimum: Math.min(...fees), maximum: Math.max(...fees) },
              requirements: requirements.filter((row) => row.trackId === trackId).map(withoutTrack),
              tests: hasTest
                ? tests
                    .filter((test) => test.waveId === wave.id && (!test.trackId || test.trackId === trackId))
                    .map((test) => ({ id: test.id, name: test.name, kind: test.kind }))
                    .filter((test, index, all) => all.findIndex((other) => other.id === test.id) === index)
                : [],
            }
          }),
        ),
        classProgrammes: unique(offered.map((row) => row.classProgrammeId)).map((classId) => {
          const rows = offered.filter((row) => row.classProgrammeId === classId)
          const { classCode, className, classDescription } = rows[0]!
          return {
            id: classId,
            code: classCode,
            name: className,
            description: classDescription,
            programmes: rows.map(toProgramme),
          }
        }),
      }
    }),
  )
}

const feesOf = async (db: Db, waveId: string, windows: readonly TrackRow[], offered: readonly ProgrammeRow[]) => {
  const fees = await Promise.all(
    windows.flatMap(({ id: trackId, entryLevelId }) =>
      unique(offered.filter((row) => row.entryLevelId === entryLevelId).map((row) => row.classProgrammeId)).map(
        (classProgrammeId) => registrationFeeFor(db, { waveId, trackId, entryLevelId, classProgrammeId }),
      ),
    ),
  )
  return fees.length > 0 ? fees : [0]
}

const testsOf = async (db: Db, waveIds: readonly string[]) =>
  (
    await sql<{ waveId: string; trackId: string | null; id: string; name: string; kind: string }>`
      SELECT DISTINCT s.wave_id, s.track_id, x.id, x.name, x.kind
      FROM test_sessions s JOIN test_session_tests st ON st.test_session_id = s.id JOIN tests x ON x.id = st.test_id
      WHERE s.active AND x.active AND s.wave_id = ANY(${[...waveIds]}::uuid[]) ORDER BY x.name`.execute(db)
  ).rows

/** Options for a new registration's form; 404 for an unknown or inactive wave or track. */
export async function readIntakeOptions(db: Db, waveId: string, trackId: string, now: Date) {
  const wave = await db
    .selectFrom('waves')
    .select(['id', 'code', 'name', 'academicYear'])
    .where('id', '=', waveId)
    .where('active', '=', true)
    .executeTakeFirst()
  if (!wave) throw notFound('wave')
  const windows = (await windowsOf(db, [waveId])).filter((row) => row.id === trackId)
  const [first] = windows
  if (!first) throw notFound('track')
  const [programmes, requirements, donations] = await Promise.all([
    programmesOf(db, [waveId]),
    requirementsOf(db, [trackId]),
    db
      .selectFrom('donations')
      .select(['programmeId', 'trackId', 'required', 'minimumAmount', 'suggestedAmounts'])
      .where('waveId', '=', waveId)
      .where('active', '=', true)
      .where((eb) => eb.or([eb('trackId', 'is', null), eb('trackId', '=', trackId)]))
      .execute(),
  ])
  const { id, code, name, kind, description, hasTest, maxChoices, asksDonation } = first
  const donationFor = (programmeId: string): DonationRule | null => {
    if (!asksDonation) return null
    const rule = donationRuleFor(donations, { programmeId, trackId })
    if (!rule) return { required: false, minimumAmount: 0, suggestedAmounts: [] }
    return {
      required: rule.required,
      minimumAmount: rule.minimumAmount,
      suggestedAmounts: (rule.suggestedAmounts ?? []).map(Number),
    }
  }
  return {
    wave,
    track: { id, code, name, kind, description, hasTest, maxChoices, asksDonation },
    requirements: requirements.map(withoutTrack),
    entryLevels: await Promise.all(
      windows.map(async (window) => {
        const { entryLevelId, entryLevelName, ...dates } = toWindow(window, now)
        const offered = programmes.filter((row) => row.entryLevelId === entryLevelId)
        return {
          id: entryLevelId,
          name: entryLevelName,
          ...dates,
          classProgrammes: await Promise.all(
            unique(offered.map((row) => row.classProgrammeId)).map(async (classProgrammeId) => {
              const rows = offered.filter((row) => row.classProgrammeId === classProgrammeId)
              const { classCode, className, classDescription } = rows[0]!
              return {
                id: classProgrammeId,
                code: classCode,
                name: className,
                description: classDescription,
                fee: await registrationFeeFor(db, { waveId, trackId, entryLevelId, classProgrammeId }),
                programmes: rows.map((row) => ({ ...toProgramme(row), donation: donationFor(row.id) })),
              }
            }),
          ),
        }
      }),
    ),
  }
}
