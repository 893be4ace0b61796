import { afterAll, beforeAll, expect, test } from 'vitest'
import { someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { pay } from './support/money-steps.ts'
import { seeArrival, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const say = wordsOf('id')
const link = (key: string, params?: Record<string, string | number>) => say(`payment-links:${key}`, params)
const seen = (key: string) => say(`payment-page:${key}`)
const bill = (key: string, params?: Record<string, string | number>) => say(`bills:${key}`, params)
const withAxe = { withAxe: true }

/** Path of the link on the payment page. */
async function shownLink({ page }: Person) {
  await page.getByRole('button', { name: link('copyAddress') }).waitFor()
  const address = await page.getByRole('link', { name: link('whatsapp') }).getAttribute('href')
  return /\/bayar\/[0-9a-f]{52}/.exec(decodeURIComponent(address!))![0]
}

test('a parent pays one bill by its link alone, and the applicant sees that it was opened and paid', async () => {
  const who = await someoneWho(world, `r.status = 'submitted'`)
  const applicant = await world.person({ width: 360, language: 'id' })
  const parent = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('parent-pays', [applicant, parent], async () => {
    await signInAs(applicant, say, who.account)
    await goTo(applicant.page, `${who.registration}/pembayaran`)
    await applicant.page.getByRole('button', { name: link('make') }).click()
    const path = await shownLink(applicant)
    await applicant.page.getByText(link('notOpened')).waitFor()
    await applicant.checkPage('pembayaran: a link', withAxe)
    // The payment page would announce the payment while nobody looks at it.
    await goTo(applicant.page, `${who.registration}/berkas`)

    const { page, checkPage } = parent
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await checkPage('bayar: choose a bank', withAxe)
    await page.getByRole('link', { name: wordsOf('en')('payment-page:language') }).click()
    await page.getByText('No account is needed.').waitFor()
    await checkPage('bayar in English', withAxe)
    await page.getByRole('link', { name: seen('language') }).click()
    await page.getByRole('button', { name: bill('account.request') }).click()
    await page.getByRole('img', { name: bill('account.qr') }).waitFor()
    await page.getByRole('button', { name: bill('account.copyNumber') }).click()
    await page
      .getByRole('status')
      .filter({ hasText: bill('account.copied') })
      .waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkPage('bayar: a number, dark', withAxe)
    await page.emulateMedia({ colorScheme: 'light' })
    await checkPage('bayar: a number', withAxe)
    await page.getByRole('button', { name: bill('account.check') }).click()
    await page.getByText(seen('askedInVain')).waitFor()
    const counter = await page.getByRole('link', { name: bill('account.openDemo') }).getAttribute('href')
    await page.goto(new URL(counter!).pathname)
    await pay(parent, new RegExp(`^${bill('sandbox.payExact', { amount: 'Rp' })}`))
    await page.goto(path)
    await page.getByRole('heading', { name: seen('settled.title') }).waitFor()
    await checkPage('bayar: paid', withAxe)
    const receipt = page.waitForEvent('download')
    await page.getByRole('link', { name: /PDF/ }).click()
    expect((await receipt).suggestedFilename()).toMatch(/^KW-.*\.pdf$/)

    await goTo(applicant.page, `${who.registration}/pembayaran`)
    await seeArrival(applicant, say)
    await applicant.page.getByText(link('paid')).waitFor()
  })
})

test('a page that is open when its link is taken back gives no number and says so', async () => {
  const who = await someoneWho(world, `r.status = 'submitted'`)
  const applicant = await world.person({ width: 360, language: 'id' })
  const parent = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('link-taken-back', [applicant, parent], async () => {
    await signInAs(applicant, say, who.account)
    await goTo(applicant.page, `${who.registration}/pembayaran`)
    await applicant.page.getByRole('button', { name: link('make') }).click()
    const path = await shownLink(applicant)
    await parent.page.goto(path)
    await parent.page.getByRole('button', { name: bill('account.request') }).waitFor()
    await applicant.page.getByRole('button', { name: link('takeBack') }).click()
    await applicant.page
      .getByRole('dialog')
      .getByRole('button', { name: link('takeBack') })
      .click()
    await applicant.page.getByRole('button', { name: link('make') }).waitFor()
    await parent.page.getByRole('button', { name: bill('account.request') }).click()
    await parent.page.getByRole('heading', { name: seen('end.taken_back.title') }).waitFor()
    await parent.checkPage('bayar: taken back', withAxe)
    await applicant.page.getByRole('button', { name: link('make') }).click()
    expect(await shownLink(applicant)).not.toBe(path)
  })
})
