import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { goTo } from '../support/go-to.ts'
import type { Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

const e = (say: Say) => (key: string, params?: Record<string, string | number>) => say(`events:${key}`, params)
const l = (say: Say) => (key: string, params?: Record<string, string | number>) => say(`leads:${key}`, params)

export type Visit = { nameId: string; nameEn: string; slug: string; school: string }

const chooseToday = async (page: Page, label: string) => {
  await page.getByRole('button', { name: label, exact: true }).click()
  const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'Asia/Jakarta' }).format(new Date())
  await page.getByRole('button', { name: today, exact: true }).click()
}

/** Creates and publishes a school visit whose only session begins two minutes before midnight; returns its id. */
export async function makeVisit({ page, checkPage }: Person, say: Say, visit: Visit): Promise<string> {
  const t = e(say)
  await goTo(page, '/event-afiliator')
  await page.getByRole('table').waitFor()
  await checkPage('event-afiliator')
  await page.getByRole('link', { name: t('list.add') }).click()
  const fill = (label: string, value: string) => page.getByRole('textbox', { name: label, exact: true }).fill(value)
  await fill(t('form.nameId'), visit.nameId)
  await fill(t('form.nameEn'), visit.nameEn)
  expect(await page.getByRole('textbox', { name: t('form.slug'), exact: true }).inputValue()).toBe(visit.slug)
  const school = page.locator('input').and(page.getByRole('combobox', { name: t('form.school'), exact: true }))
  await school.click()
  await school.fill(visit.school)
  await page
    .getByRole('option', { name: new RegExp(visit.school) })
    .first()
    .click()
  await fill(t('form.place'), 'Aula sekolah')
  await chooseToday(page, t('form.date'))
  for (const [label, clock] of [
    [t('form.startTime'), '2358'],
    [t('form.endTime'), '2359'],
  ] as const) {
    await page.getByRole('spinbutton', { name: label }).first().click()
    await page.keyboard.type(clock)
  }
  await page.keyboard.press('Escape')
  await chooseToday(page, t('form.opensOn'))
  await chooseToday(page, t('form.closesOn'))
  await checkPage('event-afiliator/create')
  await page.getByRole('button', { name: t('form.create') }).click()
  await page.waitForURL(/\/event-afiliator\/view\/[0-9a-f-]{36}$/)
  await page.getByRole('button', { name: t('view.publish'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('view.publish'), exact: true })
    .click()
  await page.getByText(t('view.published')).waitFor()
  await page.getByRole('link', { name: new RegExp(`/acara/${visit.slug}$`) }).waitFor()
  await checkPage('event-afiliator/view/{id}')
  return new URL(page.url()).pathname.split('/').at(-1)!
}

/** Finds the lead in the list, notes its desired programme and a call, and creates a link; returns the link's path. */
export async function workOnLead({ page, checkPage }: Person, say: Say, name: string, programme: string) {
  const t = l(say)
  await goTo(page, '/marketing/prospek')
  await page.getByLabel(t('list.search'), { exact: true }).fill(name)
  await page.waitForURL(/q=/)
  await checkPage('marketing/prospek')
  await page.getByRole('link', { name, exact: true }).first().click()
  await page.getByText(t('origins.title')).first().waitFor()
  await checkPage('marketing/prospek/{id}')

  await page.getByRole('button', { name: t('form.edit'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  const field = dialog.locator('input').and(dialog.getByRole('combobox', { name: t('form.programme'), exact: true }))
  await field.click()
  await field.fill(programme)
  await page
    .getByRole('option', { name: new RegExp(`^${programme}`) })
    .filter({ visible: true })
    .first()
    .click()
  await checkPage('marketing/prospek/{id}: edit')
  await dialog.getByRole('button', { name: t('form.save'), exact: true }).click()
  await dialog.waitFor({ state: 'hidden' })

  await page.getByRole('textbox', { name: t('call.text'), exact: true }).fill('Asks for scholarships')
  await page.getByRole('button', { name: t('call.result.reached'), exact: true }).click()
  await page.getByText(t('notes.kind.call', { result: t('call.result.reached') })).waitFor()
  await page.getByText('Asks for scholarships').waitFor()
  await page.getByRole('button', { name: t('link.make'), exact: true }).click()
  const address = page.getByText(/\/sign-up\?lead=/)
  await address.waitFor()
  await checkPage('marketing/prospek/{id}: called, with a link')
  const { pathname, search } = new URL((await address.textContent())!)
  return `${pathname}${search}`
}

/** Checks how many visitors of an event have reached each stage. */
export async function seeFunnel({ page, checkPage }: Person, say: Say, id: string, expected: Record<string, number>) {
  const t = e(say)
  await goTo(page, `/event-afiliator/view/${id}`)
  for (const [step, people] of Object.entries(expected))
    await page
      .locator('ol > li')
      .filter({ hasText: new RegExp(`^${t(`view.step.${step}`)}${people}$`) })
      .waitFor()
  await checkPage('event-afiliator/view/{id}: funnel')
}
