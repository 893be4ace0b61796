import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LinkEnd } from '#domain/payments/links/payment-page.ts'
import type { Language } from '#entities/define/language.ts'
import { cancelBills } from '#server/modules/payments/bills/change/cancel-bills.ts'
import { issueBill } from '#server/modules/payments/bills/change/issue-bill.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { asApplicant, asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { type AcademicFixture, academicFixture } from '#server-test/factories/academic.ts'
import { approvedByAnother } from '#server-test/factories/approvals.ts'
import { aBill, aReport, assertBalanced, aVirtualAccount, leave } from '#server-test/factories/payments.ts'
import { raceBehind, untilLocked } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let academic: AcademicFixture
beforeAll(async () => {
  t = await testApp()
  academic = await academicFixture(t.db)
})
afterAll(async () => {
  await assertBalanced(t)
  await t.close()
})

type Link = { id: string; billId: string; url: string | null; visits: number; openedAt: string | null }
const linksOf = async (actor: TestActor, registrationId: string) =>
  (await actor.get(`/pendaftaran/${registrationId}/payment-links`)).json().data as Link[]

async function aSharedBill(options: Partial<Parameters<typeof aBill>[2]> = {}) {
  const issued = await aBill(t, academic, { amount: 250_000, name: 'Sari Wulandari Putri', ...options })
  const { bill, actor, registration } = issued
  const answer = await actor.post(`/bills/${bill.id}/payment-link`)
  expect(answer.statusCode, answer.body).toBe(200)
  const [link] = await linksOf(actor, registration.id)
  return { ...issued, link: link!, path: new URL(link!.url!).pathname }
}

const open = (path: string, language: Language = 'id') =>
  t.app.inject({ method: 'GET', url: path, headers: { 'accept-language': language } })
const submit = (path: string, fields: Record<string, string> = {}) =>
  t.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'id' },
    payload: new URLSearchParams(fields).toString(),
  })
const takeBack = (actor: TestActor, { id }: Link) => actor.post(`/payment-links/${id}/take-back`)

