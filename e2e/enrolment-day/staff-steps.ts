import { expect } from 'vitest'
import type { DemoPerson } from '../support/demo-people.ts'
import { goTo } from '../support/go-to.ts'
import { approveWaiting, findRegistration, registrationTab, type Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

/** Finds the student's documents in the list of files and approves the pending ones. */
export async function approveFiles(staff: Person, say: Say, { name }: DemoPerson) {
  const { page, checkPage } = staff
  await goTo(page, '/berkas-mahasiswa')
  await page.getByLabel(say('student-files:search'), { exact: true }).fill(name)
  await page.waitForURL(/q=/)
  const file = page.getByRole('link', { name: new RegExp(`^${name}`) }).first()
  await file.waitFor()
  await checkPage('berkas-mahasiswa')
  await file.click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await checkPage('berkas-mahasiswa/{id}')
  await approveWaiting(staff, say)
  await page.getByRole('link', { name: say('student-files:data') }).click()
  await page.getByRole('combobox', { name: say('enrolment-data:staff.field.residence') }).waitFor()
  await checkPage('berkas-mahasiswa/{id}/data')
}

/** Prints the student card on a sheet. */
export async function printCard({ page, checkPage }: Person, say: Say, npm: string) {
  await goTo(page, '/npm-mahasiswa')
  await page.getByLabel(say('students:search'), { exact: true }).fill(npm)
  await page.waitForURL(/q=/)
  const row = page.getByRole('row').filter({ hasText: npm })
  await row.waitFor()
  await checkPage('npm-mahasiswa')
  await row.getByRole('link').first().click()
  await page.waitForURL(/\/npm-mahasiswa\/[0-9a-f-]{36}$/)
  await page.getByRole('button', { name: say('students:act.print') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(say('students:print.layouts.sheet')).click()
  await checkPage('npm-mahasiswa/{id}: print')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: say('students:print.button_one', { count: 1 }) }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/\.pdf$/)
  await page.getByText(say('students:record.event.printed')).first().waitFor()
  await checkPage('npm-mahasiswa/{id}')
}

/** Issues the statement of registration and prints it. */
export async function giveLetter(staff: Person, say: Say, { name }: DemoPerson) {
  const { page, checkPage } = staff
  await findRegistration(staff, say, name)
  await registrationTab(page, say, 'letters').click()
  const kind = page.getByRole('region').filter({ has: page.getByRole('button', { name: /^Issue: / }) })
  await kind.first().waitFor()
  await checkPage('pendaftaran/{id}: letters')
  await kind
    .first()
    .getByRole('button', { name: /^Issue: / })
    .click()
  const print = kind.first().getByRole('button', { name: /^Print / })
  const [letter] = await Promise.all([page.waitForEvent('download'), print.first().click()])
  expect(letter.suggestedFilename()).toMatch(/\.pdf$/)
  await goTo(page, '/surat/terbit')
  await page.getByRole('link', { name }).or(page.getByText(name)).first().waitFor()
  await checkPage('surat/terbit')
}

/** Adds stock of every size. */
export async function receiveJackets({ page, checkPage }: Person, say: Say) {
  await goTo(page, '/jaket-mahasiswa/stok')
  await page.getByRole('button', { name: say('jackets:delivery.open') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('jackets:delivery.supplier')).fill('Konveksi Maju')
  await dialog.getByLabel(say('jackets:delivery.reference')).fill('SJ/18')
  for (const size of ['S', 'M', 'L', 'XL'])
    await dialog.getByLabel(say('jackets:delivery.quantity', { size }), { exact: true }).fill('5')
  await dialog.getByRole('button', { name: say('jackets:delivery.confirm') }).click()
  await dialog.waitFor({ state: 'hidden' })
  await checkPage('jaket-mahasiswa/stok')
}

/** Hands out a jacket against a signature on the screen. */
export async function handOutJacket({ page, checkPage }: Person, say: Say, npm: string) {
  await goTo(page, '/jaket-mahasiswa/create')
  await page.getByLabel(say('jackets:desk.code')).fill(npm)
  await page.getByRole('button', { name: say('jackets:desk.find') }).click()
  await page.getByRole('button', { name: say('jackets:desk.confirm') }).waitFor()
  const pad = (await page.getByRole('img', { name: say('jackets:signature.label') }).boundingBox())!
  await page.mouse.move(pad.x + 40, pad.y + 30)
  await page.mouse.down()
  await page.mouse.move(pad.x + 200, pad.y + 70, { steps: 5 })
  await page.mouse.up()
  await checkPage('jaket-mahasiswa/create: signed')
  await page.getByRole('button', { name: say('jackets:desk.confirm') }).click()
  await page.getByRole('link', { name: say('jackets:desk.openJacket') }).click()
  await page.getByRole('img', { name: /^Signature given/ }).waitFor()
  await checkPage('jaket-mahasiswa/{id}')
}
