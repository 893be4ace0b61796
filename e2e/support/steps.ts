import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { storageKeys } from '#domain/navigation/constants.ts'
import { demoPassword } from '#seeds/demo/university.ts'
import { isWhole } from '#testing/form.ts'
import { goTo } from './go-to.ts'
import type { Person } from './world.ts'

export type Say = (key: string, params?: Record<string, string | number>) => string

/** Selects an option of a searchable select by label and start of the option's text; null selects the first. */
export async function pick(page: Page, label: string, text: string | null, within: Page | Locator = page) {
  const field = within.locator('input').and(page.getByRole('combobox', { name: label, exact: true }))
  await field.click()
  if (text) await field.fill(text)
  // Date lists are native: their options are in the page without being visible.
  await page.getByRole('option').filter({ visible: true }).first().click()
}

export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#b8202c' } })
    .composite([
      {
        input: Buffer.from(
          `<svg width="${width}" height="${height}"><circle cx="${width / 2}" cy="${height / 3}" r="${width / 4}" fill="#e5b792"/></svg>`,
        ),
      },
    ])
    .jpeg()
    .toBuffer()

/** Fills in every profile group in the overview's order; by default with a demo school. */
export async function completeProfile(person: Person, say: Say, nik: string, nameSchool = chooseDemoSchool) {
  const { page, checkPage } = person
  const a = (key: string) => say(`applicants:${key}`)
  const save = () =>
    page.getByRole('button', { name: new RegExp(`^(${a('form.saveAndContinue')}|${a('form.save')})$`) }).click()
  const waitForSection = (section: string) => page.waitForURL((url) => url.searchParams.get('edit') === section)
  await goTo(page, '/account/overview?edit=identity')
  await page.getByLabel(a('field.nik'), { exact: true }).fill(nik)
  await pick(page, a('field.religionId'), null)
  await checkPage('account/overview: identity')
  await save()
  await waitForSection('contact')
  await page.getByLabel(a('field.motherName'), { exact: true }).fill('Ibu Rekaan')
  await checkPage('account/overview: contact')
  await save()
  await waitForSection('address')
  await pick(page, a('field.provinceId'), 'Jakarta')
  await pick(page, a('field.cityId'), 'Jakarta Pusat')
  await pick(page, a('field.districtId'), null)
  await pick(page, a('field.villageId'), null)
  await page.getByLabel(a('field.address'), { exact: true }).fill('Jalan Rekaan 7')
  await page.getByLabel(a('field.postalCode'), { exact: true }).fill('10110')
  await checkPage('account/overview: address')
  await save()
  await waitForSection('education')
  await pick(page, a('field.lastEducation'), null)
  await nameSchool(person, say)
  await pick(page, a('field.schoolMajorId'), null)
  await page.getByLabel(a('field.graduationYear'), { exact: true }).fill('2026')
  await checkPage('account/overview: education')
  await save()
  await waitForSection('photo')
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: await picture(900, 1200) })
  await page.getByRole('button', { name: a('photo.use') }).click()
  await page.getByText(a('photo.saved')).waitFor()
  await page
    .getByRole('radiogroup', { name: a('field.clothesSize') })
    .getByText('M', { exact: true })
    .click()
  await checkPage('account/overview: photo')
  await save()
  await page.getByText(a('overview.allThere')).first().waitFor()
  await checkPage('account/overview')
  await page.getByRole('link', { name: a('overview.toNextStep') }).click()
  await page.waitForURL(/\/dashboard$/)
}

async function chooseDemoSchool({ page }: Person, say: Say) {
  const school = page.locator('input').and(page.getByLabel(say('applicants:field.schoolId')))
  await school.click()
  await school.fill('Contoh 1 Kota Bandung')
  await page
    .getByRole('option', { name: /Contoh 1/ })
    .first()
    .click()
}

