import crypto from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { anAffiliate, aReferred, aRule } from '#server-test/factories/affiliates.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'
import { settleCommission } from './settle/settle-commission.job.ts'

let t: TestApp
let academic: AcademicFixture
let marketing: TestActor
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
  marketing = await asStaff(t, 'Marketing')
})
afterEach(() => t.clock.reset())
afterAll(() => t?.close())

const open = (url: string) => t.app.inject({ url })
const touch = (body: object) => t.app.inject({ method: 'POST', url: '/api/afiliator/touches', payload: body })
let emails = 0
const signUp = async (more: object) => {
  const email = `pendaftar-${++emails}@example.com`
  const answer = await t.app.inject({
    method: 'POST',
    url: '/api/register',
    payload: {
      name: 'Rina Wati',
      email,
      phone: '081234500000',
      password: 'Rahasia-2026!',
      password_confirmation: 'Rahasia-2026!',
      ...more,
    },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  await t.runJobs()
  return t.db.selectFrom('accounts').select(['id', 'referralCode']).where('email', '=', email).executeTakeFirstOrThrow()
}

describe('the public pages', () => {
  test('show affiliates who agreed, without sign-in, and count people only with consent', async () => {
    const visible = await anAffiliate(t, { public: true, name: 'Sari <Wulandari>' })
    const hidden = await anAffiliate(t)
    await aReferred(t, academic, visible.code)
    await settleCommission(t.services)
    t.clock.set(new Date(t.clock.now().getTime() + 60_000))
    const { data } = (await open('/api/afiliator')).json()
    expect(data.map(({ name }: { name: string }) => name)).toEqual([visible.name])
    expect(data[0]).toMatchObject({ path: visible.code.toLowerCase(), helped: null })
    expect(Object.keys(data[0]).sort()).toEqual(['biography', 'helped', 'kind', 'name', 'path', 'photo', 'programmes'])
    for (const path of [visible.code, visible.code.toLowerCase(), visible.id])
      expect((await open(`/api/afiliator/${path}`)).json().data.code).toBe(visible.code)
    expect((await open(`/api/afiliator/${hidden.code}`)).statusCode).toBe(404)
    await t.db.updateTable('affiliates').set({ countedSince: t.clock.now() }).where('id', '=', visible.id).execute()
    t.clock.set(new Date(t.clock.now().getTime() + 60_000))
    expect((await open(`/api/afiliator/${visible.code}`)).json().data.helped).toBe(1)
    const page = await open(`/afiliator/${visible.code.toLowerCase()}`)
    expect(page.body).toContain('<meta property="og:title" content="Sari &#60;Wulandari&#62; · ')
    expect(page.body).toContain(`/afiliator/${visible.code.toLowerCase()}" />`)
    expect((await open(`/afiliator/${hidden.code}`)).body).not.toContain('og:title')
  })
})

describe('a device that visited links of affiliates', () => {
  test.each([
    ['first', 0],
    ['last', 1],
  ] as const)(
    'counts for the %s affiliate within 30 days, and the other touches are stored',
    async (touchRule, winner) => {
      await t.db
        .insertInto('settings')
        .values({ key: 'touchRule', value: JSON.stringify(touchRule), updatedAt: t.clock.now() } as never)
        .onConflict((same) => same.column('key').doUpdateSet({ value: JSON.stringify(touchRule) }))
        .execute()
      const day = 86_400_000
      const begin = t.clock.now().getTime()
      const [old, one, two] = [await anAffiliate(t), await anAffiliate(t), await anAffiliate(t)]
      const device = crypto.randomUUID()
      await touch({ code: old.code, source: 'link', device })
      t.clock.set(new Date(begin + 31 * day))
      for (let again = 0; again < 3; again++) await touch({ code: one.code.toLowerCase(), source: 'link', device })
      t.clock.set(new Date(begin + 32 * day))
      const answer = await touch({ code: two.code, source: 'link', device })
      const won = [one, two][winner]!
      expect(answer.json().data).toEqual({ name: null, ref: won.code })
      expect((await touch({ code: 'TIDAK-ADA', source: 'link', device })).json().data.ref).toBe(won.code)
      const account = await signUp({ ref: one.code, device })
      expect(account.referralCode).toBe(won.code)
      const touches = await t.db
        .selectFrom('affiliateTouches')
        .select(['affiliateId', 'outcome'])
        .where('accountId', '=', account.id)
        .orderBy('at')
        .execute()
      expect(touches).toHaveLength(3)
      expect(touches.filter(({ outcome }) => outcome === 'won')).toEqual([{ affiliateId: won.id, outcome: 'won' }])
      // A second account on the device does not count again.
      expect((await signUp({ device })).referralCode).toBeNull()
    },
  )
})

describe('the pages of an affiliate', () => {
  test('mask the names of people and show no phone number', async () => {
    const applicant = await asApplicant(t)
    const affiliate = await anAffiliate(t, { accountId: applicant.accountId })
    await aRule(t, affiliate.id, { stage: 'submitted', amount: 15_000 })
    const { accountId } = await aReferred(t, academic, affiliate.code, 'Dewi Lestari')
    await t.db.updateTable('applicants').set({ phone: '+6281277778888' }).where('accountId', '=', accountId).execute()
    await settleCommission(t.services)
    const own = await applicant.get('/account/affiliate')
    expect(own.json().data.affiliate).toMatchObject({
      code: affiliate.code,
      balance: { balance: 15_000, payable: 15_000 },
    })
    const people = await applicant.get('/account/affiliate/people')
    expect(people.json().data).toMatchObject([{ name: 'D*** L******', stage: 'submitted', commission: 15_000 }])
    const entries = await applicant.get('/account/affiliate/commission')
    expect(entries.json().data).toMatchObject([{ person: 'D*** L******', kind: 'earned', amount: 15_000 }])
    const files = await Promise.all(
      ['people', 'commission'].map((list) => applicant.get(`/account/affiliate/${list}/export?format=csv`)),
    )
    for (const { body } of [own, people, entries, ...files]) expect(body).not.toMatch(/Dewi|Lestari|77778888/)
  })

  test('are closed to other accounts, and staff lists to roles limited to programmes', async () => {
    const other = await asApplicant(t)
    expect((await other.get('/account/affiliate')).json().data).toEqual({ affiliate: null, application: null })
    for (const list of ['people', 'commission'])
      expect((await other.get(`/account/affiliate/${list}`)).json()).toMatchObject({ data: [], meta: { total: 0 } })
    const page = { slug: null, biography: '', programmeIds: [], counted: false, version: 1 }
    expect((await other.put('/account/affiliate', page)).statusCode).toBe(404)
    expect((await other.get('/komisi')).statusCode).toBe(403)
    const limited = await asWithPermissions(t, ['komisi-view', 'komisi-update'], {
      programmeIds: [academic.programmes[0]],
    })
    for (const path of [
      '/komisi',
      '/komisi/balances',
      '/komisi/holds',
      '/komisi/rules',
      '/komisi/payouts',
      '/komisi/payouts/preview',
    ])
      expect((await limited.get(path)).statusCode).toBe(403)
  })

  test('begin with a request that staff approve once', async () => {
    const applicant = await asApplicant(t)
    const request = {
      kind: 'alumni',
      phone: '081299990000',
      reason: 'Ingin membantu adik kelas',
      biography: 'Alumni 2020',
    }
    expect((await applicant.post('/account/affiliate/application', request)).json().data.application.status).toBe(
      'pending',
    )
    expect((await applicant.post('/account/affiliate/application', request)).json().code).toBe(
      'affiliate_application_waits',
    )
    const { data } = (await marketing.get('/komisi/applications?status=pending')).json()
    const answers = await Promise.all(
      [1, 2, 3].map(() => marketing.post(`/komisi/applications/${data[0].id}/approve`, { code: 'BARU26' })),
    )
    expect(answers.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409])
    const inbox = await t.db
      .selectFrom('messages')
      .select('event')
      .where('accountId', '=', applicant.accountId)
      .execute()
    expect(inbox).toContainEqual({ event: 'affiliate-approved' })
    const own = (await applicant.get('/account/affiliate')).json().data.affiliate
    expect(own).toMatchObject({ code: 'BARU26', kind: 'alumni', public: false, path: 'baru26' })
    const page = {
      slug: 'kakak-baik',
      biography: 'Tanya apa saja.',
      programmeIds: [academic.programmes[0]],
      counted: true,
      version: own.version,
    }
    const saved = await applicant.put('/account/affiliate', page)
    expect(saved.json().data.affiliate).toMatchObject({
      path: 'kakak-baik',
      page: { counted: true, slug: 'kakak-baik' },
    })
    expect((await applicant.put('/account/affiliate', page)).json().code).toBe('stale_version')
    const second = await asApplicant(t)
    await anAffiliate(t, { accountId: second.accountId })
    expect((await second.put('/account/affiliate', { ...page, version: 1 })).json().errors.slug).toBeDefined()
  })

  test('belong to the account that staff link, which can have one affiliate', async () => {
    const applicant = await asApplicant(t)
    const [one, two] = [await anAffiliate(t), await anAffiliate(t)]
    const link = (id: string, email: string) => marketing.put(`/komisi/affiliates/${id}/account`, { email })
    expect((await link(one.id, applicant.email.toUpperCase())).json().data.account.email).toBe(applicant.email)
    expect((await link(two.id, applicant.email)).json().code).toBe('affiliate_account_taken')
    expect((await link(two.id, 'tidak@ada.test')).json().errors.email).toBeDefined()
    expect((await link(one.id, '')).json().data.account).toBeNull()
    expect((await link(two.id, applicant.email)).statusCode).toBe(200)
  })
})

test('the report of affiliates counts visits and commission; a limited role sees its programmes only', async () => {
  const affiliate = await anAffiliate(t, { name: 'Dihitung' })
  await aRule(t, affiliate.id, { stage: 'submitted', amount: 12_000 })
  await aReferred(t, academic, affiliate.code.toLowerCase())
  await touch({ code: affiliate.code, source: 'link', device: crypto.randomUUID() })
  await settleCommission(t.services)
  t.clock.set(new Date(t.clock.now().getTime() + 60_000))
  const lineOf = async (actor: TestActor) => {
    const answer = await actor.get(
      `/reports/voucher-afiliator/figures?by=affiliate&affiliateId=${affiliate.id}&compare=no&year=all`,
    )
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().data.lines
  }
  const [all, limited] = [
    await lineOf(marketing),
    await lineOf(await asWithPermissions(t, ['laporan-voucher-afiliator'], { programmeIds: [academic.programmes[1]] })),
  ]
  const values = { started: 1, visits: 1, submitted: 1, commissionEarned: 12_000, commissionPaid: 0 }
  expect(all).toMatchObject([{ labels: { affiliate: 'Dihitung' }, values }])
  expect(limited).toEqual([])

  const finance = await asStaff(t, 'Keuangan')
  const valuesOf = async () => (await lineOf(marketing))[0].values
  const { id } = (await marketing.post('/komisi/payouts', { note: '' })).json().data
  expect(await valuesOf()).toMatchObject({ commissionApproved: 0, commissionPaid: 0 })
  expect((await finance.post(`/komisi/payouts/${id}/approve`)).statusCode).toBe(200)
  expect(await valuesOf()).toMatchObject({ commissionApproved: 12_000, commissionPaid: 0 })
  expect((await finance.post(`/komisi/payouts/${id}/paid`, { reference: 'BCA-9' })).statusCode).toBe(200)
  expect(await valuesOf()).toMatchObject({ commissionApproved: 12_000, commissionPaid: 12_000 })
})

test('the affiliate’s page and the dashboard card count the same people, even if another affiliate’s voucher wins over the code', async () => {
  const [mine, theirs] = [await asStaff(t, 'Afiliator'), await asStaff(t, 'Afiliator')]
  const { code } = await anAffiliate(t, { accountId: mine.accountId })
  const other = await anAffiliate(t, { accountId: theirs.accountId })
  await aReferred(t, academic, code)
  const { id } = await aReferred(t, academic, code)
  await t.db
    .insertInto('referrals')
    .values({ registrationId: id, affiliateId: other.id, source: 'voucher', decidedAt: t.clock.now() })
    .execute()
  for (const actor of [mine, theirs]) {
    const { people } = (await actor.get('/account/affiliate')).json().data.affiliate
    const { figures } = (await actor.get('/dashboard/cards/referred')).json().data
    expect([people.started, figures[1].value]).toEqual([1, 1])
  }
})
