import { afterAll, beforeAll, expect, test } from 'vitest'
import { someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { atTheBank, pay } from './support/money-steps.ts'
import { picture, seeArrival, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const say = wordsOf('id')
const proof = (key: string, params?: Record<string, string | number>) => say(`transfer-proofs:${key}`, params)
const withAxe = { withAxe: true }

test('an applicant sends a proof of transfer, and the cashier answers it and books nothing', async () => {
  const who = await someoneWho(world, `r.status = 'submitted'`)
  const applicant = await world.person({ width: 360, language: 'id' })
  const clerk = await world.person({ width: 1280, language: 'id' })
  await world.keepPicturesOnFailure('transfer-proof', [applicant, clerk], async () => {
    const { page, checkPage } = applicant
    const send = async (bank: string, width: number) => {
      await page.getByRole('button', { name: proof('open') }).click()
      await page
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'bukti.jpg', mimeType: 'image/jpeg', buffer: await picture(width, 900) })
      await page.getByText(say('common:file.sent', { name: 'bukti.jpg' })).waitFor()
      await page.getByLabel(proof('fromBank')).fill(bank)
      await checkPage('pembayaran: a proof', withAxe)
      await page.getByRole('button', { name: proof('send'), exact: true }).click()
      await page
        .getByText(proof('hours_other', { count: 24 }))
        .first()
        .waitFor()
    }
    await signInAs(applicant, say, who.account)
    await goTo(page, `${who.registration}/pembayaran`)
    await page.getByRole('button', { name: proof('open') }).waitFor()
    await send('BRI', 620)
    await checkPage('pembayaran: a proof was sent', withAxe)

    await signInAs(clerk, say, 'keuangan')
    await goTo(clerk.page, '/bukti-transfer')
    await clerk.page.getByRole('row', { name: new RegExp(who.name) }).click()
    await clerk.page.getByText(proof('money')).waitFor()
    await clerk.checkPage('bukti-transfer', withAxe)
    await clerk.page.getByRole('button', { name: proof('refuse') }).click()
    await clerk.page.getByRole('dialog').getByLabel(proof('reason')).fill('Foto menunjukkan rekening lain')
    await clerk.page
      .getByRole('dialog')
      .getByRole('button', { name: proof('refuse') })
      .click()
    await clerk.page.getByRole('button', { name: proof('reopen') }).waitFor()

    await goTo(page, `${who.registration}/berkas`)
    await goTo(page, `${who.registration}/pembayaran`)
    await page.getByText(proof('refusedFor', { reason: 'Foto menunjukkan rekening lain' })).waitFor()
    await send('BCA', 640)
    await atTheBank(applicant, who.registration)
    await pay(applicant, new RegExp(`^${say('bills:sandbox.underpay', { amount: '' }).trim()}`))

    await goTo(clerk.page, '/bukti-transfer?state=open')
    await clerk.page.getByRole('row', { name: new RegExp(who.name) }).click()
    await clerk.page
      .getByRole('listitem')
      .filter({ hasText: proof('why.bill') })
      .getByRole('button', { name: proof('match') })
      .click()
    await clerk.checkPage('bukti-transfer: match', withAxe)
    await clerk.page
      .getByRole('dialog')
      .getByRole('button', { name: proof('match') })
      .click()
    await goTo(page, `${who.registration}/pembayaran`)
    await seeArrival(applicant, say)
    await page.getByText(proof('found')).waitFor()
    await checkPage('pembayaran: a proof was matched', withAxe)
  })
})

test('a credit that names a bill is given to it by one request', async () => {
  const lines = (key: string, params?: Record<string, string | number>) => say(`reconciliation:${key}`, params)
  const clerk = await world.person({ width: 1280, language: 'id' })
  const { page, checkPage } = clerk
  await world.keepPicturesOnFailure('record-line', [clerk], async () => {
    await signInAs(clerk, say, 'keuangan')
    await goTo(page, '/pembayaran-mahasiswa?show=bills&status=open')
    const number = (await page.getByRole('table').getByText(/^INV/).first().textContent())?.trim() ?? ''
    await goTo(page, '/rekonsiliasi/impor')
    const today = new Date().toISOString().slice(2, 10).replaceAll('-', '')
    const statement = [
      `:20:RECORD`,
      ':25:9900100020003',
      ':28C:900/1',
      `:60F:C${today}IDR1000,00`,
      `:61:${today}${today.slice(2)}C4321,00NTRFNONREF`,
      `:86:TRSF ${number} AYAH`,
      `:62F:C${today}IDR5321,00`,
      '-',
    ].join('\r\n')
    await page.getByRole('combobox', { name: lines('account.label') }).click()
    await page.getByRole('option', { name: /Rekening PMB/ }).click()
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'koran.sta', mimeType: 'text/plain', buffer: Buffer.from(statement) })
    await page.getByRole('button', { name: lines('upload.import'), exact: true }).click()
    await page.getByRole('row', { name: /koran\.sta/ }).waitFor()
    await goTo(page, '/rekonsiliasi/mutasi?q=TRSF')
    await page.getByRole('row', { name: new RegExp(number) }).click()
    await page.getByRole('button', { name: lines('action.record') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: new RegExp(number) }).click()
    await checkPage('rekonsiliasi/mutasi: a line for a bill', withAxe)
    const request = page.waitForRequest(/\/statement-lines\/[^/]+\/record$/)
    await dialog.getByRole('button', { name: say('approvals:pending.send') }).click()
    expect((await request).postDataJSON()).toMatchObject({ billId: expect.any(String) })
    await dialog.waitFor({ state: 'hidden' })
  })
})
