import { afterAll, beforeAll, expect, test } from 'vitest'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

test('the palette opens forms, numbers and screens by keyboard, in words of both languages and with a typo', async () => {
  const say = wordsOf('en')
  const clerk = await world.person({ width: 1280, language: 'en' })
  const { page, checkPage } = clerk
  await world.keepPicturesOnFailure('palette', [clerk], async () => {
    await signInAs(clerk, say, 'administrator')
    await goTo(page, '/dashboard')
    await page.getByRole('heading', { name: say('dashboards:tour.title') }).waitFor()
    const options = page.getByRole('dialog').getByRole('option')
    const ask = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill(words)
      await page.locator('[role="listbox"][aria-busy="false"]').waitFor()
    }
    for (const [words, address, title] of [
      ['tambah periode', '/master/periode/create', 'New wave'],
      ['new study programme', '/master/prodi/create', 'New study programme'],
      ['tambah fakultas', '/master/fakultas/create', 'New faculty'],
      ['new stdy programme', '/master/prodi/create', 'New study programme'],
    ] as const) {
      await ask(words)
      await options.first().waitFor()
      await page.keyboard.press('Enter')
      await page.waitForURL((url) => url.pathname === address, { timeout: 10_000 })
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    await goTo(page, '/pembayaran-mahasiswa?show=bills')
    const number = (await page.getByRole('table').getByText(/^INV/).first().textContent())?.trim() ?? ''
    await ask(number.toLowerCase())
    expect(await options.first().textContent()).toContain(number)
    await checkPage('palette with a bill')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/pembayaran-mahasiswa\/tagihan\//)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('heading', { level: 1, name: number }).waitFor()
    await ask('sari')
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await ask('sari')

    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(/\/api\/search\?q=zzz/, async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('dialog').getByRole('combobox').fill('zzzq')
    // The hits of the words before go at once, while the answer to these is still held back.
    await page.locator('[role="listbox"][aria-busy="true"]').waitFor({ state: 'attached' })
    expect(await options.count()).toBe(0)
    release()
  })
})
