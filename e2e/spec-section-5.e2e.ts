import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const say = wordsOf('id')
const required = say('validation:required')

describe('"Form validation runs on blur, change, input and model update; the rules themselves are not shown."', () => {
  test('a master data form: nothing before a field is touched, then on blur, input and a restored draft', async () => {
    const admin = await world.person({ width: 1280, language: 'id' })
    await world.keepPicturesOnFailure('form-checks-master', [admin], async () => {
      await signInAs(admin, say, 'administrator')
      const { page } = admin
      await goTo(page, '/master/fakultas/create')
      const code = page.locator('[data-field="code"] input')
      const name = page.locator('[data-field="name"] input')
      const problemOf = (field: string) => page.locator(`[data-field="${field}"] .mantine-InputWrapper-error`)
      await code.waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)

      // On blur: an empty required field is reported.
      await name.focus()
      await code.focus()
      await expect.poll(() => problemOf('name').textContent()).toBe(required)
      expect(await problemOf('code').count()).toBe(0)
      // On input: the sentence disappears when the value becomes valid and returns when it becomes invalid.
      await name.pressSequentially('Fakultas Uji')
      await expect.poll(() => problemOf('name').count()).toBe(0)
      await code.pressSequentially('a b?')
      await expect.poll(() => problemOf('code').count()).toBe(1)

      // On model update: an invalid restored draft is reported at once.
      await page.waitForTimeout(1000)
      await page.reload()
      await code.waitFor()
      expect(await name.inputValue()).toBe('Fakultas Uji')
      await expect.poll(() => problemOf('code').count()).toBe(1)
      expect(await problemOf('name').count()).toBe(0)

      // Saving focuses the first invalid field and keeps the typed values.
      await name.focus()
      await page.keyboard.press('Control+s')
      await expect.poll(() => code.evaluate((input) => input === document.activeElement)).toBe(true)
      expect(await name.inputValue()).toBe('Fakultas Uji')
    })
  })

  test('a desk form: the rules of the call, on input and on saving', async () => {
    const clerk = await world.person({ width: 1280, language: 'id' })
    await world.keepPicturesOnFailure('form-checks-desk', [clerk], async () => {
      await signInAs(clerk, say, 'administrator')
      const { page } = clerk
      await goTo(page, '/pembayaran-mahasiswa/create')
      const problemOf = (field: string) => page.locator(`[data-field="${field}"] .mantine-InputWrapper-error`)
      const payer = page.getByLabel(say('money:enter.payer'))
      await payer.waitFor()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
      await payer.fill('x')
      await payer.fill('')
      await expect.poll(() => problemOf('payerName').textContent()).toBe(required)
      await page.getByRole('button', { name: say('money:enter.send') }).click()
      await expect.poll(() => problemOf('billId').count()).toBe(1)
      await expect.poll(() => problemOf('amount').count()).toBe(1)
      await payer.fill('Sari')
      await expect.poll(() => problemOf('payerName').count()).toBe(0)
    })
  })

  test('a dialog: its button is always there, says what is missing, and the sentence disappears while typing', async () => {
    const clerk = await world.person({ width: 1280, language: 'id' })
    await world.keepPicturesOnFailure('form-checks-dialog', [clerk], async () => {
      await signInAs(clerk, say, 'administrator')
      const { page } = clerk
      const dialog = await openViewDialog(page)
      const problem = dialog.locator('[data-field="name"] .mantine-InputWrapper-error')
      expect(await problem.count()).toBe(0)
      await dialog.getByRole('button', { name: say('common:actions.save') }).click()
      await expect.poll(() => problem.textContent()).toBe(required)
      await dialog.getByLabel(say('list:viewName')).fill('Uji')
      await expect.poll(() => problem.count()).toBe(0)
    })
  })

  test('the account forms: sign-up reports problems while typing and when a field is left empty', async () => {
    const visitor = await world.person({ width: 360, language: 'id' })
    await world.keepPicturesOnFailure('form-checks-sign-up', [visitor], async () => {
      const { page } = visitor
      await page.goto('/sign-up')
      const email = page.locator('input[name="email"]')
      await email.waitFor()
      const invalidInput = (name: string) => page.locator(`input[name="${name}"][aria-invalid="true"]`)
      expect(await page.locator('[aria-invalid="true"]').count()).toBe(0)
      await email.pressSequentially('bukan')
      await invalidInput('email').waitFor()
      await email.pressSequentially('@contoh.example')
      await expect.poll(() => invalidInput('email').count()).toBe(0)
      await page.locator('input[name="name"]').focus()
      await email.focus()
      await invalidInput('name').waitFor()
      const password = page.locator('input[name="password"]')
      await password.fill('Rahasia-1!')
      await page.reload()
      await email.waitFor()
      await expect.poll(() => email.inputValue()).toBe('bukan@contoh.example')
      expect(await password.inputValue()).toBe('')
      await goTo(page, '/multi-step-sign-up')
      await email.waitFor()
      await expect.poll(() => email.inputValue()).toBe('bukan@contoh.example')
    })
  })
})

