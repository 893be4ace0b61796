import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { actionPaths } from '#domain/admissions/requested-actions.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import type { AcademicFixture } from '#server-test/factories/academic.ts'
import { academicOf, aRegistration, statusOf } from '#server-test/factories/admissions.ts'
import { now, read, step } from '#server-test/factories/registrations/registration-steps.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
let staff: TestActor

beforeAll(async () => {
  t = await testApp()
  t.clock.set(now)
  academic = await academicOf(t)
  staff = await asStaff(t, 'Panitia PMB')
})

afterAll(() => t?.close())
afterEach(() => t.clock.set(now))

describe('visible data', () => {
  it('answers 404 or 403 on every route to registrations of another applicant', async () => {
    const { id } = await aRegistration(t, { status: 'verified' })
    const stranger = await asApplicant(t, { profile: true })
    const limited = await asWithPermissions(
      t,
      [
        ...['view', 'edit', 'verify', 'decide', 'confirm', 'note'].map((one) => `pendaftaran-${one}`),
        'konfirmasi-kelulusan-view',
        'npm-mahasiswa-update',
      ],
      { programmeIds: [academic.programmes[1]] },
    )
    const bodies: Record<string, object> = {
      accept: { programmeId: academic.programmes[0] },
      confirm: { installmentPlanId: null },
      submit: {},
      verify: {},
    }
    for (const actor of [stranger, limited]) {
      const answers = [
        await actor.get(`/pendaftaran/${id}`),
        await actor.get(`/pendaftaran/${id}/timeline`),
        await actor.get(`/pendaftaran/${id}/card.pdf`),
        await actor.put(`/pendaftaran/${id}`, { version: 1 }),
        ...(await Promise.all(
          Object.entries(actionPaths).map(([action, path]) =>
            step(actor, id, path, bodies[action] ?? { reason: 'tidak ada' }),
          ),
        )),
      ]
      const codes = answers.map((answer) => answer.statusCode)
      if (actor === limited) {
        expect(new Set(codes)).toEqual(new Set([404]))
        expect((await actor.get(`/pendaftaran/${id}/notes`)).statusCode).toBe(404)
        expect((await actor.post(`/npm-mahasiswa/${id}`, {})).statusCode).toBe(404)
        const bulk = await actor.post('/pendaftaran/bulk', { action: 'reject', ids: [id], reason: 'tidak ada' })
        expect(bulk.json().data).toMatchObject({ done: 0, items: [{ reason: 'not_found', code: null }] })
      } else expect(new Set(codes)).toEqual(new Set([404, 403]))
      expect((await actor.get('/pendaftaran')).json().data.map((row: any) => row.id)).not.toContain(id)
    }
    expect(await statusOf(t, id)).toBe('verified')
  })

  it('shows staff limited to a programme only its registrations', async () => {
    const mine = await aRegistration(t, { choices: [academic.programmes[1]] })
    const officer = await asWithPermissions(t, ['pendaftaran-view'], { programmeIds: [academic.programmes[1]] })
    const { data, meta } = (await officer.get('/pendaftaran?per_page=200')).json()
    expect(data.map((row: any) => row.id)).toContain(mine.id)
    expect(new Set(data.map((row: any) => row.programme))).toEqual(new Set(['Sistem Informasi']))
    expect(meta).toMatchObject({ total: data.length, total_is_estimate: false })
    expect(data[0].phone).toMatch(/\*\*\*\*/)
  })

  it('hides notes from applicants and from staff without permission for notes', async () => {
    const { id, applicant } = await aRegistration(t)
    expect((await staff.post(`/pendaftaran/${id}/notes`, { body: 'Menunggu rapor asli' })).statusCode).toBe(201)
    expect((await staff.get(`/pendaftaran/${id}/notes`)).json().data).toHaveLength(1)
    expect((await applicant.get(`/pendaftaran/${id}/notes`)).statusCode).toBe(403)
    const other = await asWithPermissions(t, ['pendaftaran-view'])
    expect((await other.get(`/pendaftaran/${id}`)).statusCode).toBe(200)
    expect((await other.get(`/pendaftaran/${id}/notes`)).statusCode).toBe(403)
    const answer = (await applicant.get(`/pendaftaran/${id}/timeline`)).json().data
    expect(answer.map((entry: any) => entry.name)).not.toContain('registration.note')
    expect(answer.every((entry: any) => entry.actorName === null)).toBe(true)
  })
})

