import type { Page } from 'playwright-core'
import { goTo } from '../support/go-to.ts'
import { pick, type Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

const chooseInNextMonth = async (page: Page, say: Say, days: readonly number[]) => {
  await page.getByRole('button', { name: say('test-sessions:create.days') }).click()
  await page.getByRole('button', { name: say('navigation:calendar.nextMonth') }).click()
  for (const day of days) await page.getByRole('button', { name: new RegExp(`^${day} \\w+ \\d{4}$`) }).click()
  await page.keyboard.press('Escape')
}

/** Creates a series of two days, two times and two rooms with four seats, after a look at its sessions. */
export async function createSeries({ page, checkPage }: Person, say: Say, name: string) {
  const s = (key: string, params?: Record<string, string | number>) => say(`test-sessions:${key}`, params)
  await goTo(page, '/jadwal-test')
  await page.getByRole('link', { name: s('add') }).waitFor()
  await checkPage('jadwal-test')
  await page.getByRole('link', { name: s('add') }).click()
  await pick(page, s('create.waveId'), 'Gelombang 2')
  await pick(page, s('create.testIds'), 'Potensi')
  await page.keyboard.press('Escape')
  await page
    .getByRole('textbox', { name: s('create.name'), exact: true })
    .first()
    .fill(name)
  await chooseInNextMonth(page, say, [10, 11])
  await page.getByRole('button', { name: s('create.addTime') }).click()
  const secondTime = page.getByRole('group', { name: s('create.time', { number: 2 }) })
  for (const [label, hour] of [
    [s('create.startTime'), '13'],
    [s('create.endTime'), '15'],
  ] as const) {
    await secondTime.getByRole('spinbutton', { name: label, exact: true }).click()
    await page.keyboard.type(`${hour}00`)
  }
  await page.getByRole('textbox', { name: s('create.location'), exact: true }).fill('Kampus A, Gedung 3')
  await page.getByRole('button', { name: s('rooms.add') }).click()
  const inputs = (label: string) => page.getByRole('textbox', { name: label, exact: true })
  for (const index of [0, 1]) {
    await inputs(s('rooms.capacity')).nth(index).fill('2')
    // The first name belongs to the sessions.
    await inputs(s('rooms.name'))
      .nth(index + 1)
      .fill(`Lab ${index + 1}`)
  }
  await page.getByText(s('rooms.sum', { seats: 4 })).waitFor()
  await page.getByText(`${name} 4`).waitFor()
  await checkPage('jadwal-test/create: looked at')
}

export async function writeSeries({ page }: Person, say: Say) {
  await page.getByRole('button', { name: say('test-sessions:create.button_other', { count: 4 }) }).click()
  await page.waitForURL(/\/jadwal-test\?/)
}

/** Assigns everybody in a session a place, by name. */
export async function givePlaces({ page, checkPage }: Person, say: Say, session: string) {
  const s = (key: string) => say(`test-sessions:${key}`)
  await goTo(page, `/jadwal-test/${session}`)
  await page.getByRole('button', { name: s('seating.give'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(s('seating.name'), { exact: true }).click()
  await checkPage('jadwal-test/{id}: give places')
  await dialog.getByRole('button', { name: s('seating.button'), exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.getByText(s('seating.none')).waitFor({ state: 'hidden' })
  await checkPage('jadwal-test/{id}')
}
