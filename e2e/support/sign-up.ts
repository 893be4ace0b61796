import type { Say } from './steps.ts'
import type { Person } from './world.ts'

/**
 * Goes through the wizard to a verified account with identity and study choice; `confirmationLink` returns the path in
 * the confirmation mail.
 */
export async function signUpStepByStep(
  { page, checkPage }: Person,
  say: Say,
  who: { name: string; email: string },
  confirmationLink: () => Promise<string>,
) {
  await page.goto('/multi-step-sign-up')
  await page.getByLabel(say('accounts:fields.name'), { exact: true }).fill(who.name)
  await page.getByLabel(say('accounts:fields.email'), { exact: true }).fill(who.email)
  await page.getByLabel(say('accounts:fields.phone'), { exact: true }).fill('0812 9999 0001')
  await page.getByLabel(say('accounts:fields.password'), { exact: true }).fill('Perjalanan-1!')
  await page.getByLabel(say('accounts:fields.repeatPassword'), { exact: true }).fill('Perjalanan-1!')
  await page.getByRole('checkbox').check()
  await checkPage('multi-step-sign-up: account')
  await page.getByRole('button', { name: say('accounts:wizard.next'), exact: true }).click()

  await page.getByLabel(say('accounts:wizard.birthPlace')).fill('Jakarta')
  await page.getByLabel(say('accounts:wizard.birthDay'), { exact: true }).selectOption('17')
  await page.getByLabel(say('accounts:wizard.birthMonth'), { exact: true }).selectOption('8')
  await page.getByLabel(say('accounts:wizard.birthYear'), { exact: true }).selectOption('2007')
  await page.getByLabel(say('accounts:wizard.female'), { exact: true }).check()
  await checkPage('multi-step-sign-up: identity')
  await page.getByRole('button', { name: say('accounts:wizard.next'), exact: true }).click()

  await page.getByLabel(say('accounts:wizard.track'), { exact: true }).selectOption({ label: 'Reguler' })
  const firstProgramme = page.getByLabel(say('accounts:wizard.programme', { position: 1 }))
  await firstProgramme.selectOption({ index: 3 })
  await checkPage('multi-step-sign-up: study')
  await page.getByRole('button', { name: say('accounts:wizard.next'), exact: true }).click()
  await page.getByRole('heading', { name: say('accounts:wizard.doneTitle') }).waitFor()
  await checkPage('multi-step-sign-up: done')

  await page.getByRole('link', { name: say('accounts:wizard.goVerify') }).click()
  await page.getByRole('heading', { name: say('accounts:verify.title') }).waitFor()
  await checkPage('verify-email')
  await page.goto(await confirmationLink())
  await checkPage('confirm-email')
  await page.getByRole('button', { name: say('accounts:confirmEmail.confirm') }).click()
  await page.getByRole('heading', { name: say('accounts:confirmEmail.done') }).waitFor()
  await checkPage('confirm-email: done')
  await page.getByRole('button', { name: say('accounts:confirmEmail.next') }).click()
  await page.waitForURL(/\/dashboard$/)
}