describe('the list', () => {
  it('pages through a cursor without gaps or repeats, in every order', async () => {
    for (const sort of ['newest', 'oldest', 'name', 'code']) {
      const whole = (await staff.get(`/pendaftaran?sort=${sort}&per_page=200`)).json().data.map((row: any) => row.id)
      const seen: string[] = []
      for (let next: string | null = ''; next !== null; ) {
        const page: any = (
          await staff.get(`/pendaftaran?sort=${sort}&per_page=7${next ? `&after=${next}` : ''}`)
        ).json()
        seen.push(...page.data.map((row: any) => row.id))
        next = page.meta.next
      }
      expect(seen).toEqual(whole)
      expect(new Set(seen).size).toBe(seen.length)
    }
  })

  it('finds by name, code and differently written phone; one letter finds many', async () => {
    const applicant = await asApplicant(t, { profile: true })
    await t.db
      .updateTable('applicants')
      .set({ fullName: 'Zuraida Qomariyah', phone: '+6281377700099' })
      .where('accountId', '=', applicant.accountId)
      .execute()
    const { id, code } = await aRegistration(t, { applicant })
    for (const q of ['qomari', 'ZURAIDA', code, '0813 7770 0099', '081377700099'])
      expect(
        (await staff.get(`/pendaftaran?q=${encodeURIComponent(q)}`)).json().data.map((row: any) => row.id),
      ).toEqual([id])
    expect((await staff.get('/pendaftaran?q=z')).json().meta.total).toBeGreaterThan(1)
    expect((await staff.get('/pendaftaran?q=100%25')).json().data).toEqual([])
  })
})

describe('bulk actions', () => {
  it('run exactly as previewed', async () => {
    const verified = await aRegistration(t, { status: 'verified' })
    const paid = await aRegistration(t, { status: 'paid' })
    const body = { action: 'accept', ids: [verified.id, paid.id, academic.wave] }
    const preview = (await staff.post('/pendaftaran/bulk/preview', body)).json().data
    expect(preview).toMatchObject({ done: 1, refused: 2 })
    expect(preview.items.map((item: any) => item.reason)).toEqual([null, 'wrong_status', 'not_found'])
    const run = (await staff.post('/pendaftaran/bulk', body)).json().data
    expect(run.items.map((item: any) => item.reason)).toEqual([null, 'wrong_status', 'not_found'])
    expect(await statusOf(t, verified.id)).toBe('decided')
    expect((await verified.applicant.post('/pendaftaran/bulk', body)).statusCode).toBe(403)
  })

  it('accept for the second choice when the first is full', async () => {
    const { id } = await aRegistration(t, {
      status: 'verified',
      choices: [academic.programmes[0], academic.programmes[1]],
    })
    const detail = t.db.updateTable('programmeDetails').where('id', '=', academic.programmeDetails[0])
    await detail.set({ capacity: 0 }).execute()
    const body = { action: 'accept', ids: [id] }
    expect((await staff.post('/pendaftaran/bulk/preview', body)).json().data.done).toBe(1)
    expect((await staff.post('/pendaftaran/bulk', body)).json().data.done).toBe(1)
    await detail.set({ capacity: 40 }).execute()
    expect((await read(staff, id)).decision.programme.id).toBe(academic.programmes[1])
  })
})

describe('the start page', () => {
  it('shows applicants their registrations with the next step, and staff the counts', async () => {
    const { id, applicant } = await aRegistration(t, { status: 'submitted' })
    const answer = (await applicant.get('/dashboard')).json().data
    expect(answer).toMatchObject({ kind: 'applicant', hasProfile: true, missingProfileFields: [] })
    expect(answer.registrations[0]).toMatchObject({
      id,
      status: 'submitted',
      nextStep: { key: 'payment', state: 'todo' },
    })
    expect(answer.messages[0]).toMatchObject({ event: 'registration-submitted' })
    const office = (await staff.get('/dashboard')).json().data
    expect(office.kind).toBe('staff')
    expect(office.newToday).toBeGreaterThan(0)
    expect(office.openWaves).toHaveLength(1)
    const teller = await asWithPermissions(t, [])
    expect((await teller.get('/dashboard')).json().data).toMatchObject({ kind: 'staff', byStatus: [], newToday: 0 })
  })
})
