import { type Insertable, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChecklistLine, checklistLineNames, checklistLines } from '#domain/opening/checklist.ts'
import type { Line } from '#domain/opening/endpoints.ts'
import type { Database } from '#server/platform/database/database.ts'
import { asStaff, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import {
  bankConnection,
  identity,
  newInstallation,
  openingOf,
  privacyNotice,
  setSettings,
} from '#server-test/factories/installation/installations.ts'
import { asProviderAdmin } from '#server-test/factories/providers.ts'
import type { TestApp } from '#server-test/test-app.ts'
import { enoughFor, gapsOf, type Situation } from './find-gaps.ts'

const dayMs = 86_400_000
const day = (days: number) => new Date(Date.now() + days * dayMs)

const insert = async <T extends keyof Database>(
  t: TestApp,
  table: T,
  values: Insertable<Database[T]>,
): Promise<string> => {
  // Kysely types no statement on a table chosen by a caller.
  const { id } = await t.db
    .insertInto(table as 'faculties')
    .values(values as Insertable<Database['faculties']>)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

type Coded = { [T in keyof Database]: Database[T] extends { id: unknown; code: unknown } ? T : never }[keyof Database]

const idOf = async (t: TestApp, table: Coded, code: string): Promise<string> =>
  (
    await t.db
      .selectFrom(table as 'faculties')
      .select('id')
      .where('code', '=', code)
      .executeTakeFirstOrThrow()
  ).id

const sentencesOf = ({ gaps }: Line) => gaps.map(({ code, params }) => [code, ...Object.values(params)].join(' '))

describe('the checklist', () => {
  let t: TestApp
  let admin: TestActor
  beforeAll(async () => {
    t = await newInstallation()
    admin = await asStaff(t)
  })
  afterAll(() => t.close())

  const lineOf = async (name: ChecklistLine) => (await openingOf(admin)).lines.find(({ line }) => line === name)!
  /** Expects these gaps before `add` runs, and none afterwards. */
  async function turnsDone(name: ChecklistLine, before: readonly string[], add: () => Promise<unknown>) {
    const line = await lineOf(name)
    expect(line.state).toBe(checklistLines[name] === 'must' ? 'missing' : 'advisable')
    expect(sentencesOf(line)).toEqual(before)
    expect(line.gapCount).toBe(before.length)
    await add()
    expect(await lineOf(name)).toMatchObject({ state: 'done', gaps: [], gapCount: 0 })
  }

  test('an empty installation lacks everything, and for four lines names what must come before', async () => {
    const opening = await openingOf(admin)
    expect(opening).toMatchObject({ open: false, opened: null, closed: null })
    expect(opening.lines.map(({ line }) => line)).toEqual(checklistLineNames)
    expect(opening.lines.filter(({ state }) => state === 'done')).toEqual([])
    // Without a track or wave there is nothing to price or test, and no document to ask for.
    const later = opening.lines.filter(({ gaps }) => gaps.some(({ code }) => code.startsWith('after_')))
    expect(later.map(({ line, gaps }) => [line, ...gaps.map(({ code }) => code)])).toEqual([
      ['files', 'after_tracks'],
      ['fees', 'after_waves'],
      ['tuition', 'after_waves'],
      ['tests', 'after_waves'],
    ])
  })

  test('identity: every example value is replaced', () =>
    turnsDone(
      'identity',
      ['name', 'short_name', 'address', 'phone', 'email', 'website'].map((field) => `university_${field}`),
      () => setSettings(t, identity),
    ))

  test('look: a logo and a custom colour', () =>
    turnsDone('look', ['logo', 'colour'], async () => {
      const file = { purpose: 'logo', name: 'logo.png', mime: 'image/png', bytes: 1, sha256: Buffer.alloc(32) }
      const logoFileId = await insert(t, 'files', { ...file, storageKey: 'logo' })
      await setSettings(t, { logoFileId, primaryColour: '#8A1538' })
    }))

  test('privacy: a notice in both languages', () =>
    turnsDone('privacy', ['notice_id', 'notice_en'], () => setSettings(t, { privacyNotice })))

  test('letters: a signatory', () =>
    turnsDone('letters', ['signatory'], () => setSettings(t, { signatoryName: 'Dr. Andi Rahma' })))

  test('people: staff for admissions and for finance, once they have a password', async () => {
    await asStaff(t, 'Panitia PMB')
    const finance = await asStaff(t, 'Keuangan')
    await t.db.updateTable('accounts').set({ passwordHash: null }).where('id', '=', finance.accountId).execute()
    await turnsDone('people', ['second_administrator', 'finance_staff'], () =>
      t.db.updateTable('accounts').set({ passwordHash: 'set' }).where('id', '=', finance.accountId).execute(),
    )
  })

  test('people: a second administrator is enough', async () => {
    await t.db.updateTable('accounts').set({ active: false }).where('id', '<>', admin.accountId).execute()
    await turnsDone('people', ['second_administrator', 'admissions_staff', 'finance_staff'], () => asStaff(t))
  })

  test('programmes: a faculty, a study programme and an entry level', () =>
    turnsDone('programmes', ['faculty', 'programme', 'entry_level'], async () => {
      const degreeLevelId = await idOf(t, 'degreeLevels', 'S1')
      const facultyId = await insert(t, 'faculties', { code: 'FT', name: 'Fakultas Teknik' })
      await insert(t, 'studyProgrammes', { code: 'TS', name: 'Teknik Sipil', facultyId, degreeLevelId, npmCode: '22' })
      await insert(t, 'entryLevels', { code: 'BARU', name: 'Mahasiswa baru', degreeLevelId })
    }))

  test('tracks: an active track', () =>
    turnsDone('tracks', ['track'], () => insert(t, 'tracks', { code: 'REG', name: 'Reguler' })))

  test('files: a track that asks for a document', async () => {
    const trackId = await idOf(t, 'tracks', 'REG')
    expect((await lineOf('files')).gaps[0]!.to).toBe(`/master/jalur/view/${trackId}?tab=jalur-file`)
    await turnsDone('files', ['track_files Reguler'], () =>
      insert(t, 'trackFiles', { trackId, name: 'Ijazah', acceptedTypes: ['pdf'] }),
    )
  })

  const addWave = () =>
    insert(t, 'waves', {
      ...{ code: 'G1', academicYear: '2026/2027', name: 'Gelombang 1', semesterCode: '20261' },
      ...{ opensAt: day(-1), closesAt: day(30) },
    })
  const window = async (entryLevel: string) => ({
    trackId: await idOf(t, 'tracks', 'REG'),
    waveId: await idOf(t, 'waves', 'G1'),
    entryLevelId: await idOf(t, 'entryLevels', entryLevel),
    ...{ opensAt: day(-1), closesAt: day(30) },
  })
  const offer = async (entryLevel: string) => ({
    programmeId: await idOf(t, 'studyProgrammes', 'TS'),
    waveId: await idOf(t, 'waves', 'G1'),
    classProgrammeId: await idOf(t, 'classProgrammes', 'PAGI'),
    entryLevelId: await idOf(t, 'entryLevels', entryLevel),
    capacity: 40,
  })

  test('waves: a wave with a track that has dates and a programme with capacity', async () => {
    expect(sentencesOf(await lineOf('waves'))).toEqual(['wave'])
    await addWave()
    expect(sentencesOf(await lineOf('waves'))).toEqual([
      'wave_windows Gelombang 1 2026/2027',
      'wave_programmes Gelombang 1 2026/2027',
    ])
    await insert(t, 'trackDetails', await window('BARU'))
    await turnsDone('waves', ['wave_programmes Gelombang 1 2026/2027'], async () =>
      insert(t, 'programmeDetails', await offer('BARU')),
    )
  })

  test('waves: a level with dates needs capacity, and a level with capacity needs dates', async () => {
    const degreeLevelId = await idOf(t, 'degreeLevels', 'S2')
    await insert(t, 'entryLevels', { code: 'MAGISTER', name: 'Magister', degreeLevelId })
    const detail = await insert(t, 'programmeDetails', await offer('MAGISTER'))
    await turnsDone('waves', ['programme_window Gelombang 1 2026/2027 Teknik Sipil Magister'], async () =>
      insert(t, 'trackDetails', await window('MAGISTER')),
    )
    await t.db.updateTable('programmeDetails').set({ open: false }).where('id', '=', detail).execute()
    await turnsDone('waves', ['window_programmes Gelombang 1 2026/2027 Reguler Magister'], () =>
      t.db.updateTable('programmeDetails').set({ open: true }).where('id', '=', detail).execute(),
    )
  })

  test('waves: one complete wave is enough; an incomplete second one is only advice', async () => {
    const { id: first } = await t.db.selectFrom('waves').select('id').executeTakeFirstOrThrow()
    const second = await insert(t, 'waves', {
      ...{ code: 'W2', academicYear: '2026/2027', name: 'Gelombang 2', semesterCode: '20261' },
      ...{ opensAt: day(40), closesAt: day(80) },
    })
    expect(await lineOf('waves')).toMatchObject({ state: 'advisable', gapCount: 2 })
    await t.db.updateTable('waves').set({ active: false }).where('id', '=', first).execute()
    expect((await lineOf('waves')).state).toBe('missing')
    await t.db.updateTable('waves').set({ active: true }).where('id', '=', first).execute()
    await t.db.deleteFrom('waves').where('id', '=', second).execute()
    expect((await lineOf('waves')).state).toBe('done')
  })

  test('fees: an amount for each track; a row for the whole wave counts', async () => {
    await t.db.updateTable('tracks').set({ freeOfFee: true }).execute()
    expect((await lineOf('fees')).state, 'a track free of fee needs none').toBe('done')
    await t.db.updateTable('tracks').set({ freeOfFee: false }).execute()
    await turnsDone('fees', ['registration_fee Gelombang 1 2026/2027 Reguler'], async () =>
      insert(t, 'registrationFees', { waveId: await idOf(t, 'waves', 'G1'), amount: 0 }),
    )
  })

  const addTuition = async (trackId: string | null) => {
    const { programmeId, waveId, classProgrammeId } = await offer('BARU')
    const feeComponentId = await idOf(t, 'feeComponents', 'SPP')
    await insert(t, 'tuitionFees', {
      programmeId,
      waveId,
      classProgrammeId,
      feeComponentId,
      trackId,
      amount: 5_000_000,
    })
  }

  test('tuition: named by wave, programme and class, with a link to the grid of that wave', async () => {
    const { programmeId, waveId } = await offer('BARU')
    expect((await lineOf('tuition')).gaps[0]!.to).toBe(
      `/master/prodi/view/${programmeId}?tab=uang-kuliah&wave=${waveId}`,
    )
    await turnsDone('tuition', ['tuition Gelombang 1 2026/2027 Teknik Sipil Kelas Pagi'], () => addTuition(null))
  })

  test('tuition: an amount for one track leaves another track without one', async () => {
    await t.db.deleteFrom('tuitionFees').execute()
    const trackId = await insert(t, 'tracks', { code: 'PRES', name: 'Prestasi', hasTest: false })
    await insert(t, 'trackFiles', { trackId, name: 'Ijazah', acceptedTypes: ['pdf'] })
    await insert(t, 'trackDetails', { ...(await window('BARU')), trackId })
    await addTuition(await idOf(t, 'tracks', 'REG'))
    await turnsDone('tuition', ['tuition_of_track Gelombang 1 2026/2027 Teknik Sipil Kelas Pagi Prestasi'], () =>
      addTuition(trackId),
    )
  })

  test('plans: one plan whose shares add up, and no plan whose shares do not', async () => {
    const planId = await insert(t, 'installmentPlans', { code: 'DUA', name: 'Dua kali' })
    await insert(t, 'installmentTerms', { planId, sortOrder: 1, shareBps: 5_000, dueDays: 7 })
    await turnsDone('plans', ['plan', 'plan_terms Dua kali'], () =>
      insert(t, 'installmentTerms', { planId, sortOrder: 2, shareBps: 5_000, dueDays: 60 }),
    )
  })

  test('tests: an upcoming session for a track with a test', async () => {
    const session = {
      ...{ waveId: await idOf(t, 'waves', 'G1'), name: 'Sesi 1', startTime: '08:00', endTime: '10:00' },
      ...{ location: 'Ruang 1', capacity: 20 },
    }
    const testId = await insert(t, 'tests', { code: 'TPA', name: 'TPA' })
    const addSession = async (days: number) => {
      const testSessionId = await insert(t, 'testSessions', { ...session, date: day(days).toISOString().slice(0, 10) })
      await t.db.insertInto('testSessionTests').values({ testSessionId, testId }).execute()
    }
    await addSession(-3)
    await turnsDone('tests', ['test_session Gelombang 1 2026/2027 Reguler'], () => addSession(10))
  })

  test('bank: a bank that is active and approved', async () => {
    expect(sentencesOf(await lineOf('bank'))).toEqual(['bank'])
    const provider = await asProviderAdmin(t)
    const request = await provider.post('/settings/providers', bankConnection)
    expect(request.statusCode, request.body).toBe(200)
    await turnsDone('bank', ['bank_approval'], () => approvedByAnother(t, request.json().data.approvalId))
  })

  test("bank: only a gateway's trial environment is a hint, and does not keep registration closed", () => {
    const situation = { bank: 'trial' } as Situation
    expect(gapsOf.bank(situation).map(({ code }) => code)).toEqual(['bank_trial'])
    expect(enoughFor.bank!(situation)).toBe(true)
  })

  test('mail: a mail server and a sender', () =>
    turnsDone('mail', ['smtp', 'mail_from'], async () => {
      t.services.config.mail = { smtpUrl: 'smtp://mail.usr.example', from: 'PMB <pmb@usr.example>' }
    }))

  test('address: https', () =>
    turnsDone('address', ['public_url http://localhost:3000'], async () => {
      t.services.config.publicUrl = 'https://pmb.usr.test'
    }))

  test('whatsapp: a working default connection', () =>
    turnsDone('whatsapp', ['whatsapp'], async () => {
      await t.db.updateTable('whatsappConnections').set({ isDefault: false }).execute()
      await insert(t, 'whatsappConnections', { name: 'Telepon', kind: 'device', isDefault: true })
    }))

  test('a complete installation is done on every line', async () => {
    expect((await openingOf(admin)).lines.filter(({ state }) => state !== 'done')).toEqual([])
  })

  test('an ended wave and inactive rows count for nothing', async () => {
    await t.db
      .updateTable('waves')
      .set({ opensAt: day(-60), closesAt: day(-1) })
      .execute()
    expect(sentencesOf(await lineOf('waves'))).toEqual(['wave'])
  })
})

describe('the checklist is cheap', () => {
  test('the number of statements is the same for one wave and for forty', async () => {
    const t = await newInstallation()
    const admin = await asStaff(t)
    const { wave } = await academicFixture(t.db)
    const countOf = async () => {
      let statements = 0
      const log = t.services.db.getExecutor()
      const original = log.executeQuery.bind(log)
      log.executeQuery = ((...query: Parameters<typeof original>) => {
        statements++
        return original(...query)
      }) as typeof log.executeQuery
      await admin.get('/settings/opening')
      log.executeQuery = original
      return statements
    }
    await admin.get('/settings/opening')
    const forOne = await countOf()
    await sql`INSERT INTO waves (code, academic_year, name, semester_code, opens_at, closes_at)
      SELECT 'W' || n, academic_year, 'Gelombang W' || n, semester_code, opens_at, closes_at
      FROM waves, generate_series(1, 40) n WHERE id = ${wave}`.execute(t.db)
    expect(await countOf()).toBe(forOne)
    expect(forOne).toBeLessThanOrEqual(16)
    await t.close()
  })
})
