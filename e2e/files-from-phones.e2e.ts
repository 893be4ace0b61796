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
