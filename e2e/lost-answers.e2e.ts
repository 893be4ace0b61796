import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

const say = wordsOf('id')
/** The sentence up to its time. */
const received = say('errors:idempotency_mismatch').split(' pukul ')[0]!
const offline = say('common:errors.offline')

let world: World
let db: pg.Client
let clerk: Person
beforeAll(async () => {
  world = await openWorld()
  db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  clerk = await world.person({ width: 1280, language: 'id' })
  await signInAs(clerk, say, 'keuangan')
})
afterAll(async () => {
  await db?.end()
  await world?.close()
})

type Bill = { id: string; number: string }
let nextBill = 0
async function anOpenBill(): Promise<Bill> {
  const { rows } = await db.query<Bill>(
    `SELECT id, number FROM bills WHERE kind = 're_registration' AND status = 'open' ORDER BY id LIMIT 1 OFFSET $1`,
    [nextBill++],
  )
  return rows[0]!
}
const requestsFor = async ({ id }: Bill) => {
  const { rows } = await db.query<{ kind: string; amount: string }>(
    `SELECT kind, amount FROM approval_requests WHERE bill_id = $1 AND status = 'pending'`,
    [id],
  )
  return rows.map(({ kind, amount }) => [kind, Number(amount)])
}

/** Drops the answer to the next POST to a matching URL after the server has handled it. */
const loseNextAnswer = (page: Page, address: RegExp) =>
  page.route(
    address,
    async (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      await route.fetch()
      await route.abort('connectionreset')
    },
    { times: 1 },
  )

const paymentAddress = /\/api\/pembayaran-mahasiswa$/

async function fillPayment(page: Page, bill: Bill, amount: number) {
  await page.goto('/pembayaran-mahasiswa/create')
  await page.getByLabel(say('money:enter.bill')).first().fill(bill.number)
  await page.getByRole('option').first().click()
  await page.getByLabel(say('money:enter.amount')).fill(String(amount))
}
const sendPayment = (page: Page) => page.getByRole('button', { name: say('money:enter.send') }).click()

async function askWaiver(page: Page, bill: Bill, amount: number) {
  await page.goto(`/pembayaran-mahasiswa?show=bills&q=${bill.number}`)
  await page.getByRole('row', { name: new RegExp(bill.number) }).click()
  await page.getByRole('button', { name: say('money:exception.ask') }).click()
  const dialog = page.getByRole('dialog', { name: say('money:exception.title', { number: bill.number }) })
  await dialog.getByLabel(say('money:exception.amount')).fill(String(amount))
  await dialog.getByLabel(say('approvals:approval.reason')).fill('Orang tua kehilangan pekerjaan')
  return { dialog, send: () => dialog.getByRole('button', { name: say('money:exception.ask'), exact: true }).click() }
}

describe('an answer lost after the server has done the work', () => {
  test('a payment sent again is one request', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('lost-payment', [clerk], async () => {
      const bill = await anOpenBill()
      await loseNextAnswer(page, paymentAddress)
      await fillPayment(page, bill, 250_000)
      await sendPayment(page)
      await page.getByRole('alert').getByText(offline).waitFor()
      await sendPayment(page)
      await page.waitForURL(/\/persetujuan/)
      expect(await requestsFor(bill)).toEqual([['manual_payment', 250_000]])
    })
  })

  test('a changed payment entered after a reload is held until the clerk has seen the first one', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('lost-payment-reload', [clerk], async () => {
      const bill = await anOpenBill()
      await loseNextAnswer(page, paymentAddress)
      await fillPayment(page, bill, 250_000)
      await sendPayment(page)
      await page.getByRole('alert').getByText(offline).waitFor()
      await page.reload()
      await fillPayment(page, bill, 300_000)
      await sendPayment(page)
      await page.getByRole('alert').getByText(received).waitFor()
      await clerk.checkPage('pembayaran-mahasiswa/create: the first was received')
      expect(await requestsFor(bill)).toEqual([['manual_payment', 250_000]])
    })
  })

  test('a page closed in the middle of a write keeps its key', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('lost-payment-middle', [clerk], async () => {
      const bill = await anOpenBill()
      const reached = Promise.withResolvers<void>()
      await page.route(
        paymentAddress,
        async (route) => {
          await route.fetch()
          reached.resolve()
        },
        { times: 1 },
      )
      await fillPayment(page, bill, 250_000)
      await sendPayment(page)
      await reached.promise
      await fillPayment(page, bill, 300_000)
      await sendPayment(page)
      await page.getByRole('alert').getByText(received).waitFor()
      expect(await requestsFor(bill)).toEqual([['manual_payment', 250_000]])
    })
  })

  test('a request from a dialog counts once, whether sent again at once or after a reload', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('lost-request', [clerk], async () => {
      for (const reloads of [false, true]) {
        const bill = await anOpenBill()
        await loseNextAnswer(page, /\/api\/bills\/[^/]+\/exceptions?$/)
        let { dialog, send } = await askWaiver(page, bill, 100_000)
        await send()
        await dialog.getByText(offline).waitFor()
        if (reloads) {
          await page.reload()
          ;({ dialog, send } = await askWaiver(page, bill, 100_000))
        }
        await send()
        await dialog.waitFor({ state: 'hidden' })
        expect(await requestsFor(bill)).toEqual([['waiver', 100_000]])
      }
    })
  })
})