/** Fills in and submits a new registration; returns its path. */
export async function register({ page, checkPage }: Person, say: Say): Promise<string> {
  const r = (key: string, params?: Record<string, string | number>) => say(`registration:${key}`, params)
  const next = () => page.getByRole('button', { name: r('form.next'), exact: true }).click()
  const waitForHeading = (step: string) =>
    page.getByRole('heading', { name: r(`form.steps.${step}`), exact: true }).waitFor()
  await goTo(page, '/pendaftaran/create')
  await waitForHeading('track')
  await page.getByRole('radio', { name: /^Reguler, Gelombang 2/ }).click()
  await checkPage('pendaftaran/create: track')
  await next()
  await waitForHeading('programme')
  // Without a choice, the button leads to the question.
  await next()
  await page.locator('[role="radio"]:focus').waitFor()
  await page.getByRole('radio', { name: /Kelas Pagi/ }).click()
  await checkPage('pendaftaran/create: programme')
  await next()
  await waitForHeading('donation')
  await page.getByLabel('Rp 500.000', { exact: true }).check()
  await checkPage('pendaftaran/create: donation')
  await next()
  await waitForHeading('test')
  await page.getByRole('button', { name: r('form.testLater'), exact: true }).waitFor()
  const sessions = page.getByRole('radiogroup', { name: say('testing:choose') }).getByRole('radio')
  await sessions.first().click()
  await page.reload()
  await page.getByRole('radio', { checked: true }).waitFor()
  await checkPage('pendaftaran/create: test')
  await page.getByRole('button', { name: r('form.startOver') }).click()
  await checkPage('pendaftaran/create: start over')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: r('form.startOverKeep') })
    .click()
  await next()
  await waitForHeading('check')
  await page.getByRole('button', { name: r('form.submit'), exact: true }).click()
  await page.locator('input[type=checkbox]:focus').waitFor()
  await page.getByLabel(r('form.agree')).check()
  await checkPage('pendaftaran/create: check')
  await page.getByRole('button', { name: r('form.submit'), exact: true }).click()
  await page.waitForURL(/\/pendaftaran\/[0-9a-f-]{36}$/)
  await page.getByRole('link', { name: r('detail.tabs.pembayaran') }).waitFor()
  await checkPage('pendaftaran/{id}')
  return new URL(page.url()).pathname
}

/** Requests a transfer number and pays the exact amount at the demo bank's counter. */
export async function payAtDemoBank({ page, checkPage }: Person, say: Say, registration: string) {
  const p = (key: string, params?: Record<string, string | number>) => say(`bills:${key}`, params)
  await goTo(page, `${registration}/pembayaran`)
  await page.getByRole('button', { name: p('account.request') }).click()
  const demo = page.getByRole('link', { name: p('account.openDemo') })
  await demo.waitFor()
  await checkPage('pembayaran')
  await goTo(page, (await demo.getAttribute('href'))!)
  const pay = page.getByRole('button', { name: new RegExp(`^${p('sandbox.payExact', { amount: 'Rp' })}`) })
  await pay.waitFor()
  await checkPage('sandbox-bank')
  await pay.click()
  await page.getByText(p('sandbox.answerOk', { status: 200 })).waitFor()
  await goTo(page, `${registration}/pembayaran`)
  await seeArrival({ page, checkPage }, say)
  // The dialog appears once; after a reload only the page shows the payment.
  await page.reload()
  await page.getByText(p('history.title')).waitFor()
  assert.equal(await page.getByRole('dialog').count(), 0)
  await page
    .getByRole('button', { name: /KW|Kuitansi|Receipt/ })
    .first()
    .waitFor()
  await checkPage('pembayaran: paid')
}

