import { goTo } from './go-to.ts'
import { wordsOf } from './words.ts'
import type { Person } from './world.ts'

const say = wordsOf('id')
const p = (key: string, params?: Record<string, string | number>) => say(`bills:${key}`, params)

/** Opens the demo bank's counter with the number on the payment page. */
export async function atTheBank({ page }: Person, registration: string) {
  await goTo(page, `${registration}/pembayaran`)
  await page.getByRole('heading', { name: p('history.title') }).waitFor()
  // Later instalments are collapsed below the current one.
  const laterTerms = page.locator('summary', { hasNotText: say('navigation:needHelp') })
  if (await laterTerms.isVisible()) await laterTerms.click()
  const request = page.getByRole('button', { name: p('account.request') })
  const demo = page.getByRole('link', { name: p('account.openDemo') })
  await request.or(demo).first().waitFor()
  if (await request.isVisible()) await request.click()
  await demo.waitFor()
  const counter = (await demo.getAttribute('href'))!
  await goTo(page, counter)
  return counter
}

export async function pay({ page }: Person, button: string | RegExp) {
  await page.getByRole('button', { name: button }).first().click()
  await page.getByText(p('sandbox.answerOk', { status: 200 })).waitFor()
}

export async function approveFirst({ page, checkPage }: Person, name: string, kind = '') {
  await goTo(page, `/persetujuan?status=pending${kind && `&kind=${kind}`}`)
  await page
    .getByRole('row', { name: new RegExp(name) })
    .first()
    .click()
  await page.getByLabel(say('approvals:approval.say')).fill('Sesuai bukti')
  await checkPage('persetujuan: one request')
  await page.getByRole('button', { name: say('approvals:approval.approve'), exact: true }).click()
  // A filter has the same word and exists before the answer arrives.
  await page.getByRole('alert').getByText(say('approvals:approval.done.approve'), { exact: true }).waitFor()
}
