import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { shiftDay, universityCalendar } from '#domain/calendar.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { anAffiliate, aReferred } from '#server-test/factories/affiliates.ts'
import { aLead } from '#server-test/factories/leads.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { forgetLeadsJob } from './forget-leads.job.ts'
import { registerLeadsJob } from './register-leads.job.ts'

let t: TestApp
let academic: AcademicFixture
let marketing: TestActor
let viewer: TestActor
const path = '/marketing/prospek'
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  marketing = await asStaff(t, 'Marketing')
  viewer = await asWithPermissions(t, ['marketing-prospek-view'])
})
afterEach(() => t.clock.reset())
afterAll(() => t?.close())

const leadOf = (id: string) => t.db.selectFrom('leads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const pageOf = async (id: string, actor = marketing) => {
  const answer = await actor.get(`${path}/${id}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const listed = async (query: string, actor = marketing): Promise<{ id: string }[]> => {
  const answer = await actor.get(`${path}?per_page=200&${query}`)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const ids = async (query: string, actor = marketing) => (await listed(query, actor)).map(({ id }) => id)
const ok = async (answer: Promise<{ statusCode: number; body: string; json: () => any }>) => {
  const { statusCode, body, json } = await answer
  expect(statusCode, body).toBe(200)
  return json
}
const call = (id: string, result: string, more: object = {}, actor = marketing) =>
  actor.post(`${path}/${id}/calls`, { result, nextContactOn: null, text: null, ...more })
const today = () => universityCalendar().dayOf(t.clock.now())

const handWritten = {
  name: 'Agus Salim',
  phone: '0812-7000-1000',
  email: 'agus@example.com',
  birthDate: '2008-02-29',
  schoolId: null,
  schoolName: 'SMK Contoh',
  major: 'TKJ',
  programmeId: null,
  wish: 'Kelas malam',
  consentHow: 'Minta ditelepon lagi',
  consentOn: '2026-01-05',
}

describe('a lead entered by staff', () => {
  test('needs how and when the person agreed and a contact, and is entered only once', async () => {
    const refused = await marketing.post(path, { ...handWritten, phone: '', email: '', consentHow: '' })
    expect([refused.statusCode, Object.keys(refused.json().errors).sort()]).toEqual([422, ['consentHow', 'phone']])
    const tomorrow = shiftDay(today(), 2)
    expect((await marketing.post(path, { ...handWritten, consentOn: tomorrow })).statusCode).toBe(422)
    const first = (await ok(marketing.post(path, handWritten)))().data
    expect(first.isNew).toBe(true)
    const again = (await ok(marketing.post(path, { ...handWritten, consentHow: 'Datang ke kampus' })))().data
    expect(again).toEqual({ id: first.id, isNew: false })
    const lead = await pageOf(first.id)
    expect(lead).toMatchObject({ phone: '+6281270001000', school: 'SMK Contoh', stage: 'new', maybe: [] })
    expect(lead.origins.map(({ consentText, recordedBy }: any) => [consentText, recordedBy]).sort()).toEqual([
      ['Datang ke kampus', 'Petugas Marketing'],
      ['Minta ditelepon lagi', 'Petugas Marketing'],
    ])
  })

  test('can be changed with its keys, and a stale page is refused', async () => {
    const id = await aLead(t, { phone: '+628127000200', birthDate: null })
    const { version } = await pageOf(id)
    const change = { ...handWritten, phone: '0812 7000 201', birthDate: null, version }
    expect((await marketing.put(`${path}/${id}`, change)).statusCode).toBe(200)
    expect((await marketing.put(`${path}/${id}`, { ...change, name: 'Lain' })).json().code).toBe('stale_version')
    expect(await aLead(t, { phone: '+628127000201' })).toBe(id)
    expect(await aLead(t, { phone: '+628127000200' })).not.toBe(id)
  })
})

describe('who sees leads', () => {
  test('staff who may not call leads see masked contacts on page, list and file', async () => {
    const id = await aLead(t, { name: 'Kartika Rahasia', phone: '+6281277001234', email: 'kartika@example.com' })
    for (const url of [
      `${path}/${id}`,
      `${path}?q=kartika%20rahasia`,
      `${path}/export?format=csv&q=kartika%20rahasia`,
    ]) {
      const { body, statusCode } = await viewer.get(url)
      expect(statusCode).toBe(200)
      expect(body).toContain('Kartika')
      expect(body).not.toContain('77001')
      expect(body).not.toContain('kartika@')
    }
    expect(await ids('q=77001234', viewer)).toEqual([])
    expect(await ids('q=0812-7700-1234')).toEqual([id])
    expect((await viewer.post(`${path}/${id}/notes`, { text: 'x' })).statusCode).toBe(403)
  })

  test('a role limited to some study programmes sees none', async () => {
    const dean = await asWithPermissions(t, ['marketing-prospek-view', 'marketing-prospek-update'], {
      programmeIds: [academic.programmes[0]],
    })
    for (const url of [path, `${path}/owners`, `${path}/${await aLead(t)}`])
      expect((await dean.get(url)).statusCode, url).toBe(403)
    // Such a role cannot be given leads either.
    const owners = (await marketing.get(`${path}/owners`)).json().data.map(({ id }: { id: string }) => id)
    expect(owners).toContain(marketing.accountId)
    expect(owners).not.toContain(dean.accountId)
  })
})

describe('stages', () => {
  test('follow the table; reopening a lead that declined needs a reason', async () => {
    const id = await aLead(t)
    const move = (action: string, reason: string | null = null) =>
      marketing.post(`${path}/${id}/stage`, { action, reason })
    await ok(move('interest'))
    expect((await move('contact')).json().code).toBe('wrong_status')
    await ok(marketing.put(`${path}/${id}/plan`, { ownerId: marketing.accountId, nextContactOn: today() }))
    await ok(marketing.post(`${path}/${id}/link`))
    await ok(move('decline'))
    expect(await leadOf(id)).toMatchObject({ stage: 'not_interested', nextContactOn: null, linkId: null })
    expect((await move('reopen')).statusCode).toBe(422)
    expect((await marketing.post(`${path}/${id}/link`)).json().code).toBe('wrong_status')
    await ok(move('reopen', 'Menulis kepada kami'))
    expect((await pageOf(id)).notes.filter(({ kind }: any) => kind === 'stage')).toHaveLength(3)
  })

  test('twenty staff moving a lead at once move it once', async () => {
    const id = await aLead(t)
    const answers = await raceBehind(t, sql`SELECT FROM leads WHERE id = ${id} FOR UPDATE`, 5, () =>
      Promise.all(
        Array.from({ length: 20 }, () => marketing.post(`${path}/${id}/stage`, { action: 'interest', reason: null })),
      ),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    expect((await pageOf(id)).notes).toHaveLength(1)
  })
})

describe('calls', () => {
  test('the call list holds my due leads, oldest first, and none that declined', async () => {
    const caller = await asStaff(t, 'Marketing')
    const plan = async (day: string) => {
      const id = await aLead(t)
      await ok(caller.put(`${path}/${id}/plan`, { ownerId: caller.accountId, nextContactOn: day }))
      return id
    }
    const [late, now, later, no] = [
      await plan(shiftDay(today(), -3)),
      await plan(today()),
      await plan(shiftDay(today(), 1)),
      await plan(today()),
    ]
    await ok(call(no, 'declined', {}, caller))
    expect(await ids('queue=my-calls&sort=nextContactOn', caller)).toEqual([late, now])
    expect(await ids('check=overdue', caller)).toContain(late)
    for (const queue of ['calls', 'unowned', 'my-calls']) expect(await ids(`queue=${queue}`, caller)).not.toContain(no)
    await ok(call(late, 'no_answer', {}, caller))
    await ok(call(now, 'call_again', { nextContactOn: shiftDay(today(), 7), text: 'Sedang ujian' }, caller))
    expect(await ids('queue=my-calls', caller)).toEqual([])
    expect(await leadOf(late)).toMatchObject({ stage: 'new', nextContactOn: shiftDay(today(), 1) })
    expect(await leadOf(now)).toMatchObject({ stage: 'contacted', nextContactOn: shiftDay(today(), 7) })
    expect((await call(later, 'call_again', { nextContactOn: shiftDay(today(), -1) }, caller)).statusCode).toBe(422)
    expect((await call(no, 'reached', {}, caller)).json().code).toBe('wrong_status')
  })

  test('a lead that wants the link gets one', async () => {
    const id = await aLead(t)
    await ok(call(id, 'wants_link'))
    const lead = await pageOf(id)
    expect(lead.stage).toBe('interested')
    expect(lead.link.address).toMatch(/\/sign-up\?lead=[0-9a-f]{52}$/)
    expect((await pageOf(id, viewer)).link).toBe(null)
  })

  test('twenty callers taking the next lead get twenty different ones', async () => {
    await t.db.updateTable('leads').set({ ownerId: marketing.accountId }).execute()
    const unowned: string[] = []
    for (let count = 0; count < 18; count++) unowned.push(await aLead(t))
    const callers = await Promise.all(Array.from({ length: 4 }, () => asStaff(t, 'Marketing')))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => callers[index % 4]!.post(`${path}/next`)),
    )
    const takenIds = answers.map((answer) => answer.json().data?.id).filter(Boolean)
    expect(answers.every(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(new Set(takenIds).size).toBe(takenIds.length)
    expect(takenIds.toSorted()).toEqual(unowned.toSorted())
  })
})

describe('duplicates', () => {
  const pair = async () => {
    const name = `Putri ${crypto.randomUUID().slice(0, 8).replace(/\d/g, 'x')}`
    return [
      await aLead(t, { name, wish: null }),
      await aLead(t, { name: name.toUpperCase(), wish: 'Beasiswa' }),
    ] as const
  }

  test('are suspected and merged with every origin and note; merging again changes nothing', async () => {
    const [leadId, other] = await pair()
    expect((await pageOf(leadId)).duplicates.map(({ id }: any) => id)).toEqual([other])
    expect(await ids('check=duplicates')).toEqual(expect.arrayContaining([leadId, other]))
    await ok(marketing.post(`${path}/${other}/notes`, { text: 'Suka futsal' }))
    for (let times = 0; times < 2; times++) await ok(marketing.post(`${path}/${leadId}/merge`, { otherId: other }))
    const lead = await pageOf(leadId)
    expect(lead.origins).toHaveLength(2)
    expect(lead.notes.map(({ kind, text }: any) => [kind, text])).toEqual([
      ['merge', null],
      ['note', 'Suka futsal'],
    ])
    expect(lead).toMatchObject({ wish: 'Beasiswa', duplicates: [] })
    expect((await marketing.get(`${path}/${other}`)).json().code).toBe('lead_merged')
    expect(await ids('check=duplicates')).not.toContain(leadId)
    // Now both phones find the lead.
    const { phone } = await leadOf(other)
    expect(await aLead(t, { phone })).toBe(leadId)
  })

  test('merged from both sides at once, with a call in between, are one lead', async () => {
    const [one, two] = await pair()
    const answers = await raceBehind(t, sql`SELECT FROM leads WHERE id IN (${one}, ${two}) FOR UPDATE`, 3, () =>
      Promise.all([
        marketing.post(`${path}/${one}/merge`, { otherId: two }),
        marketing.post(`${path}/${two}/merge`, { otherId: one }),
        marketing.post(`${path}/${one}/merge`, { otherId: two }),
      ]),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    const survivors = new Set(answers.map((answer) => answer.json().data.id))
    expect(survivors.size).toBe(1)
    expect((await pageOf([...survivors][0])).origins).toHaveLength(2)
  })

  test('that are merged count as declined if one of them declined; two people kept apart are not suggested again', async () => {
    const [leadId, other] = await pair()
    await ok(call(other, 'declined'))
    await ok(marketing.post(`${path}/${leadId}/apart`, { otherId: other }))
    expect((await pageOf(leadId)).duplicates).toEqual([])
    await ok(marketing.post(`${path}/${leadId}/merge`, { otherId: other }))
    expect((await pageOf(leadId)).stage).toBe('not_interested')
  })

  const move = (id: string, action: string) => ok(marketing.post(`${path}/${id}/stage`, { action, reason: null }))

  test('with one declined and one unreachable merge as declined, and neither link works', async () => {
    const [leadId, other] = await pair()
    await ok(marketing.post(`${path}/${leadId}/link`))
    await move(leadId, 'lose')
    await ok(call(other, 'declined'))
    await ok(marketing.post(`${path}/${leadId}/merge`, { otherId: other }))
    expect(await leadOf(leadId)).toMatchObject({ stage: 'not_interested', linkId: null })
  })

  test('with a registration merge as registered, and a reached lead is not unreachable', async () => {
    const [first, registered] = await pair()
    await move(first, 'lose')
    await move(registered, 'register')
    await ok(marketing.post(`${path}/${first}/merge`, { otherId: registered }))
    expect((await leadOf(first)).stage).toBe('registered')
    const [lost, reached] = await pair()
    await move(lost, 'lose')
    await move(reached, 'interest')
    await ok(marketing.post(`${path}/${lost}/merge`, { otherId: reached }))
    expect((await leadOf(lost)).stage).toBe('interested')
  })

  test('do not get new guesses when merged', async () => {
    const [leadId, other] = await pair()
    await ok(marketing.post(`${path}/${other}/link`))
    await t.db.updateTable('leads').set({ linkMisses: 5 }).where('id', '=', other).execute()
    await ok(marketing.post(`${path}/${leadId}/merge`, { otherId: other }))
    expect((await leadOf(leadId)).linkMisses).toBe(5)
  })
})

describe('deletion', () => {
  test('erases the lead, leads merged into it and all texts; a count stays, and the log names no person', async () => {
    const name = 'Bambang Terhapus'
    const [id, other] = [await aLead(t, { name }), await aLead(t, { name })]
    await ok(marketing.post(`${path}/${id}/notes`, { text: 'Rahasia Bambang' }))
    await ok(marketing.post(`${path}/${id}/merge`, { otherId: other }))
    await ok(marketing.post(`${path}/${id}/deletion`, { cause: 'asked' }))
    expect((await marketing.get(`${path}/${id}`)).statusCode).toBe(404)
    expect(await t.db.selectFrom('leads').select('id').where('id', 'in', [id, other]).execute()).toEqual([])
    for (const table of ['lead_origins', 'lead_notes', 'lead_keys', 'lead_deletions', 'audit_log']) {
      const { rows } = await sql`SELECT FROM ${sql.table(table)} x WHERE x::text ILIKE '%bambang%'`.execute(t.db)
      expect(rows, table).toEqual([])
    }
    const [count] = await t.db.selectFrom('leadDeletions').selectAll().where('cause', '=', 'asked').execute()
    expect(count).toMatchObject({ stage: 'new', kind: 'event' })
  })

  test('happens automatically after the months set in the settings without activity', async () => {
    const [old, young] = [await aLead(t), await aLead(t)]
    await sql`UPDATE leads SET touched_at = ${t.clock.now()}::timestamptz - interval '24 months 1 day' WHERE id = ${old}`.execute(
      t.owner,
    )
    await sql`UPDATE leads SET touched_at = ${t.clock.now()}::timestamptz - interval '23 months 10 days' WHERE id = ${young}`.execute(
      t.owner,
    )
    expect(await ids('check=ending')).toEqual(expect.arrayContaining([old, young]))
    await forgetLeadsJob.run(t.services, {})
    const left = await t.db.selectFrom('leads').select('id').where('id', 'in', [old, young]).execute()
    expect(left).toEqual([{ id: young }])
    expect(
      await t.db.selectFrom('leadDeletions').select('cause').where('cause', '=', 'retention').execute(),
    ).toHaveLength(1)
  })
})

describe('the sign-up link', () => {
  const tokenFor = async (id: string) => {
    await ok(marketing.post(`${path}/${id}/link`))
    return new URL((await pageOf(id)).link.address).searchParams.get('lead')!
  }
  const open = (body: object) => t.app.inject({ method: 'POST', url: `/api${path}/link`, payload: body })
  let people = 0
  const signUp = async (more: object) => {
    const email = `prospek-${++people}@example.com`
    const answer = await t.app.inject({
      method: 'POST',
      url: '/api/register',
      payload: {
        name: 'Rina Wati',
        email,
        phone: '081234509999',
        password: 'Rahasia-2026!',
        password_confirmation: 'Rahasia-2026!',
        ...more,
      },
    })
    expect(answer.statusCode, answer.body).toBe(200)
    await t.runJobs()
    const { id } = await t.db
      .selectFrom('accounts')
      .select('id')
      .where('email', '=', (more as any).email ?? email)
      .executeTakeFirstOrThrow()
    return { id, token: answer.json().access_token as string }
  }

  test('shows a first name, and the rest only to a visitor with the last digits of the phone', async () => {
    const affiliate = await anAffiliate(t)
    const id = await aLead(t, {
      name: 'Sekar Ayu Ningtyas',
      phone: '+6281288884321',
      email: 'sekar@example.com',
      affiliateId: affiliate.id,
    })
    const token = await tokenFor(id)
    const { body } = await open({ token })
    expect(JSON.parse(body).data).toEqual({ firstName: 'Sekar', hasPhone: true, ref: affiliate.code, known: null })
    expect((await open({ token, digits: '1234' })).json().errors).toHaveProperty('digits')
    expect((await open({ token, digits: '4321' })).json().data.known).toEqual({
      name: 'Sekar Ayu Ningtyas',
      phone: '+6281288884321',
      email: 'sekar@example.com',
    })
    for (const wrong of [`${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`, token.slice(0, 32), 'x', ''])
      expect((await open({ token: wrong })).statusCode).toBe(409)
  })

  test('ends after five wrong guesses, even sent at once, after 30 days, and when replaced by a newer link', async () => {
    const id = await aLead(t, { phone: '+6281288880007' })
    const first = await tokenFor(id)
    const guesses = await Promise.all(
      Array.from({ length: 12 }, (_, guess) => open({ token: first, digits: String(1000 + guess) })),
    )
    expect(guesses.filter(({ statusCode }) => statusCode === 422)).toHaveLength(5)
    expect((await open({ token: first, digits: '0007' })).statusCode).toBe(409)
    const second = await tokenFor(id)
    expect((await open({ token: second })).statusCode).toBe(200)
    expect((await open({ token: first })).statusCode).toBe(409)
    t.clock.set(new Date(t.clock.now().getTime() + 31 * 86_400_000))
    expect((await open({ token: second })).statusCode).toBe(409)
    t.clock.reset()
    await ok(marketing.delete(`${path}/${id}/link`))
    expect((await open({ token: second })).statusCode).toBe(409)
  })

  test('links an account with the same phone, which finds its answers, and registers the lead', async () => {
    const programmeId = academic.programmes[0]
    const id = await aLead(t, { phone: '+6281288880011', birthDate: '2008-03-04', programmeId })
    const token = await tokenFor(id)
    const account = await signUp({ phone: '0812 8888 0011', lead: token })
    expect((await leadOf(id)).accountId).toBe(account.id)
    const own = await t.app.inject({
      url: '/api/account/prospek',
      headers: { authorization: `Bearer ${account.token}` },
    })
    expect(own.json().data).toEqual({ birthDate: '2008-03-04', school: null })
    const intent = await t.db
      .selectFrom('studyIntents')
      .select('programmeIds')
      .where('accountId', '=', account.id)
      .executeTakeFirst()
    expect(intent?.programmeIds).toEqual([programmeId])
    await registerLeadsJob.run(t.services, {})
    expect((await leadOf(id)).stage).toBe('new')
    const registration = await aReferred(t, academic, 'TIDAK-ADA')
    await t.db.updateTable('leads').set({ accountId: registration.accountId }).where('id', '=', id).execute()
    await Promise.all([registerLeadsJob.run(t.services, {}), registerLeadsJob.run(t.services, {})])
    expect((await leadOf(id)).stage).toBe('registered')
    // A stage that staff took back is not set again.
    await ok(marketing.post(`${path}/${id}/stage`, { action: 'reopen', reason: 'Salah orang' }))
    await registerLeadsJob.run(t.services, {})
    expect((await leadOf(id)).stage).toBe('contacted')
  })

  test('links and reveals nothing when forwarded', async () => {
    const id = await aLead(t, { phone: '+6281288880012', birthDate: '2008-03-04', programmeId: academic.programmes[0] })
    const token = await tokenFor(id)
    const account = await signUp({ lead: token })
    expect((await leadOf(id)).accountId).toBe(null)
    const own = await t.app.inject({
      url: '/api/account/prospek',
      headers: { authorization: `Bearer ${account.token}` },
    })
    expect(own.json().data).toBe(null)
    expect((await pageOf(id)).notes[0]).toMatchObject({ kind: 'account', text: 'other' })
  })

  test('an account with the phone of a lead is only a hint', async () => {
    const id = await aLead(t, { phone: '+6281288880013' })
    await signUp({ phone: '081288880013' })
    expect(await pageOf(id)).toMatchObject({ account: null, maybe: ['phone'] })
    expect(await ids('check=applicants')).toContain(id)
  })
})
