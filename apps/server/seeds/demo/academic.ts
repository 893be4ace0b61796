import type { Insertable } from 'kysely'
import * as startingSet from '#server/modules/opening/starting-lists.ts'
import { startingNotice } from '#server/modules/opening/starting-rows.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { classProgrammes, demoId, faculties, programmes, tracks, university, wavesAround } from './university.ts'

/** Rupiah per fee component; null is the programme's semester fee. */
const componentAmounts: Readonly<Record<string, number | null>> = {
  HEREG: 500_000,
  SPP: null,
  DPP: 7_500_000,
  ALMAMATER: 300_000,
}
const components = startingSet.feeComponents
  .filter(({ code }) => code in componentAmounts)
  .map((component) => ({ ...component, amount: componentAmounts[component.code] ?? null }))

const { installmentPlans: plans, tests } = startingSet

type CodedTable =
  | 'faculties'
  | 'degreeLevels'
  | 'entryLevels'
  | 'classProgrammes'
  | 'studyProgrammes'
  | 'waves'
  | 'tracks'
  | 'feeComponents'
  | 'tests'
  | 'installmentPlans'

/** Columns that every such table has. */
type NamedRow = { code: string; name: string }
/** Columns of one table, without the id, which the seed derives from the code. */
type CodedRow<T extends CodedTable> = NamedRow & Omit<Insertable<Database[T]>, 'id'>

