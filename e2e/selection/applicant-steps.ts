import { expect } from 'vitest'
import { goTo } from '../support/go-to.ts'
import { pick, type Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'
import type { Candidate, Scene } from './scene.ts'

type Words = (key: string, params?: Record<string, string | number>) => string
const registrationWords =
  (say: Say): Words =>
  (key, params) =>
    say(`registration:${key}`, params)

/** Sees the acceptance, downloads the letter and declines the place with a reason. */
export async function decline(
  { page, checkPage }: Person,
  say: Say,
  { registration }: Candidate,
  { programme }: Scene,
) {
  const r = registrationWords(say)
  await goTo(page, registration)
  await page.getByText(r('result.accepted')).first().waitFor()
  expect(await page.getByRole('heading', { name: programme }).count()).toBeGreaterThan(0)
  await checkPage('pendaftaran/{id}: accepted')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: r('confirm.letter') }).click()
  expect((await download).suggestedFilename()).toMatch(/\.pdf$/)
  await page
    .getByRole('link', { name: say('registration:act.confirmation') })
    .first()
    .click()
  await page.getByRole('radio', { name: /Tiga kali/ }).waitFor()
  await checkPage('konfirmasi-kelulusan')
  await page.getByRole('button', { name: r('end.decline.button') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio').first().check()
  await checkPage('konfirmasi-kelulusan: decline')
  await dialog.getByRole('button', { name: r('end.decline.button') }).click()
  await page.getByText(r('end.decline.done')).waitFor()
  await checkPage('konfirmasi-kelulusan: declined')
  await goTo(page, registration)
  await page.getByText(say('admissions:timeline.registration-decline')).waitFor()
  await checkPage('pendaftaran/{id}: declined')
}

/** Sees the offer from the reserve list, confirms it and reads it in the timeline. */
export async function takeReservePlace({ page, checkPage }: Person, say: Say, { registration }: Candidate) {
  const r = registrationWords(say)
  await goTo(page, registration)
  await page.getByText(r('result.accepted')).first().waitFor()
  await page.getByText(say('admissions:timeline.registration-reserveOffer')).first().waitFor()
  await checkPage('pendaftaran/{id}: accepted from the reserve list')
  await goTo(page, '/konfirmasi-kelulusan')
  await page.getByRole('radio', { name: /Tiga kali/ }).click()
  await page.getByRole('button', { name: r('confirm.button'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: r('confirm.button'), exact: true })
    .click()
  await page.waitForURL(/\/pembayaran$/)
}

/** Requests another study programme after seeing its cost; returns the requested programme. */
export async function askForProgramme({ page, checkPage }: Person, say: Say, reason: string): Promise<string> {
  const c: Words = (key, params) => say(`programme-change:${key}`, params)
  await goTo(page, '/pindah-prodi')
  await pick(page, c('form.where'), null)
  await page.getByRole('heading', { name: c('compare.title') }).waitFor()
  const wish = await page.getByRole('combobox', { name: c('form.where') }).inputValue()
  await page.getByRole('textbox', { name: c('form.reason') }).fill(reason)
  await checkPage('pindah-prodi')
  await page.getByRole('button', { name: c('ask.send'), exact: true }).click()
  await page.getByText(c('request.status.pending')).waitFor()
  await checkPage('pindah-prodi: asked')
  return wish.split(' · ')[0]!
}

/** Sees that the request was granted. */
export async function seeGranted({ page, checkPage }: Person, say: Say, programme: string) {
  await goTo(page, '/pindah-prodi')
  await page.getByText(say('programme-change:request.status.granted')).first().waitFor()
  await page.getByText(programme).first().waitFor()
  await checkPage('pindah-prodi: granted')
}

/** Sees the refusal of the first publication, even after an unpublished decision has replaced it. */
export async function seeRefusal({ page, checkPage }: Person, say: Say, { registration }: Candidate) {
  await goTo(page, registration)
  await page.getByRole('heading', { name: say('registration:result.notTitle') }).waitFor()
  expect(await page.getByText(say('registration:result.accepted'), { exact: true }).count()).toBe(0)
  await checkPage('pendaftaran/{id}: not accepted')
}

/** Sees the acceptance of the second publication. */
export async function seeAcceptance({ page, checkPage }: Person, say: Say, { registration }: Candidate) {
  await goTo(page, registration)
  await page.getByText(say('registration:result.accepted')).first().waitFor()
  expect(await page.getByRole('heading', { name: say('registration:result.notTitle') }).count()).toBe(0)
  await checkPage('pendaftaran/{id}: accepted by a later publication')
}
