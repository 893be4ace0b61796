import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { as, someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { approveFirst } from './support/money-steps.ts'
import { picture, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const say = wordsOf('id')
const c = (key: string, params?: Record<string, string | number>) => say(`reconciliation:${key}`, params)

describe('the finance office', () => {
  test('enters a transfer, which another person approves, and refunds it after the applicant has left', async () => {
    const who = await someoneWho(
      world,
      `r.status = 'confirmed' AND EXISTS (SELECT FROM bills b
      WHERE b.registration_id = r.id AND b.kind = 're_registration' AND b.status = 'open')`,
    )
    const clerk = await world.person({ width: 1280, language: 'id' })
    const chief = await world.person({ width: 1280, language: 'id' })
    const { page, checkPage } = clerk
    await world.keepPicturesOnFailure('transfer', [clerk, chief], async () => {
      const admin = await as(world, 'administrator')
      const { data: bills } = await admin('GET', `/bills?q=${encodeURIComponent(who.name)}&status=open`)
      const bill = bills.find((candidate: { kind: string }) => candidate.kind === 're_registration')
      await admin('POST', '/master/pengembalian-dana', {
        code: 'SEBELUM-OSPEK',
        name: 'Sebelum orientasi',
        kind: 're_registration',
        lastDay: new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10),
        shareBps: 7500,
      })

      await signInAs(clerk, say, 'keuangan')
      await goTo(page, '/pembayaran-mahasiswa/create')
      await page.getByLabel(say('money:enter.bill')).first().fill(bill.number)
      await page.getByRole('option').first().click()
      await page
        .getByRole('button', { name: new RegExp(`^${say('money:enter.wholeRest', { amount: '' }).trim()}`) })
        .click()
      await page.getByText(say('money:enter.methods.transfer'), { exact: true }).click()
      await page.getByRole('button', { name: say('money:enter.send') }).click()
      // Every missing field is reported at once, beside its input.
      await page.getByText(say('errors:field_required')).waitFor()
      await page.getByText(say('errors:file_missing')).waitFor()
      await checkPage('pembayaran-mahasiswa/create: what is missing')
      await page.getByLabel(say('money:enter.reference')).fill('TRF-2026-0001')
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'bukti.jpg', mimeType: 'image/jpeg', buffer: await picture(600, 800) })
      await page.getByText('bukti.jpg').first().waitFor()
      await page.waitForTimeout(800)
      await checkPage('pembayaran-mahasiswa/create')
      await page.getByRole('button', { name: say('money:enter.send') }).click()
      await page.waitForURL(/\/persetujuan/)
      await page
        .getByRole('row', { name: new RegExp(who.name) })
        .first()
        .click()
      await page.getByText(say('approvals:whyNot.own_request')).waitFor()
      await checkPage('persetujuan: own request')

      await signInAs(chief, say, 'administrator')
      await approveFirst(chief, who.name)

      await goTo(page, `/pembayaran-mahasiswa?q=${encodeURIComponent(who.name)}`)
      await page.getByText(who.name).first().waitFor()
      const { data: payments } = await admin('GET', `/pembayaran-mahasiswa?q=${encodeURIComponent(who.name)}`)
      const payment = payments.find((candidate: { channel: string }) => candidate.channel === 'transfer')
      await admin('POST', `${who.registration}/cancel`, { reason: 'Mengundurkan diri, pindah kota' })
      await goTo(page, `/pembayaran-mahasiswa/${payment.id}`)
      await checkPage('pembayaran-mahasiswa/{id}')
      await page.getByRole('button', { name: say('money:refund.ask'), exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/Sebelum orientasi/).waitFor()
      await checkPage('refund')
      await dialog.getByLabel(say('money:refund.amount')).fill('1000000')
      await dialog.getByLabel(say('money:refund.bank')).fill('Bank Contoh')
      await dialog.getByLabel(say('money:refund.accountNumber')).fill('1234567890')
      await dialog.getByLabel(say('approvals:approval.reason')).fill('Mengundurkan diri sebelum orientasi')
      await dialog.getByRole('button', { name: say('money:refund.ask'), exact: true }).click()
      await dialog.waitFor({ state: 'hidden' })
      await approveFirst(chief, who.name)

      await page.reload()
      await page.getByText(/^RF-/).waitFor()
      await page.getByRole('button', { name: say('money:refund.payOut') }).click()
      await page.getByRole('dialog').getByLabel(say('money:enter.reference')).fill('OUT-1')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say('money:refund.payOut') })
        .click()
      await page.getByText(/OUT-1/).waitFor()
      await checkPage('pembayaran-mahasiswa/{id}: given back')
      const { data: statement } = await admin('GET', `${who.registration}/statement`)
      expect(statement.lines.map(({ what }: { what: string }) => what)).toContain('refund')
    })
  })

  test('sees changes made since a request, and requests again; an entry similar to another needs a reason why it is no duplicate', async () => {
    const who = await someoneWho(
      world,
      `r.status = 'confirmed' AND EXISTS (SELECT FROM bills b
      WHERE b.registration_id = r.id AND b.kind = 're_registration' AND b.status = 'open')`,
    )
    const clerk = await world.person({ width: 1280, language: 'id' })
    const chief = await world.person({ width: 360, language: 'id' })
    const { page, checkPage } = clerk
    await world.keepPicturesOnFailure('changed', [clerk, chief], async () => {
      const admin = await as(world, 'administrator')
      const { data: bills } = await admin('GET', `/bills?q=${encodeURIComponent(who.name)}&status=open`)
      const bill = bills.find((candidate: { kind: string }) => candidate.kind === 're_registration')
      const discount = { kind: 'percent', appliesTo: 'fee_component', stackable: true }
      const forMerit = { ...discount, code: 'PRESTASI', name: 'Potongan prestasi', condition: 'manual' }
      const { data: merit } = await admin('POST', '/master/diskon', { ...forMerit, value: 1 })
      await admin('POST', '/master/diskon', {
        ...discount,
        code: 'SAUDARA',
        name: 'Potongan saudara',
        value: 5,
        condition: 'sibling',
      })

      await signInAs(clerk, say, 'keuangan')
      await goTo(page, `/pembayaran-mahasiswa?show=bills&q=${encodeURIComponent(who.name)}`)
      await page
        .getByRole('row', { name: new RegExp(bill.number) })
        .first()
        .click()
      await page.getByRole('button', { name: say('money:exception.ask') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('combobox', { name: say('money:exception.what') }).click()
      await page.getByRole('option', { name: say('money:exception.kinds.discount') }).click()
      const chosen = dialog.getByRole('combobox', { name: say('money:exception.discount') })
      await chosen.click()
      await page.getByRole('option', { name: /Potongan saudara/ }).click()
      await dialog.getByLabel(say('money:exception.sibling')).fill('00000')
      await dialog.getByText(say('money:exception.siblingUnknown')).waitFor()
      await checkPage('exception: a sibling who is no student')
      await chosen.click()
      await page.getByRole('option', { name: /Potongan prestasi/ }).click()
      await dialog.getByLabel(say('approvals:approval.reason')).fill('Juara olimpiade sains')
      await dialog.getByRole('button', { name: say('money:exception.ask') }).click()
      await dialog.waitFor({ state: 'hidden' })

      await admin('PUT', `/master/diskon/${merit.id}`, {
        ...forMerit,
        nameEn: null,
        onPublicPage: false,
        value: 75,
        feeComponentId: null,
        validFrom: null,
        validTo: null,
        maxUses: null,
        version: 1,
      })
      await signInAs(chief, say, 'administrator')
      await goTo(chief.page, `/persetujuan?status=pending&q=${encodeURIComponent(bill.number)}`)
      await chief.page.getByText(who.name).first().click()
      await chief.page.getByText(say('approvals:approval.changed')).waitFor()
      await chief.checkPage('persetujuan: changed since it was asked')
      expect(
        await chief.page.getByRole('button', { name: say('approvals:approval.approve'), exact: true }).count(),
      ).toBe(0)
      await goTo(page, `/persetujuan?status=pending&q=${encodeURIComponent(bill.number)}`)
      await page.getByRole('row', { name: new RegExp(who.name) }).click()
      await page.getByText(say('approvals:approval.changed')).waitFor()
      await checkPage('persetujuan: own request, changed since')
      await page.getByRole('button', { name: say('approvals:approval.renew') }).click()
      await page.getByText(say('approvals:approval.done.renew'), { exact: true }).first().waitFor()

      const entry = {
        billId: bill.id,
        amount: 100_000,
        method: 'cash',
        payerName: 'Ayah',
        paidAt: new Date().toISOString(),
      }
      await admin('POST', '/pembayaran-mahasiswa', entry)
      await goTo(page, '/pembayaran-mahasiswa/create')
      await page.getByLabel(say('money:enter.bill')).first().fill(bill.number)
      await page.getByRole('option').first().click()
      await page.getByLabel(say('money:enter.amount')).fill('100000')
      await page.getByRole('button', { name: say('money:enter.send') }).click()
      await page.getByText(say('approvals:look.title')).waitFor()
      await checkPage('pembayaran-mahasiswa/create: looks like another')
      await page.getByRole('button', { name: say('money:enter.send') }).click()
      await page.getByText(say('validation:required')).waitFor()
      await page.getByLabel(say('approvals:look.another')).fill('Ibu membayar sendiri di loket dua')
      await page.getByRole('button', { name: say('money:enter.send') }).click()
      await page.waitForURL(/\/persetujuan/)
      await goTo(chief.page, `/persetujuan?status=pending&kind=manual_payment&q=${encodeURIComponent(bill.number)}`)
      await chief.page.getByText(who.name).first().click()
      await chief.page.getByText('Ibu membayar sendiri di loket dua').waitFor()
      await chief.page.getByText(say('approvals:look.why.sum')).waitFor()
      await chief.checkPage('persetujuan: looks like another')
    })
  })
})