/** Checks the dialog that announces a payment once, with its receipt and the next step. */
export async function seeArrival({ page, checkPage }: Pick<Person, 'page' | 'checkPage'>, say: Say) {
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('heading', { name: new RegExp(say('bills:arrived.received', { amount: '' }).trim()) })
    .waitFor()
  await dialog
    .getByRole('button', { name: /KW|Kuitansi|Receipt/ })
    .first()
    .waitFor()
  await dialog.getByText(say('bills:arrived.next')).waitFor()
  await checkPage('pembayaran: arrived')
  await dialog.getByRole('button', { name: say('bills:arrived.toPayments') }).click()
  await dialog.waitFor({ state: 'detached' })
}

export async function uploadDocuments({ page, checkPage }: Person, say: Say, registration: string) {
  await goTo(page, `${registration}/file`)
  const requiredSlots = page.locator('section').filter({ hasText: new RegExp(say('documents:required')) })
  await requiredSlots.first().waitFor()
  await checkPage('file')
  const buffer = await picture(800, 1000)
  const count = await requiredSlots.count()
  for (let index = 0; index < count; index++) {
    const slot = requiredSlots.nth(index)
    await slot
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: `berkas-${index}.jpg`, mimeType: 'image/jpeg', buffer })
    await slot.getByText(say('documents:status.uploaded')).waitFor()
  }
  await checkPage('file: sent')
}

/** Sees the booked test as the step ahead. */
export async function seeTestAhead({ page, checkPage }: Person, say: Say, registration: string) {
  await goTo(page, '/dashboard')
  await page
    .getByRole('heading', { name: new RegExp(`^${say('registration:next.attendTestDue', { due: '' })}`) })
    .waitFor()
  await checkPage('dashboard: test ahead')
  await page.getByRole('link', { name: say('registration:act.attendTest') }).click()
  await page.waitForURL(new RegExp(`${registration}#test`))
  await page.getByText(say('testing:booked'), { exact: true }).waitFor()
  await checkPage('test session booked')
}

/** Signs in with the form, which ends on the dashboard. */
export async function signInWithForm({ page, checkPage }: Person, say: Say, account: string) {
  await page.goto('/sign-in')
  await page.getByLabel(say('accounts:fields.email'), { exact: true }).fill(`${account}@demo.test`)
  await page.getByLabel(say('accounts:fields.password'), { exact: true }).fill(demoPassword)
  await checkPage('sign-in')
  await page.getByRole('button', { name: say('accounts:signIn.submit'), exact: true }).click()
  await page.waitForURL(/\/dashboard/)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await checkPage('dashboard of staff')
}

/**
 * Signs in as a demo account; the journey then goes to a page. In the quick form, where only the clerk of
 * apply-to-student uses the form, the browser gets its token from the API and loads neither form nor dashboard.
 */
export async function signInAs(person: Person, say: Say, account: string) {
  if (isWhole) return signInWithForm(person, say, account)
  const { page } = person
  const answer = await page.request.post('/api/login', {
    data: { email: `${account}@demo.test`, password: demoPassword },
  })
  assert(answer.ok(), await answer.text())
  const { access_token } = await answer.json()
  // A same-origin document without the app.
  await page.goto('/api/ready')
  await page.evaluate(
    ([key, token]) => {
      localStorage.clear()
      localStorage.setItem(key!, token!)
    },
    [storageKeys.token, access_token],
  )
}

/** A registration's tab in the staff view; the menu has links with the same names. */
export const registrationTab = (page: Page, say: Say, tab: string) =>
  page
    .getByRole('navigation', { name: say('registration:detail.sections') })
    .getByRole('link', { name: say(`staff:detail.tabs.${tab}`) })

/** Finds the registration in the list as a clerk and opens it. */
export async function findRegistration({ page, checkPage }: Person, say: Say, name: string) {
  await goTo(page, '/pendaftaran')
  await page.getByLabel(say('staff:list.search'), { exact: true }).fill(name)
  const link = page.getByRole('link', { name, exact: true }).first()
  await page.waitForURL(/q=/)
  await link.waitFor()
  await checkPage('pendaftaran: list of staff')
  await link.click()
  await registrationTab(page, say, 'documents').waitFor()
  await checkPage('pendaftaran/{id} of staff')
}

