import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Opening } from '#domain/opening/endpoints.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { completeInstallation, newInstallation } from '#server-test/factories/installation/installations.ts'
import type { TestApp } from '#server-test/test-app.ts'

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

  test('is refused while a required line is missing, and leaves nothing behind', async () => {
    const answer = await admin.post('/settings/opening/open')
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ code: 'opening_not_ready' })
    expect(answer.json().message).toContain('Identity of the university, Privacy notice')
    expect(await t.db.selectFrom('registrationOpening').selectAll().execute()).toEqual([])
    expect(await audits('opening.open')).toEqual([])
  })

  test('sign-up is refused with a sentence before opening, but staff can sign in', async () => {
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

  test('an advisable line is waived with a reason and unwaived; a required line cannot be waived', async () => {
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

  test('twenty people opening at once open it only once', async () => {
    await completeInstallation(t)
    const answers = await Promise.all(Array.from({ length: 20 }, () => admin.post('/settings/opening/open')))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map((answer) => answer.json().data.opened.at)).size).toBe(1)
    expect(answers[0]!.json().data).toMatchObject({ open: true, opened: { by: 'Petugas Administrator' }, closed: null })
    expect(await audits('opening.open')).toHaveLength(1)
    expect((await signUp('sari@usr.test')).statusCode).toBe(200)
  })

  test('after closing nobody new may sign up, apply or submit, but staff apply for others', async () => {
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

  test('a reader may view but not open; a role limited to some programmes may do neither', async () => {
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
