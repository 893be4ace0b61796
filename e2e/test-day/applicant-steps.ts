import type { DemoPerson } from '../support/demo-people.ts'
import { goTo } from '../support/go-to.ts'
import type { Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'

const chooseSession = async ({ page }: Person, say: Say, registration: string, session: string) => {
  await goTo(page, registration)
  await page
    .getByRole('radiogroup', { name: say('testing:choose') })
    .getByRole('radio', { name: new RegExp(session) })
    .click()
}

/** Books a seat for an applicant without one. */
export async function bookSeat(person: Person, say: Say, { registration }: DemoPerson, session: string) {
  const { page, checkPage } = person
  await chooseSession(person, say, registration, session)
  await checkPage('pendaftaran/{id}: sessions')
  await page.getByRole('button', { name: say('testing:book'), exact: true }).click()
  await page.getByText(say('testing:booked')).first().waitFor()
  await checkPage('pendaftaran/{id}: booked')
}

/** Joins the waiting list of a full session. */
export async function waitForSeat(person: Person, say: Say, { registration }: DemoPerson, session: string) {
  const { page, checkPage } = person
  await chooseSession(person, say, registration, session)
  await page.getByText(say('testing:waiting.hint')).waitFor()
  await checkPage('pendaftaran/{id}: full session')
  await page.getByRole('button', { name: say('testing:waiting.join'), exact: true }).click()
  await page.getByText(say('testing:waiting.place', { position: 1 })).waitFor()
  await checkPage('pendaftaran/{id}: waiting')
}

export async function giveSeatBack({ page }: Person, say: Say) {
  const button = { name: say('testing:release'), exact: true }
  await page.getByRole('button', button).click()
  await page.getByRole('dialog').getByRole('button', button).click()
  await page.getByText(say('testing:released')).waitFor()
}

/** Accepts the offered seat with one tap on the page the notice links to. */
export async function acceptOffer({ page, checkPage }: Person, say: Say, noticeLink: string) {
  await goTo(page, noticeLink)
  const accept = page.getByRole('button', { name: say('testing:waiting.accept'), exact: true })
  await accept.waitFor()
  await checkPage('pendaftaran/{id}: offered')
  await accept.click()
  await page.getByText(say('testing:booked')).first().waitFor()
}
