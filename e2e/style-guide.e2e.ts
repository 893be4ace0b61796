import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Look, openProfile } from './look/walk.ts'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const look: Look = { width: 1280, language: 'en', theme: 'light', rootFontPx: 16 }
const say = wordsOf('en')
const administrator = 'administrator@demo.test'

describe('the style guide', () => {
  /** Opens the guide in a new profile with the device's theme. */
  const openGuide = async () => {
    const person = await world.person({ width: 1280, language: 'en' })
    await signInAs({ ...person, checkPage: async () => {} }, say, 'administrator')
    return person
  }
  const choose = (page: Page, name: string) => page.getByText(name, { exact: true }).click()
  const frameOf = (page: Page) =>
    page.evaluate(() => {
      const { lang, dataset } = document.documentElement
      const row = document.querySelector('main tbody tr')!.getBoundingClientRect()
      const aside = document.querySelector('aside:has(nav)')!.getBoundingClientRect()
      return {
        lang,
        theme: dataset.mantineColorScheme,
        rowPx: Math.round(row.height),
        asidePx: Math.round(aside.width),
      }
    })

  test('layout settings affect the whole frame, survive a reload, and are reset by one button', async () => {
    const { page, context } = await openGuide()
    await goTo(page, '/builder')
    await page.locator('main tbody tr').first().waitFor()
    const usual = { lang: 'en', theme: 'dark', rowPx: 36, asidePx: 264 }
    await expect.poll(() => frameOf(page), { timeout: 20_000 }).toMatchObject(usual)
    await choose(page, say('samples:builder.aside.minimized'))
    await choose(page, say('samples:builder.density.compact'))
    await choose(page, say('common:theme.light'))
    await choose(page, say('common:language.id'))
    await page.mouse.move(900, 500)
    const chosen = { lang: 'id', theme: 'light', asidePx: 72, rowPx: 28 }
    await expect.poll(() => frameOf(page), { timeout: 20_000 }).toMatchObject(chosen)
    await page.reload()
    await expect.poll(() => frameOf(page), { timeout: 20_000 }).toMatchObject({ lang: 'id', asidePx: 72, rowPx: 28 })
    await goTo(page, '/master/fakultas')
    await page.locator('main tbody tr').first().waitFor()
    await expect.poll(async () => (await frameOf(page)).asidePx, { timeout: 20_000 }).toBe(72)
    const cellPx = () =>
      page
        .locator('main thead th')
        .last()
        .evaluate((cell) => getComputedStyle(cell).height)
    await expect.poll(cellPx, { timeout: 20_000 }).toBe('28px')
    await goTo(page, '/builder')
    await page.getByRole('button', { name: wordsOf('id')('samples:builder.reset') }).click()
    await page.mouse.move(900, 500)
    await expect.poll(() => frameOf(page), { timeout: 20_000 }).toMatchObject(usual)
    await context.close()
  })

  test('a row is added by the form, found by the search, selected and removed, without any write request', async () => {
    const { page, context, complaints } = await openProfile(world, administrator, look)
    const writes: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET' && /\/api\/(?!verify_token)/.test(request.url())) writes.push(request.url())
    })
    await goTo(page, '/apps/subscriptions/add-subscription')
    await page.getByRole('button', { name: say('samples:form.submit'), exact: true }).click()
    await expect.poll(() => page.locator('[aria-invalid=true]').count(), { timeout: 20_000 }).toBe(4)
    await page.getByLabel(say('samples:subscriptions.name')).fill('Paket Uji')
    await page.getByRole('combobox', { name: say('samples:subscriptions.status') }).click()
    await page.getByRole('option', { name: say('samples:status.done') }).click()
    await page.getByLabel(say('samples:subscriptions.since')).click()
    await page.locator('[data-today], .mantine-DatePickerInput-day').first().click()
    await page.getByLabel(say('samples:subscriptions.amount')).fill('45000')
    await page.getByRole('button', { name: say('samples:form.submit'), exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Paket Uji' }).waitFor()
    await page.getByRole('link', { name: say('samples:detail.back') }).click()
    await page.getByLabel(say('list:search'), { exact: true }).fill('paket uji')
    await expect.poll(() => page.locator('tbody tr').count(), { timeout: 20_000 }).toBe(1)
    await page.locator('tbody tr input[type=checkbox]').check({ force: true })
    await page
      .locator('[data-selection]')
      .getByRole('button', { name: say('samples:list.remove') })
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove 1 row/ })
      .click()
    await page.getByText(say('list:noneFound')).waitFor()
    expect([writes, complaints]).toEqual([[], []])
    await context.close()
  })

  test.each(['light', 'dark'] as const)('a search result is highlighted in the %s theme', async (theme) => {
    const { page, context } = await openProfile(world, administrator, { ...look, theme })
    await goTo(page, '/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').fill('faculties')
    const mark = page.getByRole('option').locator('mark').first()
    await mark.waitFor()
    const grounds = { light: 'rgb(205, 234, 254)', dark: 'rgba(0, 158, 247, 0.38)' }
    expect(await mark.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe(grounds[theme])
    await context.close()
  })

  test.each(['general', 'forms', 'wizards'])(
    'each dialog on %s opens, passes axe and closes with Escape',
    async (kind) => {
      const { page, context, checkPage } = await openGuide()
      await goTo(page, `/crafted/modals/${kind}`)
      const openers = page.locator('main button[aria-haspopup=dialog]')
      await openers.first().waitFor()
      for (let index = 0; index < (await openers.count()); index++) {
        await openers.nth(index).click()
        const dialog = page.getByRole('dialog')
        await dialog.waitFor()
        await checkPage(`crafted/modals/${kind} ${index}`, { withAxe: true })
        await page.keyboard.press('Escape')
        await dialog.waitFor({ state: 'detached' })
      }
      await context.close()
    },
  )
})
