import type { MidtransPeer } from '#server-test/peers/midtrans.ts'
import { signUpStepByStep } from '../support/sign-up.ts'
import { completeProfile, pick, type Say, seeArrival } from '../support/steps.ts'
import type { Person } from '../support/world.ts'
import type { Camera } from './camera.ts'
import type { Mailbox } from './mailbox.ts'

export type Applicant = { name: string; email: string; nik: string }

/** Goes from the sign-up page to a submitted registration; returns its path. */
export async function apply(person: Person, say: Say, camera: Camera, who: Applicant, mailbox: Mailbox) {
  const { page } = person
  // No language was chosen yet, so the page uses the browser's.
  await page.goto('/sign-up')
  await page.getByRole('heading', { level: 1, name: say('accounts:signUp.title') }).waitFor()
  await camera('sign-up', page)
  await signUpStepByStep(person, say, who, () => mailbox.linkTo(who.email, '/confirm-email/'))
  await completeProfile(person, say, who.nik, nameOwnSchool)
  return submit(person, say)
}

/** Names a school missing from the list; a new installation has none. */
async function nameOwnSchool({ page }: Person, say: Say) {
  const a = (key: string) => say(`applicants:${key}`)
  await page.getByRole('button', { name: a('school.missing') }).click()
  const form = page
    .locator('.mantine-Paper-root')
    .filter({ hasText: a('school.proposeTitle') })
    .last()
  await form.getByRole('textbox', { name: a('school.name'), exact: true }).fill('SMA Tunas Rekaan')
  await pick(page, a('field.schoolTypeId'), null, form)
  await pick(page, a('school.province'), 'Jawa Timur', form)
  await pick(page, a('school.city'), 'Madiun', form)
  await form.getByRole('button', { name: a('school.add') }).click()
  await form.locator('[data-field=status]').getByText(say('errors:field_required')).waitFor()
  await form.getByRole('radio', { name: a('school.swasta') }).check()
  await form.getByRole('button', { name: a('school.add') }).click()
  // The second applicant of the same school reads that the list has it by now.
  await page
    .getByText(a('school.added'))
    .or(page.getByText(a('school.existed')))
    .first()
    .waitFor()
}

async function submit({ page, checkPage }: Person, say: Say): Promise<string> {
  const r = (key: string) => say(`registration:${key}`)
  await page.goto('/pendaftaran/create')
  const heading = (step: string) => page.getByRole('heading', { name: r(`form.steps.${step}`), exact: true })
  const next = () => page.getByRole('button', { name: r('form.next'), exact: true }).click()
  await heading('track').waitFor()
  await page.getByRole('radio', { name: /^Reguler, Gelombang 1/ }).click()
  await checkPage('pendaftaran/create: track')
  await next()
  await heading('programme').waitFor()
  await next()
  await heading('donation').waitFor()
  await page.getByLabel(r('form.noDonation'), { exact: true }).check()
  await next()
  await heading('test').waitFor()
  await page.getByRole('button', { name: r('form.testLater'), exact: true }).click()
  await heading('check').waitFor()
  await page.getByLabel(r('form.agree')).check()
  await checkPage('pendaftaran/create: check')
  await page.getByRole('button', { name: r('form.submit'), exact: true }).click()
  await page.waitForURL(/\/pendaftaran\/[0-9a-f-]{36}$/)
  return new URL(page.url()).pathname
}

/** Gets a payment number; the gateway reports its payment with a signed call, and the page shows the bill as paid. */
export async function payFee(person: Person, say: Say, camera: Camera, registration: string, gateway: MidtransPeer) {
  const { page, checkPage } = person
  const b = (key: string, params?: Record<string, string | number>) => say(`bills:${key}`, params)
  await page.goto(`${registration}/pembayaran`)
  await page.getByRole('button', { name: b('account.request') }).click()
  await page.getByRole('button', { name: b('account.copyNumber') }).waitFor()
  await checkPage('pembayaran: number')
  await camera('payment-number', page)
  const number =
    /8578[\d ]{12,}/.exec((await page.locator('main').allInnerTexts()).join())?.[0].replace(/\D/g, '') ?? ''
  const account = gateway.account(number)
  if (!account?.open) throw new Error(`The gateway knows no number "${number}"`)
  const { verdict, body } = await gateway.report(gateway.receive(number, account.amount!))
  if (verdict !== 'accepted') throw new Error(`The report of the gateway was refused: ${body}`)
  await seeArrival(person, say)
  await page.reload()
  await page.getByRole('heading', { name: new RegExp(b('paid.whole', { amount: 'Rp.250[.]000' })) }).waitFor()
  await checkPage('pembayaran: paid')
  await camera('paid', page)
}
