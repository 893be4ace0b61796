import crypto from 'node:crypto'
import fs from 'node:fs'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleWho, someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const say = wordsOf('id')
const withAxe = { withAxe: true }
const heic = fs.readFileSync(new URL('support/photo.heic', import.meta.url))

/** Registrations with a document to send. */
const hasDocuments = `r.status = 'paid' AND EXISTS (SELECT FROM documents d WHERE d.registration_id = r.id AND d.status = 'empty')`

test('an applicant sends documents from a phone', async () => {
  const who = await someoneWho(world, hasDocuments)
  const applicant = await world.person({ width: 360, language: 'id' })
  await world.keepPicturesOnFailure('files-from-phones', [applicant], async () => {
    const { page, checkPage } = applicant
    const violations: string[] = []
    page.on('console', (message) => {
      if (/content security policy/i.test(message.text())) violations.push(message.text())
    })
    await signInAs(applicant, say, who.account)
    await goTo(page, `${who.registration}/file`)
    const slot = page
      .locator('section')
      .filter({ has: page.locator('input[type=file]') })
      .first()
    await slot.waitFor()

    // An iPhone's photo, with the type that Windows and Android leave empty.
    await slot.locator('input[type=file]').first().setInputFiles({ name: 'IMG_0001.HEIC', mimeType: '', buffer: heic })
    await page.getByText(say('common:file.sent', { name: 'IMG_0001.jpg' })).waitFor()
    await checkPage('file: a HEIC photo', withAxe)

    await slot
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'IMG_0002.HEIC', mimeType: 'image/heic', buffer: heic.subarray(0, 900) })
    await page.getByText(say('common:file.heic', { name: 'IMG_0002.HEIC' })).waitFor()
    expect(violations).toEqual([])
  })
})

/** A PNG of noise of this many pieces, which the browser makes no smaller than two of them. */
const largePhoto = (side: number) =>
  sharp(crypto.randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer()

test.each(['id', 'en'] as const)(
  'an upload goes on after a cut, and after its page was reloaded or left (%s)',
  async (language) => {
    const [who] = (await peopleWho(world, hasDocuments, 2)).slice(language === 'id' ? 0 : 1)
    const words = wordsOf(language)
    const applicant = await world.person({ width: 360, language })
    await world.keepPicturesOnFailure(`upload-in-pieces-${language}`, [applicant], async () => {
      const { page, context, checkPage } = applicant
      const line = await context.newCDPSession(page)
      const network = (offline: boolean, bytesPerSecond = -1) =>
        line.send('Network.emulateNetworkConditions', {
          offline,
          latency: 0,
          downloadThroughput: -1,
          uploadThroughput: bytesPerSecond,
        })
      await line.send('Network.enable')
      /** Places at which pieces began. */
      const places: number[] = []
      page.on('request', (request) => {
        const from = /\/pieces\?from=(\d+)/.exec(request.url())?.[1]
        if (from !== undefined) places.push(Number(from))
      })
      await signInAs(applicant, words, who!.account)
      await goTo(page, `${who!.registration}/file`)
      const slot = page
        .locator('section')
        .filter({ has: page.locator('input[type=file]') })
        .first()
      await slot.waitFor()
      await network(false, 150_000)
      await slot
        .locator('input[type=file]')
        .first()
        .setInputFiles({ name: 'rapor.jpg', mimeType: 'image/jpeg', buffer: await largePhoto(1200) })
      await expect.poll(() => places.length, { timeout: 60_000 }).toBeGreaterThan(1)

      await network(true)
      await page.getByText(words('common:file.waiting')).waitFor()
      await checkPage('file: no network while sending', withAxe)
      await network(false, 150_000)
      const before = places.length
      await expect.poll(() => places.length, { timeout: 60_000 }).toBeGreaterThan(before)

      if (language === 'id') await page.reload()
      else {
        await goTo(page, '/dashboard')
        await goTo(page, `${who!.registration}/file`)
      }
      const first = places.length
      await network(false)
      await page.getByText(words('common:file.sent', { name: 'rapor.jpg' })).waitFor({ timeout: 60_000 })
      expect(Math.min(...places.slice(first))).toBeGreaterThan(0)
      await checkPage('file: sent after a reload', withAxe)
    })
  },
)