const openViewDialog = async (page: Page) => {
  await goTo(page, '/master/fakultas')
  await page.getByRole('button', { name: say('list:views') }).click()
  await page.getByRole('menuitem', { name: say('list:saveView') }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(say('list:viewName')).waitFor()
  await page.waitForLoadState('networkidle')
  return dialog
}

/** Pixels between a notice and the pressed button. */
async function distanceOf(notice: Locator, button: Locator) {
  const [noticeBox, buttonBox] = [await notice.boundingBox(), await button.boundingBox()]
  return Math.max(
    0,
    buttonBox!.y - (noticeBox!.y + noticeBox!.height),
    noticeBox!.y - (buttonBox!.y + buttonBox!.height),
  )
}

describe('a refused or lost request is reported beside the button', () => {
  const forms = [
    [
      '/settings/roles/create',
      async (page: Page) => page.getByRole('textbox', { name: say('access:roles.name') }).fill('Peran uji'),
    ],
    ['/master/fakultas/create', async (page: Page) => fillFaculty(page)],
    ['/settings/whatsapp/create', async (page: Page) => fillDevice(page)],
  ] as const
  const fillDevice = async (page: Page) => {
    await page.getByLabel(say('whatsapp:kinds.device')).check()
    await page.locator('[data-field="name"] input').fill('Nomor uji')
  }
  const fillFaculty = async (page: Page) => {
    await page.locator('[data-field="code"] input').fill('UJI')
    await page.locator('[data-field="name"] input').fill('Fakultas Uji')
  }

  test('on long forms at 360 px', async () => {
    const admin = await world.person({ width: 360, language: 'id' })
    await world.keepPicturesOnFailure('form-checks-lost', [admin], async () => {
      await signInAs(admin, say, 'administrator')
      const { page } = admin
      for (const [path, fill] of forms) {
        await goTo(page, path)
        await page.waitForLoadState('networkidle')
        await fill(page)
        await page.route('**/api/**', (route) =>
          route.request().method() === 'POST' ? route.abort() : route.fallback(),
        )
        const button = page.locator('button[type="submit"]')
        await button.click()
        const notice = page.getByRole('alert').filter({ hasText: say('common:errors.offline') })
        await notice.waitFor()
        expect([path, (await distanceOf(notice, button)) < 60]).toEqual([path, true])
        await page.unroute('**/api/**')
      }
    })
  })

  test('in a dialog', async () => {
    const clerk = await world.person({ width: 1280, language: 'id' })
    await world.keepPicturesOnFailure('form-checks-lost-dialog', [clerk], async () => {
      await signInAs(clerk, say, 'administrator')
      const { page } = clerk
      const dialog = await openViewDialog(page)
      await dialog.getByLabel(say('list:viewName')).fill('Uji')
      await page.route('**/api/views', (route) =>
        route.request().method() === 'POST' ? route.abort() : route.fallback(),
      )
      const button = dialog.getByRole('button', { name: say('common:actions.save') })
      await button.click()
      const notice = dialog.getByRole('alert')
      await expect.poll(() => notice.textContent()).toBe(say('common:errors.offline'))
      expect(await distanceOf(notice, button)).toBeLessThan(60)
    })
  })
})
