import { expect } from 'vitest'
import { shownCode } from '#domain/events/ticket.ts'
import { goTo } from '../support/go-to.ts'
import { linkIn, mailFor } from '../support/outbox.ts'
import { completeProfile, type Say } from '../support/steps.ts'
import type { Person, World } from '../support/world.ts'

export type Pupil = { name: string; phone: string; email: string; nik: string }

/** Registers on the public page of an event; returns the ticket code. */
export async function registerForVisit({ page, checkPage }: Person, say: Say, slug: string, pupil: Pupil) {
  const p = (key: string) => say(`events:public.${key}`)
  await goTo(page, `/acara/${slug}`)
  const submit = page.getByRole('button', { name: p('register'), exact: true })
  await submit.waitFor()
  await checkPage('acara/{slug}')
  const fill = (field: string, value: string) => page.getByRole('textbox', { name: p(field), exact: true }).fill(value)
  await fill('name', pupil.name)
  await fill('phone', pupil.phone)
  await fill('email', pupil.email)
  await fill('wish', 'Beasiswa')
  await submit.click()
  await page.getByText(say('errors:event_consent_needed')).waitFor()
  await checkPage('acara/{slug}: without consent')
  await page.getByRole('checkbox').check()
  await submit.click()
  await page.waitForURL(/\/tiket\/[0-9A-Z]{10}$/)
  const code = new URL(page.url()).pathname.split('/').at(-1)!
  await page.getByText(shownCode(code), { exact: true }).waitFor()
  await checkPage('tiket/{code}')
  return shownCode(code)
}

/** Signs up by the staff's link with the data given at the event, and confirms the address. */
export async function signUpByLink(person: Person, say: Say, world: World, link: string, pupil: Pupil) {
  const { page, checkPage } = person
  const a = (key: string) => say(`accounts:${key}`)
  const arrival = (key: string, params?: Record<string, string>) => say(`lead-arrival:${key}`, params)
  await goTo(page, link)
  await page.getByText(arrival('hello', { name: pupil.name.split(' ')[0]! })).waitFor()
  await checkPage('sign-up: greeted')
  await page.getByRole('textbox', { name: arrival('digits'), exact: true }).fill(pupil.phone.slice(-4))
  await page.getByRole('button', { name: arrival('fill'), exact: true }).click()
  await page.getByText(arrival('filled')).waitFor()
  const contentOf = (field: string) => page.getByLabel(a(`fields.${field}`), { exact: true }).inputValue()
  expect([await contentOf('name'), await contentOf('email')]).toEqual([pupil.name, pupil.email])
  expect((await contentOf('phone')).replace(/\D/g, '').replace(/^62/, '0')).toBe(pupil.phone.replace(/\D/g, ''))
  await page.getByLabel(a('fields.password'), { exact: true }).fill('Perjalanan-1!')
  await page.getByLabel(a('fields.repeatPassword'), { exact: true }).fill('Perjalanan-1!')
  await page.getByRole('checkbox').check()
  await checkPage('sign-up: filled')
  await page.getByRole('button', { name: a('signUp.submit'), exact: true }).click()
  await page.getByRole('heading', { name: a('verify.title') }).waitFor()
  await goTo(page, linkIn(await mailFor(world.url, pupil.email, 'verify-email')))
  await page.getByRole('button', { name: a('confirmEmail.confirm') }).click()
  await page.getByRole('button', { name: a('confirmEmail.next') }).click()
  await page.waitForURL(/\/dashboard$/)
}

/** Enters the pupil's identity, which the settings require before other pages open. */
export async function saveIdentity({ page, checkPage }: Person, say: Say, pupil: Pupil) {
  const f = (field: string) => say(`applicants:field.${field}`)
  await goTo(page, '/account/overview')
  const save = page.getByRole('button', { name: say('account-settings:saveIdentity'), exact: true })
  await save.waitFor()
  await page.getByLabel(f('fullName'), { exact: true }).fill(pupil.name)
  await page.getByLabel(f('birthPlace'), { exact: true }).fill('Bandung')
  for (const [part, value] of [
    ['day', '17'],
    ['month', '8'],
    ['year', '2007'],
  ] as const)
    await page.getByLabel(`${f('birthDate')}: ${say(`common:date.${part}`)}`, { exact: true }).selectOption(value)
  await page.getByLabel(say('applicants:gender.female'), { exact: true }).check()
  await checkPage('account/settings: identity')
  await save.click()
  await page.getByText(say('account-settings:profileSaved')).waitFor()
}

/** Fills in the profile, which already has the school of the visit. */
export const completeProfileOfVisit = (person: Person, say: Say, { nik }: Pupil, school: string) =>
  completeProfile(person, say, nik, async ({ page }) => {
    await page.getByText(new RegExp(`${school}$`)).waitFor()
    await page.getByRole('button', { name: say('applicants:school.change') }).waitFor()
  })
