import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const withAxe = { withAxe: true }

test('help on a page has its questions and ways to the office, in the language of the reader', async () => {
  const say = wordsOf('id')
  const who = await someoneWho(world, `r.status = 'submitted'`)
  const person = await world.person({ width: 360, language: 'id' })
  const { page, checkPage } = person
  await world.keepPicturesOnFailure('need-help', [person], async () => {
    await signInAs(person, say, who.account)
    await goTo(page, `${who.registration}/pembayaran`)
    await page.getByText(say('navigation:needHelp')).click()
    await page.getByText('Saya sudah membayar, tetapi belum tercatat. Bagaimana?').click()
    await page.getByText('jangan membayar dua kali').waitFor()
    await checkPage('pembayaran: help', withAxe)
    await page.getByRole('button', { name: say('chat:help.chat') }).click()
    await page.getByRole('dialog', { name: say('chat:ask') }).waitFor()
    await page.keyboard.press('Escape')
    await goTo(page, who.registration)
    expect(await page.getByText('jangan membayar dua kali').count()).toBe(0)
    await page.getByText(say('navigation:needHelp')).click()
    await page.getByText('Apa yang saya bawa saat tes?').waitFor()
    await page.emulateMedia({ colorScheme: 'dark' })
    await checkPage('pendaftaran: help, dark', withAxe)
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: say('admission-calendar:toCalendar') }).click()
    expect(fs.readFileSync(await (await file).path(), 'utf8')).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0/)
  })
})

test('an accepted applicant saves the result as a picture where the device shares no files', async () => {
  const say = wordsOf('en')
  const who = await someoneWho(world, `r.status = 'enrolled'`)
  const person = await world.person({ width: 390, language: 'en' })
  const { page, checkPage } = person
  await world.keepPicturesOnFailure('share-result', [person], async () => {
    await signInAs(person, say, who.account)
    await goTo(page, who.registration)
    await page.evaluate(() => Object.defineProperty(navigator, 'canShare', { value: undefined }))
    const file = page.waitForEvent('download')
    await page.getByRole('button', { name: say('registration:result.share') }).click()
    const picture = fs.readFileSync(await (await file).path())
    expect(picture.subarray(1, 4).toString()).toBe('PNG')
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1080, 1350])
    if (process.env.KEEP_PICTURES) fs.writeFileSync(`${process.env.KEEP_PICTURES}/result.png`, picture)
    await checkPage('pendaftaran: result to share', withAxe)
  })
})
