import { goTo } from '../support/go-to.ts'
import { settled } from '../support/settled.ts'
import type { Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

const d = (say: Say) => (key: string, params?: Record<string, string | number>) => say(`door:${key}`, params)
const a = (say: Say) => (key: string, params?: Record<string, string | number>) => say(`attendance:${key}`, params)

/** Opens a session's attendance page on a phone and names the phone. */
export async function openAttendance({ page, context }: Person, say: Say, session: string, device: string) {
  await context.grantPermissions(['camera'])
  await goTo(page, `/jadwal-test/${session}/attendance`)
  await page.getByLabel(d(say)('device')).fill(device)
}

/** Turns on the camera, waits for a sentence about the shown card, and turns off the camera. */
export async function scan({ page }: Person, say: Say, sentence: string | RegExp, name: string) {
  await page.getByRole('button', { name: d(say)('scanner.on'), exact: true }).click()
  await page.getByRole('status').filter({ hasText: name }).getByText(sentence).waitFor()
  await page.getByRole('button', { name: d(say)('scanner.off'), exact: true }).click()
}

export const waitForQueue = ({ page }: Person, say: Say, count: number) =>
  page.getByText(count === 0 ? d(say)('saved') : d(say)('waiting_other', { count })).waitFor()

/** Marks everybody who has not come as absent. */
export async function markOthersAbsent({ page }: Person, say: Say, count: number) {
  await page.getByRole('button', { name: a(say)('allAbsent') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: a(say)('marks.absent'), exact: true })
    .click()
  await page.getByText(a(say)('counts', { attended: 3, absent: count, booked: 0 })).waitFor()
  await settled(page)
}
