import { expect } from 'vitest'
import type { DemoPerson } from '../support/demo-people.ts'
import { goTo } from '../support/go-to.ts'
import { picture, type Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

/** Uploads a photo for the student card. */
export async function sendPhoto({ page, checkPage }: Person, say: Say) {
  await goTo(page, '/account/overview?edit=photo')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await picture(900, 1200) })
  await page.getByRole('button', { name: say('applicants:photo.use') }).click()
  await page.getByText(say('applicants:photo.saved')).waitFor()
  await checkPage('account/overview: photo')
}

/** Uploads each document that enrolment asks for. */
export async function sendEnrolmentFiles({ page, checkPage }: Person, say: Say, registration: string) {
  await goTo(page, '/dashboard')
  await page
    .getByRole('link', { name: say('registration:act.enrolmentFiles') })
    .first()
    .click()
  await page.waitForURL(`**${registration}/file`)
  await page.getByRole('heading', { name: say('documents:stage.enrolment') }).waitFor()
  const emptySlots = page
    .locator('section')
    .filter({ has: page.locator('input[type=file]') })
    .filter({ hasText: say('documents:required') })
    .filter({ hasText: say('documents:status.empty') })
  await checkPage('file: documents to enrol')
  const buffer = await picture(800, 1000)
  for (let remaining = await emptySlots.count(); remaining > 0; remaining = await emptySlots.count()) {
    await emptySlots
      .first()
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: `berkas-${remaining}.jpg`, mimeType: 'image/jpeg', buffer })
    while ((await emptySlots.count()) >= remaining) await page.waitForTimeout(100)
  }
  await checkPage('file: documents to enrol sent')
}

/** Fills in the ministry's data; missing fields are reported, and a reload loses nothing. */
export async function answerEnrolmentData({ page, checkPage }: Person, say: Say, registration: string) {
  const d = (key: string) => say(`enrolment-data:${key}`)
  const choose = async (field: string, option: string) => {
    await page.getByRole('combobox', { name: d(`field.${field}`) }).click()
    await page.getByRole('option', { name: d(option), exact: true }).click()
  }
  const save = () => page.getByRole('button', { name: d('save'), exact: true }).click()
  await goTo(page, `${registration}/data-mahasiswa`)
  await page.getByRole('combobox', { name: d('field.residence') }).waitFor()
  await checkPage('data-mahasiswa')
  await save()
  await page.getByText(say('errors:field_required')).first().waitFor()
  await choose('residence', 'residence.3')
  await choose('transport', 'transport.13')
  await page.reload()
  expect(await page.getByRole('combobox', { name: d('field.residence') }).inputValue()).toBe(d('residence.3'))
  await choose('financing', 'financing.1')
  await page.getByRole('radio', { name: d('no'), exact: true }).check()
  await page.getByLabel(d('field.motherNik')).fill('3171015708710003')
  await save()
  await page.getByText(d('saved'), { exact: true }).waitFor()
  await checkPage('data-mahasiswa: saved')
}

/** Shows the student card on the phone. */
export async function showCard(
  { page, checkPage }: Person,
  say: Say,
  { registration, name, npm }: DemoPerson & { npm: string },
) {
  await goTo(page, registration)
  await page.getByRole('button', { name: say('students:card.show') }).click()
  const card = page.getByRole('dialog')
  await card.getByRole('img', { name: say('students:card.qr') }).waitFor()
  await card.getByRole('img', { name: say('students:card.photo') }).waitFor()
  const text = (await card.textContent())!
  expect(text).toContain(npm)
  expect(text.toLowerCase()).toContain(name.toLowerCase())
  await checkPage('student card on the phone')
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('button', { name: say('students:card.save') }).click(),
  ])
  expect(saved.suggestedFilename()).toBe(`${npm}.png`)
}
