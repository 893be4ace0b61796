import { goTo } from '../support/go-to.ts'
import { keptOnPhone } from '../support/kept-on-phone.ts'
import type { Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

const d = (say: Say) => (key: string, params?: Record<string, string | number>) => say(`events:door.${key}`, params)

/** Opens the door of an event from its page, and waits until it works offline. */
export async function openDoor({ page, checkPage }: Person, say: Say, event: string) {
  await goTo(page, `/event-afiliator/view/${event}`)
  await page.getByRole('link', { name: say('events:view.checkIn') }).click()
  await page.getByLabel(d(say)('typed'), { exact: true }).waitFor()
  await keptOnPhone(page, '/event-afiliator/')
  await checkPage('event-afiliator/view/{id}/check-in')
}

const welcomed = ({ page }: Person, say: Say, name: string) =>
  page.getByRole('status').filter({ hasText: name }).getByText(d(say)('verdict.recorded')).waitFor()

/** Checks a visitor in by the code on the ticket. */
export async function typeCode(person: Person, say: Say, code: string, name: string) {
  const { page } = person
  await page.getByLabel(d(say)('typed'), { exact: true }).fill(code)
  await page.getByRole('button', { name: d(say)('check'), exact: true }).click()
  await welcomed(person, say, name)
}

/** Registers a visitor who has no ticket and agrees to be contacted. */
export async function registerWalkIn(person: Person, say: Say, who: { name: string; phone: string }) {
  const { page, checkPage } = person
  await page.getByRole('button', { name: d(say)('walkIn'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: say('events:public.name'), exact: true }).fill(who.name)
  await dialog.getByRole('textbox', { name: say('events:public.phone'), exact: true }).fill(who.phone)
  await dialog.getByRole('checkbox').check()
  await checkPage('event-afiliator/view/{id}/check-in: walk-in')
  await dialog.getByRole('button', { name: d(say)('submit'), exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await welcomed(person, say, who.name)
}

/** Waits until this many scans on the phone are unsent. */
export const waitForQueue = ({ page }: Person, say: Say, count: number) =>
  page.getByText(count === 0 ? say('door:saved') : say('door:waiting_other', { count })).waitFor()
