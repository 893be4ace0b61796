import fs from 'node:fs/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChecklistLine, checklistLineNames, checklistLines } from '#domain/opening/checklist.ts'
import type { Line, Opening } from '#domain/opening/endpoints.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aProvider, asProviderAdmin, providerInput } from '#server-test/factories/providers.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

/** A server without demo, mail and bank, on a database that was never opened. */
async function newInstallation() {
  const t = await testApp({ config: { demo: false } })
  await t.db.deleteFrom('registrationOpening').execute()
  return t
}

const dayMs = 86_400_000
const day = (days: number) => new Date(Date.now() + days * dayMs)

const insert = async (t: TestApp, table: string, values: object): Promise<string> =>
  (await (t.db as any).insertInto(table).values(values).returning('id').executeTakeFirstOrThrow()).id

const idOf = async (t: TestApp, table: string, code: string): Promise<string> =>
  (await (t.db as any).selectFrom(table).select('id').where('code', '=', code).executeTakeFirstOrThrow()).id

const setSettings = (t: TestApp, values: Record<string, unknown>) =>
  t.db
    .insertInto('settings')
    .values(Object.entries(values).map(([key, value]) => ({ key, value: JSON.stringify(value) })))
    .onConflict((conflict) => conflict.column('key').doUpdateSet((eb) => ({ value: eb.ref('excluded.value') })))
    .execute()

const identity = {
  universityName: 'Universitas Samudra Raya',
  universityShortName: 'USR',
  address: 'Jalan Pelabuhan 7, Makassar 90111',
  phone: '(0411) 555-0100',
  email: 'pmb@usr.test',
  website: 'https://usr.test',
}
const privacyNotice = { en: 'We keep your data.', id: 'Kami menyimpan data Anda.' }

const bankConnection = providerInput('xendit', {
  active: true,
  secrets: { secretKey: 'xnd-key', callbackToken: 'xnd-token' },
})

/** Everything that must be there. */
async function completeInstallation(t: TestApp) {
  const school = await academicFixture(t.db)
  await setSettings(t, { ...identity, privacyNotice })
  await aProvider(t, bankConnection)
  t.services.config.mail = { smtpUrl: 'smtp://mail.usr.example', from: 'PMB <pmb@usr.example>' }
  return school
}

