import fs from 'node:fs'
import { Secret, TOTP } from 'otpauth'
import { pick, type Say } from '../support/steps.ts'
import type { Person } from '../support/world.ts'
import type { Camera } from './camera.ts'
import { fillWorkbook } from './filled-workbook.ts'

const codeOf = (key: string) => new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate()

/** Matches a sentence with any number in place of its 0. */
const withAnyNumber = (sentence: string) => new RegExp(sentence.replace('0', '[\\d.]+'))

export const password = 'Kopi-Susu-22'

/** Opens the printed address and becomes the first administrator. */
export async function becomeFirstAdministrator(
  { page, checkPage }: Person,
  say: Say,
  camera: Camera,
  who: { path: string; name: string; email: string },
) {
  const s = (key: string) => say(`staff-accounts:${key}`)
  await page.goto(who.path)
  await page.getByLabel(s('setup.name'), { exact: true }).fill(who.name)
  await page.getByLabel(s('setup.email'), { exact: true }).fill(who.email)
  await page.getByLabel(s('setup.password'), { exact: true }).fill(password)
  await page.getByLabel(s('setup.repeat'), { exact: true }).fill(password)
  await checkPage('setup')
  await camera('first-administrator', page)
  await page.getByRole('button', { name: s('setup.submit') }).click()
  await setUpTotp(page, say)
  await page.waitForURL(/\/settings\/opening$/)
}

/** Sets up two-factor sign-in, before which no other page opens. */
export async function setUpTotp(page: Person['page'], say: Say) {
  const s = (key: string) => say(`staff-accounts:${key}`)
  await page.waitForURL(/\/account\/totp/)
  const key = await page.locator('code').first().textContent()
  await page.getByLabel(s('totp.code')).fill(codeOf(key ?? ''))
  await page.getByRole('button', { name: s('totp.confirm') }).click()
  await page.getByRole('button', { name: s('totp.kept') }).click()
}

/** Adds every row of the starting set. */
export async function addStartingSet({ page, checkPage }: Person, say: Say) {
  const o = (key: string, params?: Record<string, string | number>) => say(`opening:${key}`, params)
  await page.goto('/settings/opening')
  await page.getByRole('heading', { name: o('closedTitle') }).waitFor()
  await checkPage('settings/opening: nothing there')
  await page.getByRole('link', { name: o('startingSet'), exact: true }).click()
  await page.getByRole('button', { name: withAnyNumber(o('set.add_other', { count: 0 })) }).click()
  await page.getByText(o('set.complete')).waitFor()
}

/** Downloads the empty workbook, fills it in, has it checked and written. */
export async function sendWorkbook({ page, checkPage }: Person, say: Say, camera: Camera) {
  const w = (key: string, params?: Record<string, string | number>) => say(`workbook:${key}`, params)
  await page.goto('/settings/opening/workbook')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: w('get.empty') }).click()
  const download = await downloading
  const file = await download.path()
  // The sheet reader takes the file's extension as its format.
  fs.renameSync(file, `${file}.xlsx`)
  const filled = await fillWorkbook(`${file}.xlsx`)
  await page.locator('input[type=file]').setInputFiles({
    name: 'universitas.xlsx',
    mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    buffer: filled,
  })
  await page.getByText(w('ready')).waitFor()
  await checkPage('settings/opening/workbook/{id}: checked')
  await camera('workbook', page)
  const write = { name: withAnyNumber(w('write_other', { formatted: '0' })) }
  await page.getByRole('button', write).click()
  await page.getByRole('dialog').getByRole('button', write).click()
  await page.getByText(withAnyNumber(w('done', { new: 0, changed: 'X' }).split('X')[0]!)).waitFor()
}

/** Enters the university's name and address; the privacy notice is in the starting set. */
export async function saveIdentity({ page, checkPage }: Person, say: Say) {
  const s = (key: string) => say(`settings:${key}`)
  await page.goto('/settings/general#identity')
  const card = page.locator('#identity')
  for (const [field, value] of [
    ['universityName', 'Universitas Melati Nusantara'],
    ['universityShortName', 'UMN'],
    ['address', 'Jalan Merdeka 9, Madiun 63117'],
    ['phone', '(0351) 411-222'],
    ['email', 'pmb@univ-melati.ac.id'],
    ['website', 'https://univ-melati.ac.id'],
  ] as const)
    await card.getByRole('textbox', { name: s(`fields.${field}`), exact: true }).fill(value)
  await checkPage('settings/general')
  await card.getByRole('button', { name: s('save'), exact: true }).click()
  // The line about the last change names the editor.
  await card.getByText(/Budi Santoso/).waitFor()
}

