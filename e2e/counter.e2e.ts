import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pick, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

const say = wordsOf('id')
const c = (key: string, params?: Record<string, string>) => say(`counter:${key}`, params)

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world?.close()
})

test('a clerk registers an applicant without an e-mail address, prints the sheet, and is warned about known applicants', async () => {
  const clerk = await world.person({ width: 1280, language: 'id' })
  await signInAs(clerk, say, 'panitia')
  const { page, checkPage } = clerk
  await world.keepPicturesOnFailure('counter', [clerk], async () => {
    const fillIn = async () => {
      await page.goto('/pendaftaran/create')
      await page.getByLabel(c('field.name'), { exact: true }).fill('Tamu Loket')
      await page.getByLabel(c('field.phone'), { exact: true }).fill('0812 3400 5600')
      await page.locator('button[role=radio]:not([disabled])').first().click()
      const classes = page.getByRole('radiogroup', { name: say('registration:form.classProgramme') })
      const firstChoice = page.getByRole('combobox', { name: /^(Pilihan pertama|Program studi)/ })
      await classes.or(firstChoice).first().waitFor()
      if (await classes.isVisible()) await classes.getByRole('radio').first().click()
      await firstChoice.first().waitFor()
      await pick(
        page,
        await firstChoice
          .first()
          .evaluate((field: HTMLInputElement) => field.labels![0]!.textContent.replace(/ \*$/, '')),
        null,
      )
      await page.getByRole('button', { name: c('submit') }).click()
    }
    await fillIn()
    await page.waitForURL(/\/pendaftaran\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { level: 1, name: 'Tamu Loket' }).waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: c('print') }).click()
    const file = await (await download).path()
    expect(fs.readFileSync(file).subarray(0, 5).toString()).toBe('%PDF-')
    await fillIn()
    await page.getByText(c('known')).waitFor()
    await page.getByRole('button', { name: c('useAccount', { name: 'Tamu Loket' }) }).waitFor()
    await checkPage('pendaftaran/create of staff', { withAxe: true })
  })
})
