import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { as, someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { atTheBank, pay } from './support/money-steps.ts'
import { seeArrival, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const say = wordsOf('id')
const m = (key: string, params?: Record<string, string | number>) => say(`programme-change:${key}`, params)
const p = (key: string, params?: Record<string, string | number>) => say(`bills:${key}`, params)

describe('a change of study programme', () => {
  test('shows its effect on the bill in advance, and has exactly that effect', async () => {
    const who = await someoneWho(
      world,
      `r.status = 'confirmed' AND EXISTS (SELECT FROM bills b
      WHERE b.registration_id = r.id AND b.kind = 're_registration' AND b.status = 'open')
      AND NOT EXISTS (SELECT FROM approval_requests q WHERE q.registration_id = r.id AND q.status = 'pending')`,
    )
    const staff = await world.person({ width: 1280, language: 'id' })
    const { page, checkPage } = staff
    await world.keepPicturesOnFailure('programme-change', [staff], async () => {
      const admin = await as(world, 'administrator')
      const billOf = async () =>
        (await admin('GET', `${who.registration}/bills`)).data.bills.find(
          (bill: { kind: string; status: string }) => bill.kind === 're_registration' && bill.status !== 'cancelled',
        )
      const before = await billOf()
      await signInAs(staff, say, 'administrator')
      await goTo(page, who.registration)
      await page.getByRole('link', { name: m('change') }).click()
      await page.getByRole('combobox', { name: m('form.where') }).click()
      await page
        .getByRole('option')
        .filter({ hasNotText: m('form.full') })
        .nth(4)
        .click()
      await page.getByText(m('compare.title')).waitFor()
      await page.getByRole('button', { name: m('form.accept') }).click()
      await page.getByText(say('validation:required')).waitFor()
      await checkPage('pindah-prodi/create: a reason is missing')
      await page.getByRole('textbox', { name: m('form.reason') }).fill('Permintaan pendaftar, surat 12/2026')
      await page.getByRole('button', { name: m('form.accept') }).click()
      await goTo(page, '/pindah-prodi')
      await page.getByRole('row', { name: new RegExp(who.name) }).waitFor()
      await checkPage('pindah-prodi')
      const after = await billOf()
      expect(after.paid).toBe(Math.min(before.paid, after.total))
      const { data: changes } = await admin('GET', '/pindah-prodi')
      expect(changes[0]).toMatchObject({ totalBefore: before.total, totalAfter: after.total })
    })
  })
})

/** Whether a top edge is below the header and well above the tabs of a phone's page. */
const isOnPhone = (y?: number) => y !== undefined && y >= 0 && y < 500

describe('an applicant who pays', () => {
  test('too little, too much and to an expired number: each rupiah is booked or waits, with the right sentence', async () => {
    const who = await someoneWho(world, `r.status = 'submitted'`)
    const applicant = await world.person({ width: 360, language: 'id' })
    const clerk = await world.person({ width: 1280, language: 'id' })
    const { page, checkPage } = applicant
    await world.keepPicturesOnFailure('amounts', [applicant, clerk], async () => {
      await signInAs(applicant, say, who.account)
      const counter = await atTheBank(applicant, who.registration)
      await pay(applicant, new RegExp(`^${p('sandbox.underpay', { amount: '' }).trim()}`))
      await goTo(page, `${who.registration}/pembayaran`)
      const announcement = page.getByRole('dialog')
      await announcement.getByRole('button', { name: say('registration:act.payment') }).click()
      await announcement.waitFor({ state: 'detached' })
      const place = page.locator('[data-pay-place]:focus')
      await place.waitFor()
      await vi.waitFor(async () => expect((await place.boundingBox())?.y).toSatisfy(isOnPhone), 5_000)
      await page.getByText(p('billStatus.partly_paid')).first().waitFor()
      await page.getByRole('button', { name: p('account.otherBank') }).click()
      await page.locator('[data-pay-place]:focus').getByText(p('account.choose'), { exact: true }).waitFor()
      await vi.waitFor(async () => expect((await place.boundingBox())?.y).toSatisfy(isOnPhone), 5_000)
      await checkPage('pembayaran: half is paid')

      // Expires the number; later payments to it are still booked on the bill.
      const number = counter.split('/').at(-1)!
      const db = new pg.Client({ connectionString: world.databaseUrl })
      await db.connect()
      await db.query(
        `UPDATE virtual_accounts SET status = 'expired', closed_at = now(), expires_at = now() WHERE number = $1`,
        [number],
      )
      await db.end()
      await goTo(page, counter)
      await page.getByLabel(p('sandbox.own')).fill('200000')
      await pay(applicant, p('sandbox.payOwn'))
      await goTo(page, `${who.registration}/pembayaran`)
      await seeArrival(applicant, say)
      await page.getByText(/lebih banyak dari tagihan/).waitFor()
      await page.getByText(new RegExp(p('bookedWaiting', { amount: 'Rp' }).split('Rp')[0]!)).waitFor()
      await checkPage('pembayaran: too much')

      await signInAs(clerk, say, 'keuangan')
      await goTo(clerk.page, `/uang-menunggu?q=${number}`)
      await clerk.page
        .getByRole('row', { name: new RegExp(who.name) })
        .first()
        .click()
      await clerk.page.getByText(say('money:waiting.help.overpaid')).waitFor()
      await clerk.checkPage('uang-menunggu')
      await clerk.page.getByRole('button', { name: say('money:waiting.take'), exact: true }).click()
      await clerk.page.getByRole('dialog').getByLabel(say('money:waiting.note')).fill('Akan dikembalikan')
      await clerk.page
        .getByRole('dialog')
        .getByRole('button', { name: say('common:actions.save') })
        .click()
      await clerk.page.getByText('Akan dikembalikan').first().waitFor()
    })
  })

  test('in instalments, with a discount and a voucher', async () => {
    const who = await someoneWho(
      world,
      `r.status = 'decided' AND r.decision = 'accepted' AND EXISTS (
      SELECT FROM result_publications o WHERE o.wave_id = r.wave_id AND o.track_id = r.track_id AND o.publish_at < now())`,
    )
    const applicant = await world.person({ width: 360, language: 'id' })
    const { page, checkPage } = applicant
    await world.keepPicturesOnFailure('instalments', [applicant], async () => {
      const admin = await as(world, 'administrator')
      const discount = (code: string, condition: string, value: number) =>
        admin('POST', '/master/diskon', {
          code,
          name: `Potongan ${code}`,
          kind: 'fixed',
          value,
          appliesTo: 'fee_component',
          condition,
          stackable: true,
        })
      await discount('AWAL', 'early', 250_000)
      const { data: byVoucher } = await discount('KUPON', 'voucher', 100_000)
      await admin('POST', `/master/diskon/${byVoucher.id}/voucher`, { code: 'HEMAT26' })

      await signInAs(applicant, say, who.account)
      await goTo(page, `/pendaftaran/voucher/${who.registration.split('/').at(-1)}`)
      await page.getByLabel(p('voucher.code')).fill('hemat26')
      await page.getByRole('button', { name: p('voucher.use') }).click()
      await page.getByText(p('voucher.accepted')).waitFor()
      await checkPage('pendaftaran/voucher')
      await goTo(page, '/konfirmasi-kelulusan')
      await page.getByRole('radio', { name: /Tiga kali/ }).click()
      await page.getByText('Potongan AWAL').first().waitFor()
      await page.getByText('Potongan KUPON').first().waitFor()
      await checkPage('konfirmasi-kelulusan: with discounts')
      const confirm = say('registration:confirm.button')
      await page.getByRole('button', { name: confirm, exact: true }).click()
      await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click()
      await page.waitForURL(/\/pembayaran$/)
      for (const position of [1, 2, 3]) {
        await atTheBank(applicant, who.registration)
        await pay(applicant, new RegExp(`^${p('sandbox.payExact', { amount: 'Rp' })}`))
        await goTo(page, `${who.registration}/pembayaran`)
        await seeArrival(applicant, say)
        await page.getByText(p('history.title')).waitFor()
        await checkPage(`pembayaran: instalment ${position}`)
      }
      await page
        .getByText(new RegExp(p('paid.whole', { amount: '' }).trim()))
        .first()
        .waitFor()
      const { data } = await admin('GET', `${who.registration}/bills`)
      const bill = data.bills.find((candidate: { kind: string }) => candidate.kind === 're_registration')
      expect(bill).toMatchObject({ status: 'paid' })
      expect(bill.lines.map(({ amount }: { amount: number }) => amount)).toEqual(
        expect.arrayContaining([-250_000, -100_000]),
      )
    })
  })
})