/** Invites a second administrator by mail. */
export async function inviteAdministrator({ page }: Person, say: Say, who: { name: string; email: string }) {
  const s = (key: string) => say(`staff-accounts:${key}`)
  await page.goto('/settings/accounts/create')
  await page.getByRole('textbox', { name: s('create.name'), exact: true }).fill(who.name)
  await page.getByRole('textbox', { name: s('create.email'), exact: true }).fill(who.email)
  await pick(page, s('create.role'), 'Administrator')
  await page.getByRole('button', { name: s('create.send') }).click()
  await page.getByRole('heading', { level: 1, name: who.name }).waitFor()
}

/** Accepts an invitation; the second factor comes before anything else. */
export async function acceptInvitation({ page }: Person, say: Say, path: string) {
  const s = (key: string) => say(`staff-accounts:${key}`)
  await page.goto(path)
  await page.getByLabel(s('invitation.password'), { exact: true }).fill(password)
  await page.getByLabel(s('invitation.repeat'), { exact: true }).fill(password)
  await page.getByRole('button', { name: s('invitation.submit') }).click()
  await page.waitForURL(/\/account\/totp/)
  await page.goto('/settings/opening')
  await setUpTotp(page, say)
  await page.waitForURL(/\/(dashboard|settings\/opening)$/)
}

/** Enters the connection to a payment gateway and requests its approval. */
export async function connectBank(
  { page, checkPage }: Person,
  say: Say,
  camera: Camera,
  gateway: { code: string; baseUrl: string; serverKey: string },
) {
  const p = (key: string) => say(`providers:${key}`)
  await page.goto('/settings/providers/create')
  await page.getByRole('radio', { name: p('kinds.midtrans') }).check()
  const text = (name: string) => page.getByRole('textbox', { name: p(name), exact: true })
  await text('name').fill('Midtrans')
  await text('code').fill(gateway.code)
  await page.getByLabel(p('active')).check()
  await text('baseUrl').fill(gateway.baseUrl)
  await page.getByLabel(p('secrets.serverKey')).fill(gateway.serverKey)
  await pick(page, p('bank.channel'), null)
  await page.getByLabel(say('approvals:pending.reason')).fill('Gerbang pembayaran pertama kami')
  await checkPage('settings/providers/create')
  await camera('bank', page)
  await page.getByRole('button', { name: say('approvals:pending.send') }).click()
  await page.waitForURL(/\/settings\/providers$/)
}

/** Approves the pending bank connection as a second person. */
export async function approveBank({ page, checkPage }: Person, say: Say) {
  const a = (key: string) => say(`approvals:${key}`)
  await page.goto('/persetujuan?status=pending')
  await page.getByRole('row', { name: new RegExp(a('kind.provider_connection')) }).click()
  await page.getByRole('button', { name: a('approval.approve'), exact: true }).waitFor()
  await checkPage('persetujuan: bank connection')
  await page.getByRole('button', { name: a('approval.approve'), exact: true }).click()
  await page.getByRole('row', { name: new RegExp(a('kind.provider_connection')) }).waitFor({ state: 'detached' })
}

/** Takes a trial through every stage, views it as the applicant, and removes it. */
export async function tryAsApplicant({ page, checkPage }: Person, say: Say, camera: Camera) {
  const t = (key: string) => say(`trial:${key}`)
  await page.goto('/settings/opening/trial')
  await page.getByRole('button', { name: t('start'), exact: true }).click()
  const goOn = page.getByRole('button', { name: t('goOn') })
  const through = page.getByText(t('through'))
  await goOn.waitFor()

  await page.getByRole('button', { name: t('see') }).click()
  await page.waitForURL(/\/dashboard$/)
  await page.goto('/account/overview')
  await page.getByRole('button', { name: t('back'), exact: true }).click()
  await page.waitForURL(/\/settings\/opening\/trial$/)
  await goOn.waitFor()

  const doneSteps = page.locator('li[data-state=done]')
  while (!(await through.isVisible())) {
    const before = await doneSteps.count()
    await goOn.click()
    await doneSteps
      .nth(before)
      .or(page.getByText(t('refusedTitle')))
      .first()
      .waitFor()
    if (await page.getByText(t('refusedTitle')).isVisible())
      throw new Error(`The trial stopped:\n${await page.locator('main').allInnerTexts()}`)
    await goOn.or(through).first().waitFor()
  }
  await checkPage('settings/opening/trial: through')
  await camera('trial', page)
  await page.getByRole('button', { name: t('remove') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: t('remove') })
    .click()
  await page.getByRole('button', { name: t('start'), exact: true }).waitFor()
}

/** Opens registration, which nothing blocks any more. */
export async function openRegistration({ page, checkPage }: Person, say: Say, camera: Camera) {
  const o = (key: string) => say(`opening:${key}`)
  await page.goto('/settings/opening')
  await page.getByRole('heading', { name: o('closedTitle') }).waitFor()
  await checkPage('settings/opening: complete')
  await camera('checklist', page)
  await page.getByRole('button', { name: o('open'), exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: o('open'), exact: true })
    .click()
  await page.getByRole('heading', { name: o('openTitle') }).waitFor()
}
