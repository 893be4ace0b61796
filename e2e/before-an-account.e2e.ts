import assert from 'node:assert/strict'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Say } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

async function inDatabase<T extends pg.QueryResultRow>(query: string, values: unknown[] = []) {
  const db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  try {
    return (await db.query<T>(query, values)).rows
  } finally {
    await db.end()
  }
}

/** Takes a picture if E2E_PICTURES names a folder. */
async function picture({ page }: Person, name: string) {
  const folder = process.env.E2E_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

async function fillSignUp({ page }: Person, say: Say, email: string) {
  await page.getByLabel(say('accounts:fields.name'), { exact: true }).fill('Siti Rekaan')
  await page.getByLabel(say('accounts:fields.phone'), { exact: true }).fill('0812 9999 0003')
  await page.getByLabel(say('accounts:fields.password'), { exact: true }).fill('Perjalanan-1!')
  await page.getByLabel(say('accounts:fields.repeatPassword'), { exact: true }).fill('Perjalanan-1!')
  await page.getByRole('checkbox').check()
  await page.getByLabel(say('accounts:fields.email'), { exact: true }).fill(email)
}

test('a pupil sees what a year costs, and the account keeps what was chosen there', async () => {
  const say = wordsOf('id')
  const pupil = await world.person({ width: 360, language: 'id' })
  const { page, checkPage } = pupil
  await world.keepPicturesOnFailure('before-an-account', [pupil], async () => {
    await page.goto('/sign-in')
    await page.getByRole('link', { name: say('accounts:signIn.prospectus') }).click()
    await page.getByRole('heading', { level: 1, name: 'Universitas Contoh Nusantara' }).waitFor()
    await checkPage('daftar', { withAxe: true })
    await picture(pupil, 'daftar-360')
    await page.getByRole('link', { name: 'Informatika', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Informatika' }).waitFor()
    assert.equal(await page.getByRole('radio', { checked: true }).count(), 0)
    await checkPage('daftar/prodi', { withAxe: true })
    await picture(pupil, 'prodi-360')

    // Without a press of the button: the script fetches what the form asks for.
    await page.getByRole('radio', { name: /^Prestasi/ }).check()
    const result = page.locator('#hasil')
    await result.locator('[data-sum="bill"]').waitFor()
    await page.waitForURL(/track=PRES/)
    await page.getByLabel(say('prospectus:field.class'), { exact: true }).selectOption('MALAM')
    await page.waitForURL(/class=MALAM/)
    // What lies outside the result follows the choice too.
    const chosenHere = await page.locator('#ajakan a').getAttribute('href')
    expect(new URL(chosenHere ?? '', world.url).searchParams.get('track')).not.toBeNull()
    expect(await page.locator('#bahasa').getAttribute('href')).toContain('track=PRES')
    const year = await result.locator('[data-sum="first-year"]').textContent()
    await checkPage('daftar/prodi with a track', { withAxe: true })
    await picture(pupil, 'prodi-track-360')
    // The address of the page says the same to somebody else, and without script.
    const shared = await (await fetch(page.url())).text()
    expect(shared).toContain(`data-sum="first-year">${year}`)
    assert.deepEqual(await pupil.context.cookies(), [])

    await result.getByRole('link', { name: say('prospectus:applyTo') }).click()
    await page.getByLabel(say('accounts:fields.name'), { exact: true }).waitFor()
    await fillSignUp(pupil, say, 'siti.rekaan@gmial.com')
    await page.getByRole('button', { name: say('accounts:wizard.next'), exact: true }).click()
    // Nothing was sent: the address is asked about first.
    await page.getByText(say('accounts:signUp.meantEmail', { email: 'siti.rekaan@gmail.com' })).waitFor()
    await checkPage('sign-up asks about an address', { withAxe: true })
    await page.getByRole('button', { name: say('accounts:signUp.meantYes') }).click()
    await page.getByRole('button', { name: say('accounts:wizard.next'), exact: true }).click()

    await page.getByLabel(say('accounts:wizard.birthPlace')).fill('Jakarta')
    await page.getByLabel(say('accounts:wizard.birthDay'), { exact: true }).selectOption('17')
    await page.getByLabel(say('accounts:wizard.birthMonth'), { exact: true }).selectOption('8')
    await page.getByLabel(say('accounts:wizard.birthYear'), { exact: true }).selectOption('2007')
    await page.getByLabel(say('accounts:wizard.female'), { exact: true }).check()
    await page.getByRole('button', { name: say('accounts:wizard.next'), exact: true }).click()
    await page.getByLabel(say('accounts:wizard.track'), { exact: true }).waitFor()
    await page.getByRole('button', { name: say('accounts:wizard.next'), exact: true }).click()
    await page.getByRole('heading', { name: say('accounts:wizard.doneTitle') }).waitFor()
    const [intent] = await inDatabase<{ track: string; class: string; programme: string }>(
      `SELECT t.code AS track, c.code AS class, p.code AS programme FROM study_intents i
       JOIN accounts a ON a.id = i.account_id JOIN tracks t ON t.id = i.track_id
       JOIN class_programmes c ON c.id = i.class_programme_id JOIN study_programmes p ON p.id = i.programme_ids[1]
       WHERE a.email = 'siti.rekaan@gmail.com'`,
    )
    assert.deepEqual(intent, { track: 'PRES', class: 'MALAM', programme: 'IF' })
  })
}, 180_000)

test('the pages work without script, in English and on a computer', async () => {
  const say = wordsOf('en')
  const reader = await world.person({ width: 1280, language: 'en' })
  const { page, checkPage } = reader
  await world.keepPicturesOnFailure('before-an-account-english', [reader], async () => {
    await page.route('**/prospectus.js', (route) => route.abort())
    await page.goto('/daftar/prodi/IF')
    await page.getByRole('heading', { level: 1, name: 'Informatics' }).waitFor()
    await page.getByRole('radio', { name: /^Regular/ }).check()
    await page.getByRole('button', { name: say('prospectus:calculate') }).click()
    await page.waitForURL(/track=REG.*#hasil/)
    await page.locator('#hasil [data-sum="first-year"]').waitFor()
    await checkPage('daftar/prodi in English', { withAxe: true })
    await picture(reader, 'prodi-1280')
    await page.getByRole('link', { name: say('prospectus:otherLanguage') }).click()
    await page.getByRole('heading', { level: 1, name: 'Informatika' }).waitFor()
    // The choice stays.
    assert.ok(await page.getByRole('radio', { name: /^Reguler/ }).isChecked())
  })
}, 120_000)

test('an answer that lacks parts of the page writes nothing in their place', async () => {
  const { page } = await world.person({ width: 360, language: 'id' })
  const without = (id: string) =>
    page.route('**/daftar/prodi/IF?*', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, body: (await answer.text()).replace(`id="${id}"`, '') })
    })
  await page.goto('/daftar/prodi/IF')
  await without('tanya')
  await page.getByRole('radio', { name: /^Prestasi/ }).check()
  await page.waitForURL(/track=PRES/)
  expect(await page.locator('#tanya').count()).toBe(1)
  expect(await page.locator('main').textContent()).not.toMatch(/null/)
  // Without the result there is nothing to put in place: the page is loaded as a whole.
  await page.unrouteAll()
  await without('hasil')
  await page.getByRole('radio', { name: /^Reguler/ }).check()
  await page.waitForURL(/track=REG/)
  await page.waitForFunction(() => !document.getElementById('hasil'))
  expect(await page.locator('main').textContent()).not.toMatch(/null/)
}, 60_000)

test('is readable within two seconds on slow 3G', async () => {
  const pupil = await world.person({ width: 360, language: 'id' })
  const { page, context } = pupil
  // Warm: the server reads the prospectus once in fifteen seconds for everybody.
  await fetch(`${world.url}/daftar`)
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  // 400 kbit/s and 400 ms for each answer, as WebPageTest calls it.
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  })
  await page.goto('/daftar', { waitUntil: 'load' })
  const { paintMs, bytes } = await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    return { paintMs: paint?.startTime ?? Number.POSITIVE_INFINITY, bytes: navigation?.transferSize ?? 0 }
  })
  console.log(`/daftar: ${bytes} bytes, first contentful paint after ${Math.round(paintMs)} ms on slow 3G`)
  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(30_000)
  expect(paintMs).toBeLessThan(2_000)
}, 60_000)
