import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goTo } from './support/go-to.ts'
import { linkIn, mailFor } from './support/outbox.ts'
import { pick, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const codeOf = (key: string, timestamp = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({ timestamp })
/** A code is valid once. The next half minute's code is already accepted, for clocks that are fast. */
const nextCodeOf = (key: string) => codeOf(key, Date.now() + 30_000)

describe('a new member of staff', () => {
  test('is invited, sets up two-factor sign-in, signs in with it, is seen by the administrator and deactivated', async () => {
    const say = wordsOf('id')
    const s = (key: string, params?: Record<string, string | number>) => say(`staff-accounts:${key}`, params)
    const admin = await world.person({ width: 1280, language: 'id' })
    const invited = await world.person({ width: 360, language: 'id' })
    const email = 'budi.baru@kampus.test'
    const password = 'Kopi-Susu-22'
    await world.keepPicturesOnFailure('staff-account', [admin, invited], async () => {
      await signInAs(admin, say, 'administrator')
      await goTo(admin.page, '/settings/accounts?kind=staff')
      await admin.page.getByRole('cell', { name: 'panitia@demo.test' }).waitFor()
      await admin.checkPage('settings/accounts')
      await admin.page.getByRole('link', { name: s('invite'), exact: true }).click()
      await admin.page.getByRole('textbox', { name: s('create.name'), exact: true }).fill('Budi Baru')
      await admin.page.getByRole('textbox', { name: s('create.email'), exact: true }).fill(email)
      await pick(admin.page, s('create.role'), 'Keuangan')
      await admin.checkPage('settings/accounts/create')
      await admin.page.getByRole('button', { name: s('create.send') }).click()
      await admin.page.getByRole('heading', { level: 1, name: 'Budi Baru' }).waitFor()
      await admin.page.getByLabel(s('detail.requireTotp')).check()
      await admin.page.getByRole('button', { name: s('detail.save'), exact: true }).click()
      await admin.page.getByText(s('detail.saved')).waitFor()
      await admin.checkPage('settings/accounts/{id}')

      const { page, checkPage } = invited
      await goTo(page, linkIn(await mailFor(world.url, email, 'account-invited')))
      await page.getByLabel(s('invitation.password'), { exact: true }).fill(password)
      await page.getByLabel(s('invitation.repeat'), { exact: true }).fill(password)
      await checkPage('invitation')
      await page.getByRole('button', { name: s('invitation.submit') }).click()
      await page.waitForURL(/\/account\/totp/)
      const key = (await page.locator('code').first().textContent()) ?? ''
      await checkPage('account/totp')
      await goTo(page, '/dashboard')
      await page.waitForURL(/\/account\/totp/)
      const newKey = page.locator('code').first()
      await newKey.waitFor()
      const secondKey = (await newKey.textContent()) ?? ''
      expect(secondKey).not.toBe(key)
      await page.getByLabel(s('totp.code')).fill(codeOf(secondKey))
      await page.getByRole('button', { name: s('totp.confirm') }).click()
      await page.getByRole('heading', { name: s('totp.codesTitle') }).waitFor()
      expect(await page.locator('ol code').count()).toBe(10)
      await checkPage('account/totp: recovery codes')
      await page.getByRole('button', { name: s('totp.kept') }).click()
      await page.waitForURL(/\/dashboard/)

      await goTo(page, '/account/settings')
      await page.getByText(s('totp.required'), { exact: true }).waitFor()
      await checkPage('account/settings of staff')
      await page.getByRole('button', { name: new RegExp(say('navigation:user')) }).click()
      await page.getByRole('menuitem', { name: say('navigation:signOut') }).click()
      await page.waitForURL(/\/sign-in/)
      await page.getByLabel(say('accounts:fields.email')).fill(email)
      await page.getByLabel(say('accounts:fields.password'), { exact: true }).fill(password)
      await page.getByRole('button', { name: say('accounts:signIn.submit'), exact: true }).click()
      await page.getByRole('heading', { name: s('codeStep.title') }).waitFor()
      await checkPage('sign-in: code')
      await page.getByLabel(s('codeStep.code'), { exact: true }).fill(nextCodeOf(secondKey))
      await page.getByRole('button', { name: s('codeStep.submit'), exact: true }).click()
      await page.waitForURL(/\/dashboard/)

      const adminPage = admin.page
      await adminPage.reload()
      await adminPage.getByRole('button', { name: s('detail.seeAs') }).click()
      await adminPage.getByRole('button', { name: s('detail.seeAsStart'), exact: true }).click()
      await adminPage.getByText(s('seenAs.banner', { name: 'Budi Baru', role: 'Keuangan' })).waitFor()
      await admin.checkPage('seen as somebody else')
      await goTo(adminPage, '/pembayaran-mahasiswa')
      await adminPage.getByText(s('seenAs.banner', { name: 'Budi Baru', role: 'Keuangan' })).waitFor()
      await adminPage.getByRole('button', { name: s('seenAs.end'), exact: true }).click()
      await adminPage.getByRole('heading', { level: 1, name: 'Budi Baru' }).waitFor()
      expect(await adminPage.getByText(s('seenAs.end'), { exact: true }).count()).toBe(0)

      await adminPage.getByRole('button', { name: s('bulk.deactivate'), exact: true }).click()
      await adminPage
        .getByRole('dialog')
        .getByRole('button', { name: s('bulk.deactivate'), exact: true })
        .click()
      await adminPage.getByText(s('detail.deactivated', { name: 'Budi Baru' })).waitFor()
      await goTo(page, '/pembayaran-mahasiswa')
      await page.waitForURL(/\/sign-in/)
    })
  })
})