const openingOf = async (actor: TestActor) => (await actor.get('/settings/opening')).json().data as Opening
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
  /** Expects gaps before the data is there, and none afterwards. */
  async function turnsDone(name: ChecklistLine, before: readonly string[], add: () => Promise<unknown>) {
    const line = await lineOf(name)
    expect(line.state).toBe(checklistLines[name] === 'must' ? 'missing' : 'advisable')
    expect(sentencesOf(line)).toEqual(before)
    expect(line.gapCount).toBe(before.length)
    await add()
    expect(await lineOf(name)).toMatchObject({ state: 'done', gaps: [], gapCount: 0 })
  }

  test('an empty installation lacks every line', async () => {
    const opening = await openingOf(admin)
    expect(opening).toMatchObject({ open: false, opened: null, closed: null })
    expect(opening.lines.map(({ line }) => line)).toEqual(checklistLineNames)
    expect(opening.lines.filter(({ state }) => state === 'done')).toEqual([])
    const waiting = opening.lines.filter(({ gaps }) => gaps.some(({ code }) => code === 'after_waves'))
    expect(waiting.map(({ line }) => line)).toEqual(['fees', 'tuition', 'tests'])
  })

  test('identity: every example of the product is replaced', () =>
    turnsDone(
      'identity',
      ['name', 'short_name', 'address', 'phone', 'email', 'website'].map((field) => `university_${field}`),
      () => setSettings(t, identity),
    ))

  test('look: a logo and an own colour', () =>
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

  test('waves: a wave with a track that has dates and a programme that has places', async () => {
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

  test('waves: a level with dates needs places, and a level with places needs dates', async () => {
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

  test('fees: an amount for each track, of which a row for the whole wave is one', async () => {
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

  test('tuition: named by wave, programme and class, and leading to the grid of that wave', async () => {
    const { programmeId, waveId } = await offer('BARU')
    expect((await lineOf('tuition')).gaps[0]!.to).toBe(
      `/master/prodi/view/${programmeId}?tab=uang-kuliah&wave=${waveId}`,
    )
    await turnsDone('tuition', ['tuition Gelombang 1 2026/2027 Teknik Sipil Kelas Pagi'], () => addTuition(null))
  })

  test('tuition: an amount for one track leaves another track without', async () => {
    await t.db.deleteFrom('tuitionFees').execute()
    const trackId = await insert(t, 'tracks', { code: 'PRES', name: 'Prestasi', hasTest: false })
    await insert(t, 'trackFiles', { trackId, name: 'Ijazah', acceptedTypes: ['pdf'] })
    await insert(t, 'trackDetails', { ...(await window('BARU')), trackId })
    await addTuition(await idOf(t, 'tracks', 'REG'))
    await turnsDone('tuition', ['tuition_of_track Gelombang 1 2026/2027 Teknik Sipil Kelas Pagi Prestasi'], () =>
      addTuition(trackId),
    )
  })

  test('plans: one plan whose shares add up, and none whose shares do not', async () => {
    const planId = await insert(t, 'installmentPlans', { code: 'DUA', name: 'Dua kali' })
    await insert(t, 'installmentTerms', { planId, sortOrder: 1, shareBps: 5_000, dueDays: 7 })
    await turnsDone('plans', ['plan', 'plan_terms Dua kali'], () =>
      insert(t, 'installmentTerms', { planId, sortOrder: 2, shareBps: 5_000, dueDays: 60 }),
    )
  })

  test('tests: a session to come for a track with a test', async () => {
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

  test('bank: a bank that is switched on and approved', async () => {
    expect(sentencesOf(await lineOf('bank'))).toEqual(['bank'])
    const provider = await asProviderAdmin(t)
    const request = await provider.post('/settings/providers', bankConnection)
    expect(request.statusCode, request.body).toBe(200)
    await turnsDone('bank', ['bank_approval'], () => approvedByAnother(t, request.json().data.approvalId))
  })

  test('mail: a mail server and a sender', () =>
    turnsDone('mail', ['smtp', 'mail_from'], async () => {
      t.services.config.mail = { smtpUrl: 'smtp://mail.usr.example', from: 'PMB <pmb@usr.example>' }
    }))

  test('address: https', () =>
    turnsDone('address', ['public_url http://localhost:3000'], async () => {
      t.services.config.publicUrl = 'https://pmb.usr.test'
    }))

  test('whatsapp: a default connection in order', () =>
    turnsDone('whatsapp', ['whatsapp'], async () => {
      await t.db.updateTable('whatsappConnections').set({ isDefault: false }).execute()
      await insert(t, 'whatsappConnections', { name: 'Telepon', kind: 'device', isDefault: true })
    }))

  test('a complete installation is done line by line', async () => {
    expect((await openingOf(admin)).lines.filter(({ state }) => state !== 'done')).toEqual([])
  })

  test('a wave that has ended and rows switched off count for nothing', async () => {
    await t.db
      .updateTable('waves')
      .set({ opensAt: day(-60), closesAt: day(-1) })
      .execute()
    expect(sentencesOf(await lineOf('waves'))).toEqual(['wave'])
  })
})

describe('opening', () => {
  let t: TestApp
  let admin: TestActor
  beforeAll(async () => {
    t = await newInstallation()
    admin = await asStaff(t)
  })
  afterAll(() => t.close())

  const audits = (action: string) =>
    t.db.selectFrom('auditLog').selectAll().where('action', '=', action).orderBy('id').execute()
  const signUp = (email: string) =>
    t.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: {
        ...{ name: 'Sari Wulandari', email, phone: '081234567890' },
        ...{ password: 'Samudra-2026!', password_confirmation: 'Samudra-2026!' },
      },
    })

  test('is refused while a line that must be there is missing, and leaves nothing behind', async () => {
    const answer = await admin.post('/settings/opening/open')
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'opening_not_ready' })
    expect(answer.json().message).toContain('Identity of the university, Privacy notice')
    expect(await t.db.selectFrom('registrationOpening').selectAll().execute()).toEqual([])
    expect(await audits('opening.open')).toEqual([])
  })

  test('sign-up is refused with a sentence before it, and staff sign in', async () => {
    const answer = await signUp('early@usr.test')
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({
      code: 'registration_closed',
      message: expect.stringContaining('as soon as the university opens it'),
    })
    const account = await t.db.selectFrom('accounts').select('id').where('email', '=', 'early@usr.test').execute()
    expect(account).toEqual([])
    const signIn = { email: admin.email, password: 'Rahasia-2026!' }
    expect((await t.app.inject({ method: 'POST', url: '/api/login', payload: signIn })).statusCode).toBe(200)
    expect((await t.app.inject('/api/branding')).json().data.registrationOpen).toBe(false)
  })

  test('an advisable line is waived with a reason and taken back; a line that must be there is not', async () => {
    const waive = (line: string, reason: string) => admin.post('/settings/opening/waive', { line, reason })
    expect((await waive('whatsapp', '')).statusCode).toBe(422)
    const waived = await waive('whatsapp', 'We write mails only.')
    const lineOf = ({ data }: { data: Opening }) => data.lines.find(({ line }) => line === 'whatsapp')
    expect(lineOf(waived.json())).toMatchObject({
      state: 'waived',
      waiver: { reason: 'We write mails only.', by: 'Petugas Administrator' },
    })
    expect((await audits('opening.waive'))[0]).toMatchObject({ subjectId: 'whatsapp', reason: 'We write mails only.' })
    const takenBack = await admin.post('/settings/opening/unwaive', { line: 'whatsapp' })
    expect(lineOf(takenBack.json())).toMatchObject({ state: 'advisable', waiver: null })
    expect(await audits('opening.unwaive')).toHaveLength(1)
    const refused = await waive('bank', 'We take cash only.')
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'line_not_waivable'])
  })

  test('twenty people opening at once open it once', async () => {
    await completeInstallation(t)
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post('/settings/opening/open')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map((answer) => answer.json().data.opened.at)).size).toBe(1)
    expect(answers[0]!.json().data).toMatchObject({ open: true, opened: { by: 'Petugas Administrator' }, closed: null })
    expect(await audits('opening.open')).toHaveLength(1)
    expect((await signUp('sari@usr.test')).statusCode).toBe(200)
  })

  test('closed again, nobody new may sign up, apply or submit, and staff apply for somebody', async () => {
    const { waveId, trackId, entryLevelId, classProgrammeId, programmeId } = await t.db
      .selectFrom('programmeDetails as p')
      .innerJoin('trackDetails as d', 'd.waveId', 'p.waveId')
      .innerJoin('tracks as k', (join) => join.onRef('k.id', '=', 'd.trackId').on('k.code', '=', 'PRES'))
      .select(['p.waveId', 'd.trackId', 'p.entryLevelId', 'p.classProgrammeId', 'p.programmeId'])
      .executeTakeFirstOrThrow()
    const body = { waveId, trackId, entryLevelId, classProgrammeId, choices: [programmeId] }
    const [drafting, newcomer] = [await asApplicant(t, { profile: true }), await asApplicant(t, { profile: true })]
    const draft = await drafting.post('/pendaftaran', body)
    expect(draft.statusCode).toBe(201)

    const reason = 'The registrar is moving house.'
    expect((await admin.post('/settings/opening/close', { reason: ' ' })).statusCode).toBe(422)
    const closings = await Promise.all([1, 2, 3].map(() => admin.post('/settings/opening/close', { reason })))
    expect(closings.map((answer) => answer.json().data.closed.reason)).toEqual([reason, reason, reason])
    expect(await audits('opening.close')).toMatchObject([{ reason }])

    expect((await signUp('late@usr.test')).json().code).toBe('registration_closed')
    expect((await newcomer.post('/pendaftaran', body)).json().code).toBe('registration_closed')
    const submitted = await drafting.post(`/pendaftaran/${draft.json().data.id}/submit`, {})
    expect(submitted.json().code).toBe('registration_closed')
    const byStaff = await admin.post('/pendaftaran', { ...body, accountId: newcomer.accountId })
    expect(byStaff.statusCode).toBe(201)

    const again = await admin.post('/settings/opening/open')
    expect(again.json().data).toMatchObject({ open: true, closed: null })
    expect((await drafting.post(`/pendaftaran/${draft.json().data.id}/submit`, {})).statusCode).toBe(200)
  })

  test('a reader may look and not open; a role limited to some programmes may do neither', async () => {
    const reader = await asWithPermissions(t, ['settings-opening-view'])
    expect((await reader.get('/settings/opening')).statusCode).toBe(200)
    expect((await reader.post('/settings/opening/close', { reason: 'Because I can.' })).statusCode).toBe(403)
    const programme = await t.db.selectFrom('studyProgrammes').select('id').executeTakeFirstOrThrow()
    const slugs = ['settings-opening-view', 'settings-opening-update']
    const limited = await asWithPermissions(t, slugs, { programmeIds: [programme.id] })
    expect((await limited.get('/settings/opening')).statusCode).toBe(403)
    expect((await limited.post('/settings/opening/close', { reason: 'Because I can.' })).statusCode).toBe(403)
  })
})

test('the migration opens a university that has applicants, and leaves an empty one closed', async () => {
  const t = await newInstallation()
  const file = new URL('../../../migrations/0086_opening.sql', import.meta.url)
  const [statement] = /INSERT INTO registration_opening[^;]+/.exec(await fs.readFile(file, 'utf8'))!
  const states = async () => {
    await sql.raw(statement).execute(t.db)
    return t.db.selectFrom('registrationOpening').select(['openedBy', 'closedAt']).execute()
  }
  expect(await states()).toEqual([])
  await asApplicant(t, { profile: true })
  expect(await states()).toEqual([{ openedBy: null, closedAt: null }])
  await t.close()
})

describe('the checklist asks for little', () => {
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