/** Inserts the rows whose code the table lacks; returns a lookup from code to id that throws for an unknown code. */
async function ensure<T extends CodedTable>(
  db: Db,
  table: T,
  rows: readonly CodedRow<T>[],
): Promise<(code: string) => string> {
  const namedRows: readonly NamedRow[] = rows
  await db
    .insertInto<CodedTable>(table)
    .values(namedRows.map((row) => ({ id: demoId(`${table}:${row.code}`), ...row })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const found = await db.selectFrom<CodedTable>(table).select(['id', 'code']).execute()
  const ids = new Map(found.map((row) => [row.code.toLowerCase(), row.id]))
  return (code) => {
    const id = ids.get(code.toLowerCase())
    if (!id) throw new Error(`The demo university has no ${table} ${code}`)
    return id
  }
}

/**
 * Seeds the demo university's faculties, programmes, tracks, waves around now, fees, tuition, plans and test sessions.
 */
export async function seedDemoAcademic(db: Db, now: Date): Promise<void> {
  await db
    .insertInto('settings')
    .values(
      Object.entries({ ...university, privacyNotice: startingNotice() }).map(([key, value]) => ({
        key,
        value: JSON.stringify(value),
      })),
    )
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()

  const facultyId = await ensure(db, 'faculties', faculties)
  const degreeId = await ensure(db, 'degreeLevels', startingSet.degreeLevels)
  const entryId = await ensure(
    db,
    'entryLevels',
    startingSet.entryLevels
      .filter(({ code }) => code === 'BARU')
      .map(({ degree, ...level }) => ({ ...level, degreeLevelId: degreeId(degree) })),
  )
  const classId = await ensure(db, 'classProgrammes', classProgrammes)
  const programmeId = await ensure(
    db,
    'studyProgrammes',
    programmes.map(({ code, name, nameEn, description, descriptionEn, faculty, degree }, index) => ({
      code,
      name,
      nameEn,
      description,
      descriptionEn,
      facultyId: facultyId(faculty),
      degreeLevelId: degreeId(degree),
      accreditation: index % 3 === 0 ? 'unggul' : 'baik_sekali',
      npmCode: String(index + 11),
    })),
  )
  const trackId = await ensure(db, 'tracks', tracks)
  const componentId = await ensure(
    db,
    'feeComponents',
    components.map(({ amount: _, ...component }) => component),
  )
  const testId = await ensure(db, 'tests', tests)
  const planId = await ensure(
    db,
    'installmentPlans',
    plans.map(({ code, name, nameEn }) => ({ code, name, nameEn })),
  )
  const waves = wavesAround(now)
  const waveId = await ensure(
    db,
    'waves',
    waves.map(({ fee: _, paymentDueAt: __, testOn: ___, ...wave }) => wave),
  )

  await db
    .insertInto('programmeDetails')
    .values(
      programmes.flatMap((programme) =>
        waves.flatMap((wave) =>
          classProgrammes.map((classProgramme, index) => ({
            id: demoId(`detail:${programme.code}:${wave.code}:${classProgramme.code}`),
            programmeId: programmeId(programme.code),
            waveId: waveId(wave.code),
            classProgrammeId: classId(classProgramme.code),
            entryLevelId: entryId('BARU'),
            capacity: index === 0 ? programme.capacity : Math.round(programme.capacity / 2),
            passingGrade: 55,
          })),
        ),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('tuitionFees')
    .values(
      programmes.flatMap((programme) =>
        waves.flatMap((wave) =>
          classProgrammes.flatMap((classProgramme) =>
            components.map((component) => ({
              id: demoId(`tuition:${programme.code}:${wave.code}:${classProgramme.code}:${component.code}`),
              programmeId: programmeId(programme.code),
              waveId: waveId(wave.code),
              classProgrammeId: classId(classProgramme.code),
              trackId: null,
              feeComponentId: componentId(component.code),
              amount: component.amount ?? programme.semesterFee,
              installmentsAllowed: component.code !== 'HEREG',
            })),
          ),
        ),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('trackDetails')
    .values(
      tracks.flatMap((track) =>
        waves.map(({ code, opensAt, closesAt, paymentDueAt, resultsAt, confirmationDueAt }) => ({
          id: demoId(`window:${track.code}:${code}`),
          trackId: trackId(track.code),
          waveId: waveId(code),
          entryLevelId: entryId('BARU'),
          opensAt,
          closesAt,
          paymentDueAt,
          resultsAt,
          confirmationDueAt,
        })),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('trackFiles')
    .values(
      tracks.flatMap((track) =>
        startingSet
          .filesOfTrack(track.code)
          .map(({ name, nameEn, required, mayDefer, stage = 'registration' }, sortOrder) => ({
            id: demoId(`file:${track.code}:${name}`),
            trackId: trackId(track.code),
            name,
            nameEn,
            stage,
            required,
            mayDefer,
            ...startingSet.fileLimits,
            sortOrder,
          })),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('registrationFees')
    .values(waves.map(({ code, fee }) => ({ id: demoId(`fee:${code}`), waveId: waveId(code), amount: fee })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('donations')
    .values(
      waves.map(({ code }) => ({
        id: demoId(`donation:${code}`),
        waveId: waveId(code),
        trackId: trackId('REG'),
        required: true,
        minimumAmount: 0,
        suggestedAmounts: [500_000, 1_000_000, 2_500_000],
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db
    .insertInto('installmentTerms')
    .values(
      plans.flatMap((plan) =>
        plan.terms.map((term, index) => ({
          id: demoId(`term:${plan.code}:${index}`),
          planId: planId(plan.code),
          sortOrder: index + 1,
          ...term,
        })),
      ),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await seedSessions(db, now, waveId, testId)
}

async function seedSessions(db: Db, now: Date, waveId: (code: string) => string, testId: (code: string) => string) {
  const sessions = wavesAround(now).flatMap((wave) =>
    [0, 1, 2].map((index) => ({
      id: demoId(`session:${wave.code}:${index}`),
      waveId: waveId(wave.code),
      name: `Sesi ${index + 1}`,
      date: new Date(wave.testOn.getTime() + index * 86_400_000).toISOString().slice(0, 10),
      startTime: index === 1 ? '13:00' : '08:00',
      endTime: index === 1 ? '15:30' : '10:30',
      mode: index === 2 ? ('online' as const) : ('onsite' as const),
      location: index === 2 ? 'https://tes.demo.test' : `Ruang Contoh ${index + 1}`,
      capacity: 120,
      bookingOpensAt: wave.opensAt,
      bookingClosesAt: new Date(wave.testOn.getTime() - 86_400_000),
    })),
  )
  const created = await db
    .insertInto('testSessions')
    .values(sessions)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'mode'])
    .execute()
  const withRooms = created.filter(({ mode }) => mode === 'onsite')
  if (withRooms.length > 0)
    await db
      .insertInto('testSessionRooms')
      .values(
        withRooms.flatMap(({ id }) =>
          [1, 2, 3].map((number) => ({
            testSessionId: id,
            name: `Laboratorium ${number}`,
            capacity: 40,
            seatRows: 5,
            seatColumns: 8,
            specialSeats: number === 1 ? [1, 2] : [],
            position: number,
          })),
        ),
      )
      .execute()
  await db
    .insertInto('testSessionTests')
    .values(sessions.flatMap(({ id }) => ['TPA', 'WWC'].map((code) => ({ testSessionId: id, testId: testId(code) }))))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