/** The page says in both languages why it shows no bill, and shows none of it. */
async function expectEnd(path: string, end: LinkEnd, status: number) {
  for (const language of ['id', 'en'] as const) {
    const page = await open(path, language)
    expect([page.statusCode, page.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
    expect(page.body).toContain(`<html lang="${language}">`)
    expect(page.body).toContain(sentences(language)(`payment-page:end.${end}.title`))
    expect(page.body).not.toContain('S. W. P.')
    expect(page.body).not.toMatch(/250[.]000|<form|dibuka[.]gif/)
  }
}

test('the page behind a link asks in both languages for the amount of one bill and takes no account', async () => {
  const { path } = await aSharedBill()
  const page = await open(path)
  expect([page.statusCode, page.headers['cache-control']]).toEqual([200, 'no-store'])
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  expect(page.body).toContain('Bayar Rp')
  for (const text of ['S. W. P.', '250.000', 'Biaya pendaftaran', 'noindex']) expect(page.body).toContain(text)
  const english = await open(`${path}?lang=en`)
  expect(english.body).toContain('<html lang="en">')
  expect(english.body).toContain('Registration fee')
  expect((await t.app.inject({ method: 'GET', url: path })).body).toContain('<html lang="id">')
})

test('nothing of the applicant leaves but initials and the study programme, whatever state the bill is in', async () => {
  const { bill, actor, registration, link, path } = await aSharedBill()
  const { fullName, email, phone, code } = await t.db
    .selectFrom('registrations as r')
    .innerJoin('accounts as c', 'c.id', 'r.accountId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['a.fullName', 'c.email', 'c.phone', 'r.code'])
    .where('r.id', '=', registration.id)
    .executeTakeFirstOrThrow()
  const secrets = [fullName, 'Wulandari', email, phone!, code, bill.number, bill.id]
  secrets.push(registration.id, registration.accountId, link.id, actor.token)
  const pages = [await open(path)]
  await submit(`${path}/nomor`, { bank: 'sandbox-a' })
  pages.push(await open(path), await submit(`${path}/nomor`, { bank: 'nowhere' }))
  const { number } = await aVirtualAccount(actor, bill.id)
  await aReport(t, { virtualAccountNumber: number, amount: 100_000 }).send()
  pages.push(await open(path))
  await aReport(t, { virtualAccountNumber: number, amount: 150_000 }).send()
  pages.push(await open(path))
  await takeBack(actor, link)
  pages.push(await open(path))
  const leaks = pages.flatMap(({ body }, index) =>
    secrets.filter((text) => body.includes(text)).map((text) => [index, text]),
  )
  expect(leaks).toEqual([])
  expect(pages.map(({ statusCode }) => statusCode)).toEqual([200, 200, 422, 200, 200, 410])
})

test('a number asked for on the page is the one the applicant sees, and asking twice at once makes one', async () => {
  const { bill, actor, path } = await aSharedBill()
  const answers = await Promise.all([1, 2, 3].map(() => submit(`${path}/nomor`, { bank: 'sandbox-a' })))
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303])
  const { number } = await aVirtualAccount(actor, bill.id)
  const page = await open(path)
  expect(page.body).toContain(`data-copy="${number}"`)
  expect(page.body).toContain(`/sandbox-bank/${number}`)
  // One answer on a slow line, the code to scan included.
  expect(gzipSync(page.body).length).toBeLessThan(8_000)
  const numbers = await t.db.selectFrom('virtualAccounts').select('id').where('billId', '=', bill.id).execute()
  expect(numbers).toHaveLength(1)
})

test('a payment shows on the page with a receipt that has initials, no registration and no lines', async () => {
  const { bill, path } = await aSharedBill()
  await submit(`${path}/nomor`, { bank: 'sandbox-a' })
  const number = /data-copy="(\d{8,})"/.exec((await open(path)).body)![1]!
  const schedule = () =>
    t.db.selectFrom('virtualAccounts').select(['askAt', 'asks']).where('number', '=', number).executeTakeFirstOrThrow()
  const before = await schedule()
  for (let times = 0; times < 3; times++)
    expect((await submit(`${path}/periksa`)).headers.location).toContain('asked=none')
  expect(await schedule()).toEqual(before)
  await aReport(t, { virtualAccountNumber: number, amount: 250_000 }).send()
  const page = await open(path)
  expect(page.body).toContain('Tagihan ini sudah lunas')
  expect(page.body).not.toContain('<form')
  const receipt = /href="([^"?]+\/kuitansi\/[^"?]+)/.exec(page.body)![1]!
  const pdf = await open(receipt)
  expect([pdf.statusCode, pdf.headers['content-type']]).toEqual([200, 'application/pdf'])
  const other = await aSharedBill()
  expect((await open(receipt.replace(path, other.path))).statusCode).toBe(404)
  expect((await open(`${path}/kuitansi/${'-'.repeat(36)}`)).statusCode).toBe(404)
  expect(
    (await t.db.selectFrom('bills').select('status').where('id', '=', bill.id).executeTakeFirstOrThrow()).status,
  ).toBe('paid')
})

test('no other bill is reached: links are known by their signature, and those of other kinds do not fit', async () => {
  const { link, path } = await aSharedBill()
  const token = path.split('/').at(-1)!
  const changed = token.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
  const otherId = (await aSharedBill()).path.split('/').at(-1)!.slice(0, 32) + token.slice(32)
  for (const text of [changed, otherId, link.id, `${token}0`, token.slice(1), 'x', '%00', encodeURIComponent('<b>')])
    await expectEnd(`/bayar/${text}`, 'broken', 404)
})

test('a link that was taken back shows no bill, and a new one has another address', async () => {
  const { bill, actor, registration, link, path } = await aSharedBill()
  expect((await takeBack(actor, link)).statusCode).toBe(200)
  await expectEnd(path, 'taken_back', 410)
  expect((await submit(`${path}/nomor`, { bank: 'sandbox-a' })).statusCode).toBe(410)
  expect((await submit(`${path}/periksa`)).statusCode).toBe(410)
  expect(await linksOf(actor, registration.id)).toEqual([])
  await actor.post(`/bills/${bill.id}/payment-link`)
  const [next] = await linksOf(actor, registration.id)
  expect(next!.url).not.toBe(link.url)
  expect((await open(new URL(next!.url!).pathname)).statusCode).toBe(200)
  await expectEnd(path, 'taken_back', 410)
  expect((await takeBack(actor, link)).statusCode).toBe(200)
  expect(await linksOf(actor, registration.id)).toHaveLength(1)
})

test('a cancelled bill, one that was replaced and one of an expired registration each have their own page', async () => {
  const end = (registrationId: string) =>
    inTransaction(t.services, systemActor, (context) => cancelBills(context, registrationId, 'Alasan contoh'))
  const cancelled = await aSharedBill()
  await end(cancelled.registration.id)
  await leave(t, cancelled.registration.id)
  await expectEnd(cancelled.path, 'cancelled', 410)

  const expired = await aSharedBill()
  await end(expired.registration.id)
  await t.db
    .updateTable('registrations')
    .set({ status: 'expired', closedAt: t.clock.now(), closedFrom: 'submitted' })
    .where('id', '=', expired.registration.id)
    .execute()
  await sql`SELECT fill_registration_steps()`.execute(t.db)
  await expectEnd(expired.path, 'expired', 410)

  const replaced = await aSharedBill()
  await end(replaced.registration.id)
  await inTransaction(t.services, systemActor, (context) =>
    issueBill(context, {
      registrationId: replaced.registration.id,
      accountId: replaced.registration.accountId,
      kind: 'registration_fee',
      lines: [{ description: 'Biaya pendaftaran', amount: 200_000 }],
      dueAt: new Date(t.clock.now().getTime() + 86_400_000),
      installmentPlanId: null,
    }),
  )
  await expectEnd(replaced.path, 'replaced', 410)
  expect((await open(replaced.path)).body).not.toContain('200.000')
})

test('the applicant sees visits of people, and loading the page again is the same visit', async () => {
  const { actor, registration, path } = await aSharedBill()
  await open(path)
  expect((await linksOf(actor, registration.id))[0]).toMatchObject({ visits: 0, openedAt: null })
  expect((await open(`${path}/dibuka.gif`)).headers['content-type']).toBe('image/gif')
  await open(`${path}/dibuka.gif`)
  expect((await linksOf(actor, registration.id))[0]!.visits).toBe(1)
  t.clock.set(new Date(Date.now() + 11 * 60_000))
  await open(`${path}/dibuka.gif`)
  t.clock.reset()
  expect((await linksOf(actor, registration.id))[0]!.visits).toBe(2)
})

test('only the applicant gets the address; others see neither link nor bill, and staff cannot use it', async () => {
  const { bill, registration, link } = await aSharedBill()
  const stranger = await asApplicant(t)
  expect((await stranger.get(`/pendaftaran/${registration.id}/payment-links`)).statusCode).toBe(404)
  expect((await stranger.post(`/bills/${bill.id}/payment-link`)).statusCode).toBe(404)
  expect((await takeBack(stranger, link)).statusCode).toBe(404)
  const clerk = await asStaff(t, 'Keuangan')
  expect(await linksOf(clerk, registration.id)).toMatchObject([{ id: link.id, url: null }])
  expect((await clerk.post(`/bills/${bill.id}/payment-link`)).statusCode).toBe(403)
  const editor = await asWithPermissions(t, ['pendaftaran-view', 'pendaftaran-edit'])
  expect((await editor.post(`/bills/${bill.id}/payment-link`)).statusCode).toBe(403)
  expect((await takeBack(editor, link)).statusCode).toBe(403)
  expect(await linksOf(clerk, registration.id)).toHaveLength(1)
})

test('ten presses on "make a link" at once make one, and a bill that is paid gets none', async () => {
  const { bill, actor, registration } = await aBill(t, academic, { amount: 250_000 })
  const lock = sql`SELECT FROM bills WHERE id = ${bill.id} FOR UPDATE`
  const press = () => actor.post(`/bills/${bill.id}/payment-link`)
  const answers = await raceBehind(t, lock, 6, () => Promise.all(Array.from({ length: 6 }, press)))
  expect(new Set(answers.map((answer) => answer.json().data.id)).size).toBe(1)
  const { number } = await aVirtualAccount(actor, bill.id)
  await aReport(t, { virtualAccountNumber: number, amount: 250_000 }).send()
  expect((await press()).json().code).toBe('wrong_status')
  expect(await linksOf(actor, registration.id)).toHaveLength(1)
})

test('a link taken back while somebody asks for a number through it gives none', async () => {
  const { bill, actor, link, path } = await aSharedBill()
  const lock = sql`SELECT FROM bills WHERE id = ${bill.id} FOR UPDATE`
  const ended = sql`UPDATE payment_links SET taken_back_at = now(), taken_back_by = ${actor.accountId} WHERE id = ${link.id}`
  const answer = await raceBehind(t, lock, 1, () => submit(`${path}/nomor`, { bank: 'sandbox-a' }), ended)
  expect(answer.statusCode).toBe(410)
  expect(answer.body).toContain('Tautan ini sudah ditarik')
  expect(await t.db.selectFrom('virtualAccounts').select('id').where('billId', '=', bill.id).execute()).toEqual([])
})

test('taking a link back waits for a number that is being reserved through it, and the number stays', async () => {
  const { bill, actor, link, path } = await aSharedBill()
  const lock = sql`LOCK TABLE virtual_accounts IN SHARE MODE`
  const [number, end] = await raceBehind(t, lock, 2, async () => {
    const reservation = submit(`${path}/nomor`, { bank: 'sandbox-a' })
    await untilLocked(t, 1)
    return Promise.all([reservation, takeBack(actor, link)])
  })
  expect([number.statusCode, end.statusCode]).toEqual([303, 200])
  await expectEnd(path, 'taken_back', 410)
  expect(await t.db.selectFrom('virtualAccounts').select('id').where('billId', '=', bill.id).execute()).toHaveLength(1)
})

test('sharing and taking back are in the audit log, without the address', async () => {
  const { bill, actor, link } = await aSharedBill()
  await takeBack(actor, link)
  const log = await t.db
    .selectFrom('auditLog')
    .select(['action', 'actorId', 'after', 'before'])
    .where('subjectId', '=', bill.id)
    .where('action', 'in', ['bill.share', 'bill.takeBackLink'])
    .orderBy('id')
    .execute()
  expect(log.map(({ action, actorId }) => [action, actorId])).toEqual([
    ['bill.share', actor.accountId],
    ['bill.takeBackLink', actor.accountId],
  ])
  expect(JSON.stringify(log)).not.toContain(link.url!.slice(-20))
})

test('an overdue bill says so and can still be paid', async () => {
  const { path } = await aSharedBill({ dueAt: new Date(t.clock.now().getTime() - 3_600_000) })
  const page = await open(path)
  expect(page.body).toMatch(/Bayar Rp.250[.]000 sekarang[.] Jatuh temponya/)
  expect((await submit(`${path}/nomor`, { bank: 'sandbox-a' })).statusCode).toBe(303)
})

test('money that waits is told before somebody pays again', async () => {
  const { bill, path } = await aSharedBill()
  await submit(`${path}/nomor`, { bank: 'sandbox-a' })
  const { number } = await t.db
    .selectFrom('virtualAccounts')
    .select('number')
    .where('billId', '=', bill.id)
    .executeTakeFirstOrThrow()
  await aReport(t, { virtualAccountNumber: number!, amount: 260_000 }).send()
  expect((await open(path)).body).toMatch(/Rp.10[.]000 masuk di luar tagihan ini/)
})

test('a payment shows without what was given back of it, as on the page of the applicant', async () => {
  const { bill, actor, path } = await aSharedBill()
  const { number } = await aVirtualAccount(actor, bill.id)
  await aReport(t, { virtualAccountNumber: number, amount: 300_000 }).send()
  const { id } = await t.db.selectFrom('payments').select('id').where('billId', '=', bill.id).executeTakeFirstOrThrow()
  const clerk = await asStaff(t, 'Keuangan')
  const payee = { bank: 'Bank Contoh', accountNumber: '1234567890', accountHolder: 'Sari Wulandari' }
  const answer = await clerk.post(`/pembayaran-mahasiswa/${id}/refund`, {
    amount: 50_000,
    ...payee,
    reason: 'Kelebihan bayar',
  })
  expect(answer.statusCode, answer.body).toBe(200)
  await approvedByAnother(t, answer.json().data.id)
  const page = await open(path)
  expect(page.body).toContain('250.000')
  expect(page.body).not.toContain('300.000')
})

test('the audit log names the link through which a number was answer for', async () => {
  const { bill, link, path } = await aSharedBill()
  await submit(`${path}/nomor`, { bank: 'sandbox-a' })
  const entry = await t.db
    .selectFrom('auditLog')
    .select(['actorName', 'after'])
    .where('action', '=', 'virtual-account.issue')
    .where(sql<boolean>`after->>'bill' = ${bill.number}`)
    .executeTakeFirstOrThrow()
  expect(entry).toMatchObject({ actorName: 'Payment link', after: { linkId: link.id } })
})

test('text in the address is never drawn as markup', async () => {
  const page = await open(`/bayar/${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(page.body).not.toContain('<script>alert')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
})
