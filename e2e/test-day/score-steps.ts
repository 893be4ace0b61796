import { expect } from 'vitest'
import type { DemoPerson } from '../support/demo-people.ts'
import { goTo } from '../support/go-to.ts'
import { pick, type Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

/** Uploads a file of scores for one test and checks its columns. */
async function sendScores({ page }: Person, say: Say, lines: readonly string[]) {
  await goTo(page, '/import-nilai-cbt')
  await pick(page, say('scores:send.wave'), 'Gelombang 2')
  const buffer = Buffer.from(['Kode,TPA', ...lines, ''].join('\n'))
  await page.locator('input[type=file]').setInputFiles({ name: 'nilai.csv', mimeType: 'text/csv', buffer })
  await page.waitForURL(/\/import-nilai-cbt\/[0-9a-f-]{36}/)
  await page.getByRole('button', { name: say('scores:mapping.check') }).click()
  await page.getByRole('button', { name: say('scores:mapping.again') }).waitFor()
}

type Tested = { attended: readonly DemoPerson[]; absent: DemoPerson }

/** Uploads a file with five errors, then the corrected one, which is written. */
export async function importScores(clerk: Person, say: Say, { attended, absent }: Tested) {
  const { page, checkPage } = clerk
  const rightLines = attended.map(({ code }, index) => `${code},${90 + index}`)
  const [first, second, third] = attended
  await sendScores(clerk, say, [
    rightLines[0]!,
    `${second!.code},101`,
    `${third!.code},sembilan`,
    `${absent.code},60`,
    `${first!.code},50`,
    'TIDAK-ADA,60',
  ])
  for (const problem of [
    say('scores:problem.outside', { maximum: 100 }),
    say('scores:problem.not_a_number'),
    say('scores:problem.absent', { code: absent.code }),
    say('scores:problem.twice', { row: 2 }),
    say('scores:problem.unknown'),
  ])
    await page.getByText(problem).first().waitFor()
  await page.getByText(say('scores:outcome.wrongText')).waitFor()
  expect(await page.getByText(/^[AB][3-7]/).count()).toBe(5)
  await checkPage('import-nilai-cbt/{id}: five errors')

  await sendScores(clerk, say, rightLines)
  await page.getByText(say('scores:outcome.ready')).waitFor()
  await page.getByRole('button', { name: say('scores:write_other', { formatted: '3' }) }).click()
  await page.getByRole('button', { name: say('scores:writeNow') }).click()
  await page.getByText(say('scores:status.done'), { exact: true }).first().waitFor()
  await checkPage('import-nilai-cbt/{id}: written')
}

type Entry = { session: string; test: string; people: readonly DemoPerson[] }

/** Corrects one score by hand; another one, outside the range, is not saved but is still there after a reload. */
export async function typeScores({ page, checkPage }: Person, say: Say, { session, test, people }: Entry) {
  const [first, second] = people
  await goTo(page, `/import-nilai-cbt/manual?session=${session}&test=${test}`)
  const row = ({ code }: DemoPerson) => page.locator('tr', { hasText: code })
  const input = (person: DemoPerson) => row(person).locator('input')
  await input(first!).fill('77,5')
  await input(first!).press('Enter')
  await row(first!).getByText(say('scores:entry.saved')).waitFor()
  await input(second!).fill('500')
  await page.getByText(say('scores:entry.tooHigh', { maximum: 100 })).waitFor()
  await checkPage('import-nilai-cbt/manual')
  await page.reload()
  expect(await input(first!).inputValue()).toBe('77,5')
  expect(await input(second!).inputValue()).toBe('500')
}