export async function approveDocuments(staff: Person, say: Say) {
  await registrationTab(staff.page, say, 'documents').click()
  await approveWaiting(staff, say)
}

/** Approves each document waiting in the review on screen. */
export async function approveWaiting({ page, checkPage }: Person, say: Say) {
  const approve = page.getByRole('button', { name: new RegExp(`^${say('documents:approve')}`) })
  await approve.waitFor()
  await checkPage('review of documents')
  const waitingDocuments = page.locator('li').filter({ hasText: say('documents:staffStatus.uploaded') })
  for (let remaining = await waitingDocuments.count(); remaining > 0; remaining = await waitingDocuments.count()) {
    await waitingDocuments.first().getByRole('button').click()
    await approve.click()
    while ((await waitingDocuments.count()) >= remaining) await page.waitForTimeout(100)
  }
}

export async function accept({ page, checkPage }: Person, say: Say) {
  const button = say('staff:detail.act.accept')
  await page
    .getByRole('group', { name: say('staff:detail.actionsTitle') })
    .getByRole('button', { name: button, exact: true })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await checkPage('pendaftaran/{id}: accept')
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(say('staff:unpublished')).first().waitFor()
}

/** Checks that the applicant does not see an unpublished decision. */
export async function seeWaiting({ page, checkPage }: Person, say: Say, registration: string) {
  await goTo(page, registration)
  await page.getByText(say('registration:result.waitingTitle')).first().waitFor()
  await checkPage('pendaftaran/{id}: waiting')
}

export async function publish({ page, checkPage }: Person, say: Say) {
  await goTo(page, '/pendaftaran')
  await page.getByRole('button', { name: say('staff:publish.title') }).click()
  const row = page.getByRole('region', { name: /^Gelombang 2.*, Reguler$/ })
  await row.waitFor()
  await checkPage('publication')
  await row.getByRole('button', { name: say('staff:publish.now') }).click()
  await page
    .getByRole('dialog', { name: say('common:confirmTitle') })
    .getByRole('button', { name: say('staff:publish.now') })
    .click()
  await row.getByText(new RegExp(say('staff:publish.published', { time: '' }).trim())).waitFor()
}

export async function confirmPlace({ page, checkPage }: Person, say: Say, registration: string) {
  const r = (key: string) => say(`registration:${key}`)
  await goTo(page, registration)
  await page.getByText(r('result.accepted')).first().waitFor()
  await checkPage('pendaftaran/{id}: accepted')
  await goTo(page, '/konfirmasi-kelulusan')
  const confirm = { name: r('confirm.button'), exact: true }
  await page.getByRole('button', confirm).click()
  await page.getByText(r('confirm.choosePlan')).waitFor()
  await page.getByRole('radio', { name: /Tiga kali/ }).click()
  await checkPage('konfirmasi-kelulusan')
  await page.getByRole('button', confirm).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/Tiga kali.*Rp/).waitFor()
  await checkPage('konfirmasi-kelulusan: question')
  await dialog.getByRole('button', confirm).click()
  await page.waitForURL(/\/pembayaran$/)
}

/** A job issues the student number a moment after the first instalment was booked. */
export async function readStudentNumber({ page, checkPage }: Person, say: Say, registration: string): Promise<string> {
  await goTo(page, registration)
  const label = page.getByText(say('registration:result.studentNumber')).first()
  for (let tries = 0; tries < 20 && !(await label.isVisible()); tries++) {
    await page.waitForTimeout(1000)
    await page.reload()
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }
  await label.waitFor()
  await checkPage('pendaftaran/{id}: student')
  const found = /\b2\d{7,9}\b/.exec((await page.locator('main').allInnerTexts()).join(' '))
  if (!found) throw new Error('No student number on the page')
  return found[0]
}