/** A day before the demo's statement, with at least three payments through one bank. */
async function aDayOfPayments() {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    const { rows } = await db.query(
      `SELECT to_char(p.paid_at AT TIME ZONE 'Asia/Jakarta', 'YYYY-MM-DD') AS day,
         json_agg(json_build_object('reference', p.provider_reference, 'amount', p.amount) ORDER BY p.id) AS payments
       FROM payments p JOIN virtual_accounts v ON v.id = p.virtual_account_id
       WHERE p.paid_at < now() - interval '15 days'
       GROUP BY 1, v.bank HAVING count(*) >= 3 ORDER BY 1 LIMIT 1`,
    )
    return rows[0] as { day: string; payments: { reference: string; amount: number }[] }
  } finally {
    await db.end()
  }
}

const dotted = (amount: number) => `${String(amount).replace(/\B(?=(\d{3})+$)/g, '.')},00`

describe('reconciliation', () => {
  test('a day with three differences ends with books and bank in agreement', async () => {
    const { day, payments } = await aDayOfPayments()
    const [missing, changed, ...others] = payments
    const clerk = await world.person({ width: 1280, language: 'id' })
    const chief = await world.person({ width: 1280, language: 'id' })
    const { page, checkPage } = clerk
    const date = day.split('-').reverse().join('/')
    const credit = (text: string, reference: string, amount: number) =>
      `${date};${text};${reference};;${dotted(amount)}`
    const statement = [
      'Rekening Koran;Universitas Contoh',
      'Tanggal;Keterangan;Referensi;Debet;Kredit',
      ...others.map(({ reference, amount }) => credit('TRANSFER VA', reference, amount)),
      credit('TRANSFER VA', changed!.reference, changed!.amount - 2_500),
      credit('SETORAN TUNAI TANPA NAMA', 'CSH-7781', 375_000),
      `${date};BIAYA ADMINISTRASI;;15.000,00;`,
    ].join('\r\n')
    await world.keepPicturesOnFailure('reconcile', [clerk, chief], async () => {
      await signInAs(clerk, say, 'keuangan')
      await signInAs(chief, say, 'administrator')
      await goTo(page, '/rekonsiliasi')
      await page.getByRole('link', { name: c('tabs.statements') }).click()
      const add = page.getByRole('button', { name: c('account.add') }).first()
      const dialog = page.getByRole('dialog')
      await add.click()
      await dialog.waitFor()
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      // The focus returns to the row, for keyboard users.
      await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true)
      await add.click()
      await dialog.getByLabel(c('account.name')).first().fill('Rekening cadangan')
      await dialog.getByRole('textbox', { name: c('account.bank'), exact: true }).fill('Bank Contoh')
      await dialog.getByLabel(c('account.number')).fill('7001 0002 0003')
      await dialog.getByLabel(c('account.holder')).fill('Universitas Contoh')
      await checkPage('rekonsiliasi/impor: an account')
      await dialog.getByRole('button', { name: say('approvals:pending.send') }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page
        .getByText(say('approvals:pending.actions.add', { name: 'Rekening cadangan' }), { exact: false })
        .waitFor()
      await checkPage('rekonsiliasi/impor: an account that waits')
      await approveFirst(chief, say('approvals:kind.bank_account'), 'bank_account')
      await page.reload()

      await page.getByRole('combobox', { name: c('account.label') }).click()
      await page.getByRole('option', { name: /Rekening PMB/ }).click()
      await page.getByText(c('account.lastDay').trim(), { exact: false }).waitFor()
      const choose = async () => {
        await page
          .locator('input[type=file]')
          .first()
          .setInputFiles({ name: 'koran.csv', mimeType: 'text/csv', buffer: Buffer.from(statement) })
        await page.getByText(c('upload.mapping')).waitFor()
        await page.getByText(c('upload.read')).first().waitFor()
      }
      await choose()
      await checkPage('rekonsiliasi/impor: what the columns mean')
      await page.getByRole('button', { name: c('upload.askMapping') }).click()
      await page
        .getByText(say('approvals:pending.actions.mapping', { name: 'Rekening PMB' }), { exact: false })
        .waitFor()
      await approveFirst(chief, say('approvals:kind.bank_account'), 'bank_account')
      await page.reload()
      await choose()
      await page.getByRole('button', { name: c('upload.import'), exact: true }).click()
      await page.getByRole('row', { name: /koran\.csv/ }).waitFor()
      await checkPage('rekonsiliasi/impor')

      await page.getByRole('link', { name: c('tabs.days') }).click()
      await page
        .getByRole('row', { name: new RegExp(c('openCount_other', { count: 3 })) })
        .first()
        .waitFor()
      await checkPage('rekonsiliasi')
      await goTo(page, `/rekonsiliasi?from=${day}&to=${day}`)
      await page.getByRole('row', { name: new RegExp(c('openCount_other', { count: 3 })) }).click()
      await page.waitForURL(/\/rekonsiliasi\/[0-9a-f-]{36}$/)
      await page.getByText(c('kind.amount_differs')).waitFor()
      await checkPage('rekonsiliasi/{id}: three differences')

      const item = (kind: string) => page.getByRole('listitem').filter({ hasText: c(`kind.${kind}`) })
      await item('not_in_ledger')
        .getByRole('button', { name: c('action.record') })
        .click()
      await dialog.getByLabel(c('record.payer')).fill('Penyetor Tunai')
      await dialog.getByRole('button', { name: say('approvals:pending.send') }).click()
      await dialog.waitFor({ state: 'hidden' })
      await item('not_in_ledger').getByText(say('approvals:pending.open')).waitFor()
      await checkPage('rekonsiliasi/{id}: a line that waits')
      await approveFirst(chief, say('approvals:kind.statement_line'), 'statement_line')
      await page.reload()

      await item('amount_differs')
        .getByRole('button', { name: c('action.match') })
        .click()
      // The payment with the bank's reference is preselected; the differing amounts need a reason.
      await dialog.getByLabel(c('match.why')).fill('Bank memotong biaya transfer')
      await checkPage('rekonsiliasi/{id}: match')
      await dialog.getByRole('button', { name: c('action.match') }).click()
      await dialog.waitFor({ state: 'hidden' })

      await item('not_in_statement')
        .getByRole('button', { name: c('action.settle') })
        .click()
      await dialog.getByLabel(c('reason')).fill('Bank mengakui dan membukukan besok')
      await dialog.getByRole('button', { name: c('action.settle') }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.getByText(c('dayState.balanced'), { exact: true }).waitFor()
      await checkPage('rekonsiliasi/{id}: settled')

      await goTo(page, '/uang-menunggu?q=Penyetor')
      await page
        .getByRole('row', { name: /375\.000/ })
        .first()
        .waitFor()
      await goTo(page, `/rekonsiliasi/mutasi?state=new&from=${day}&to=${day}`)
      await page.getByRole('row', { name: /BIAYA ADMINISTRASI/ }).waitFor()
      await checkPage('rekonsiliasi/mutasi')
      expect(others.length).toBeGreaterThan(0)
      expect(missing).toBeDefined()
    })
  })
})
