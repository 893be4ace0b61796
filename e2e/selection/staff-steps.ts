import { expect } from 'vitest'
import { goTo } from '../support/go-to.ts'
import { pick, type Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'
import { type Candidate, capacity, type Scene } from './scene.ts'

const say = (words: Say) => (key: string, params?: Record<string, string | number>) => words(`selection:${key}`, params)

/** Computes a selection for the wave's regular track; returns its path. */
export async function simulate({ page, checkPage }: Person, words: Say, { wave, programme }: Scene): Promise<string> {
  const s = say(words)
  await goTo(page, '/seleksi')
  await page.getByRole('heading', { name: s('quotas.title'), exact: true }).waitFor()
  await checkPage('seleksi')
  await page.getByRole('link', { name: s('runs.new'), exact: true }).click()
  await pick(page, s('form.wave'), wave)
  await page.getByLabel(s('form.name'), { exact: true }).fill('Simulation 1')
  for (const group of await page.getByRole('group').all()) {
    const takesPart = group.getByLabel(s('form.takesPart'))
    if ((await takesPart.count()) === 0) continue
    await takesPart.setChecked((await group.locator('legend').textContent()) === 'Reguler')
  }
  await page.getByRole('textbox', { name: s('form.reserve') }).fill('100')
  await checkPage('seleksi/create')
  await page.getByRole('button', { name: s('form.create'), exact: true }).click()
  await page.waitForURL(/\/seleksi\/[0-9a-f-]{36}$/)
  await page.getByText(/3 of 5 applicants placed/).waitFor()
  await page.getByText(programme).first().waitFor()
  await checkPage('seleksi/{id}: results')
  return new URL(page.url()).pathname
}

/** Tries an over-offer, which stores nothing. */
export async function tryOverOffer({ page, checkPage }: Person, words: Say, run: string, scene: Scene) {
  const s = say(words)
  await goTo(page, `${run}?part=places`)
  const row = page.getByRole('row', { name: new RegExp(`^${scene.programme} · ${scene.classProgramme}`) })
  await row.getByRole('textbox').fill('1')
  await page.getByText(/1 get a place/).waitFor()
  await checkPage('seleksi/{id}: what if')
  await page.getByRole('button', { name: s('whatIf.reset'), exact: true }).click()
}

/** Gives the regular track two of the three places, in the grid of the whole wave, and recomputes the selection. */
export async function divideAndRecompute({ page, checkPage }: Person, words: Say, run: string, scene: Scene) {
  const s = say(words)
  const { waveId, programme, classProgramme } = scene
  await goTo(page, '/seleksi')
  await page.getByRole('link', { name: s('wave.open'), exact: true }).click()
  await pick(page, s('form.wave'), scene.wave)
  await page.waitForURL(new RegExp(`wave=${waveId}`))
  await page.getByLabel(s('wave.shareOf', { track: 'Reguler' })).fill('60')
  await page.getByLabel(s('grid.turnOf', { track: 'Reguler' })).fill('1')
  await page.getByRole('button', { name: /^Fill in \d+ programmes$/ }).click()
  await page.getByText(/^\d+ programmes changed$/).waitFor()
  const places = page.getByRole('textbox', {
    name: new RegExp(`^Places of ${programme} · ${classProgramme} .* Reguler$`),
  })
  expect(await places.inputValue()).toBe('1')
  await checkPage('seleksi/kuota: filled in')
  await page.reload()
  expect(await places.inputValue()).toBe('1')
  await page.getByRole('button', { name: s('wave.discard'), exact: true }).click()
  await places.fill('2')
  await page.getByRole('button', { name: s('grid.save'), exact: true }).click()
  await page.getByText(s('grid.saved')).waitFor()
  await goTo(page, `/seleksi/kuota/${scene.programmeDetail}`)
  await page.getByLabel(s('grid.placesOf', { track: 'Reguler' })).waitFor()
  await checkPage('seleksi/kuota/{id}')
  await goTo(page, run)
  await page.getByRole('button', { name: s('page.compute'), exact: true }).click()
  await page.getByText(/2 of 5 applicants placed, 2 in reserve/).waitFor()
}

const publicationOf = ({ page }: Person) => page.getByRole('region', { name: /^Gelombang 2.*, Reguler$/ })

/** Opens the adoption page and verifies the selection. */
async function verify({ page }: Person, words: Say) {
  const s = say(words)
  await page.getByRole('link', { name: s('page.publish'), exact: true }).click()
  await page.getByRole('button', { name: s('publish.verify'), exact: true }).click()
  await page.getByText(new RegExp(s('publish.verified', { time: '.*' }))).waitFor()
}

/** Adopts the verified selection. */
async function adopt(person: Person, words: Say) {
  const { page } = person
  const s = say(words)
  await page.getByRole('button', { name: s('publish.adopt'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: s('publish.adopt'), exact: true })
    .click()
  await publicationOf(person).waitFor()
}

/** Publishes the results on the adoption page. */
async function publishNow(person: Person, words: Say) {
  await publicationOf(person)
    .getByRole('button', { name: words('staff:publish.now') })
    .click()
  await person.page
    .getByRole('dialog', { name: words('common:confirmTitle') })
    .getByRole('button', { name: words('staff:publish.now') })
    .click()
}

/** Verifies and adopts the selection, and publishes its results. */
export async function adoptAndPublish(person: Person, words: Say) {
  await verify(person, words)
  await person.checkPage('seleksi/{id}/publish: verified')
  await adopt(person, words)
  await person.checkPage('seleksi/{id}/publish: adopted')
  await publishNow(person, words)
  await publicationOf(person)
    .getByText(new RegExp(words('staff:publish.published', { time: '' }).trim()))
    .waitFor()
}

/**
 * Gives the regular track all places, reads when applicants will see the results, and adopts a copy of the selection.
 */
export async function adoptLater(person: Person, words: Say, run: string, { programmeDetail }: Scene) {
  const { page, checkPage } = person
  const s = say(words)
  await goTo(page, `/seleksi/kuota/${programmeDetail}`)
  await page.getByLabel(s('grid.placesOf', { track: 'Reguler' })).fill(String(capacity))
  await page.getByRole('button', { name: s('grid.save'), exact: true }).click()
  await page.getByText(s('grid.saved')).waitFor()
  await goTo(page, run)
  await page.getByRole('button', { name: s('page.copy'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(s('copy.name')).fill('Simulation 2')
  await dialog.getByRole('button', { name: s('copy.save'), exact: true }).click()
  await page.getByRole('heading', { name: 'Simulation 2', level: 1 }).waitFor()
  await page.getByText(/\d of \d applicants placed/).waitFor()
  await verify(person, words)
  await page.getByText(/^Reguler: results were published .* These decisions wait for a publication/).waitFor()
  await checkPage('seleksi/{id}/publish: verified after a publication')
  await adopt(person, words)
  await publicationOf(person)
    .getByText(words('staff:publish.waiting_one', { count: 1 }))
    .waitFor()
  await page.getByText(s('page.seen.apart')).waitFor()
  await checkPage('seleksi/{id}/publish: adopted after a publication')
}

/** Publishes the pending decision. */
export async function publishLater(person: Person, words: Say) {
  await publishNow(person, words)
  await publicationOf(person)
    .getByText(words('staff:publish.waiting_one', { count: 1 }))
    .waitFor({ state: 'detached' })
  await person.page.getByText(say(words)('page.seen.published')).waitFor()
  await person.checkPage('seleksi/{id}/publish: published again')
}

const rowOf = ({ page }: Person, name: string) => page.getByRole('row').filter({ hasText: name }).first()

/** Chooses an action in a row's menu. */
async function chooseAction(person: Person, words: Say, name: string, action: string) {
  await rowOf(person, name)
    .getByRole('button', { name: new RegExp(`^${words('list:actionsOf', { name: '' })}`) })
    .click()
  await person.page.getByRole('menuitem', { name: action }).click()
}

/** Extends the deadline of one offer, then confirms it for the applicant. */
export async function answerFor(person: Person, words: Say, { name, code }: Candidate) {
  const { page, checkPage } = person
  const o = (key: string, params?: Record<string, string | number>) => words(`offers:${key}`, params)
  const dialog = page.getByRole('dialog')
  await goTo(page, `/konfirmasi-kelulusan?q=${code}`)
  await rowOf(person, name).waitFor()
  await checkPage('konfirmasi-kelulusan of staff')
  await chooseAction(person, words, name, o('act.extend'))
  await dialog.getByLabel(o('reason')).fill('Asks for three more days')
  await checkPage('konfirmasi-kelulusan: deadline')
  await dialog.getByRole('button', { name: o('act.extend'), exact: true }).click()
  await page.getByText(o('done.extend', { name })).waitFor()
  await chooseAction(person, words, name, o('act.confirm'))
  await dialog.getByRole('radio', { name: /Tiga kali/ }).click()
  await dialog.getByLabel(o('reason')).fill('By telephone')
  await checkPage('konfirmasi-kelulusan: confirm')
  await dialog.getByRole('button', { name: o('act.confirm'), exact: true }).click()
  await rowOf(person, name).getByText(o('answer.confirmed')).waitFor()
}

/** Checks the reserve list after a place was passed on. */
export async function seeReserve(person: Person, words: Say, offered: Candidate, waiting: Candidate) {
  const { page, checkPage } = person
  await goTo(page, '/seleksi/reserve')
  await rowOf(person, offered.name).getByText(words('offers:reserve.status.offered'), { exact: true }).waitFor()
  await rowOf(person, waiting.name).getByText(words('offers:reserve.status.waiting'), { exact: true }).waitFor()
  await checkPage('seleksi/reserve')
}

/** Compares an applicant's programme change request with the current bill and grants it. */
export async function grantWish(person: Person, words: Say, { name }: Candidate, reason: string) {
  const { page, checkPage } = person
  const c = (key: string, params?: Record<string, string | number>) => words(`programme-change:${key}`, params)
  await goTo(page, '/pindah-prodi')
  await checkPage('pindah-prodi of staff')
  await page.getByRole('link', { name: c('request.title'), exact: true }).click()
  await rowOf(person, name).waitFor()
  await checkPage('pindah-prodi/requests')
  await chooseAction(person, words, name, c('request.decide'))
  await page.getByText(reason).waitFor()
  await page.getByRole('textbox', { name: c('form.reason') }).fill('There is a free place.')
  await checkPage('pindah-prodi/create')
  await page.getByRole('button', { name: c('form.accept'), exact: true }).click()
  await page.waitForURL(/\/pindah-prodi(\/requests)?(\?|$)/)
}
