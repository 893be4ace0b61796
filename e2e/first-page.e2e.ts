import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { storageKeys } from '#domain/navigation/constants.ts'
import { demoPassword } from '#seeds/demo/university.ts'
import { violationsOf } from './support/axe.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

const say = wordsOf('id')
const english = wordsOf('en')
const address = 'mahasiswa@demo.test'
const appFile = /\/app\/assets\/(?!first-paint).*\.js$/

let world: World
let browser: Browser
beforeAll(async () => {
  world = await openWorld()
  browser = (await world.person({ width: 360, language: 'id' })).context.browser()!
})
afterAll(() => world?.close())
const pages: Page[] = []
afterEach(() => Promise.all(pages.splice(0).map((page) => page.context().close())))

async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({
    baseURL: world.url,
    viewport: { width: 360, height: 780 },
    locale: 'id-ID',
    ...options,
  })
  const page = await context.newPage()
  pages.push(page)
  return page
}
const email = (page: Page) => page.getByLabel(say('accounts:fields.email'), { exact: true })
const password = (page: Page) => page.getByLabel(say('accounts:fields.password'), { exact: true })
const submit = (page: Page) => page.getByRole('button', { name: say('accounts:signIn.submit'), exact: true })
/** Holds the files of the app back until the returned function is called. */
async function holdApp(page: Page) {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(appFile, async (route) => {
    await promise
    await route.continue().catch(() => {})
  })
  return resolve
}

/** Lets the app come; it has drawn its page once it asks for the ways to sign in. */
async function letAppCome(page: Page, release: () => void) {
  const answer = page.waitForResponse('**/api/auth/options')
  release()
  await answer
}

describe('without scripts', () => {
  test('the sign-in page shows heading, form and the other language, and names what is wrong in the language of the reader', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto('/sign-in')
    await page.getByRole('heading', { level: 1, name: say('accounts:signIn.title') }).waitFor()
    await email(page).fill(address)
    await password(page).fill('salah sekali')
    await submit(page).click()
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe(say('errors:wrong_credentials'))
    expect(await email(page).inputValue()).toBe(address)
    expect(await password(page).inputValue()).toBe('')

    await page.getByRole('link', { name: 'English' }).click()
    await page.getByRole('heading', { level: 1, name: english('accounts:signIn.title') }).waitFor()
    await page.getByLabel(english('accounts:fields.email'), { exact: true }).fill('')
    await page.getByRole('button', { name: english('accounts:signIn.submit') }).click()
    await expect.poll(() => alert.textContent()).toContain(`${english('accounts:fields.email')}: `)
    await page.getByRole('link', { name: 'Bahasa Indonesia' }).waitFor()
  })

  test('it looks as the app draws it', async () => {
    const plain = await open({ javaScriptEnabled: false })
    const drawn = await open()
    const boxes = async (page: Page) => {
      await page.goto('/sign-in')
      if (page === drawn) await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
      const parts = [page.getByRole('heading', { level: 1 }), email(page), password(page), submit(page)]
      return Promise.all(parts.map(async (part) => ({ ...(await part.boundingBox()), y: 0 })))
    }
    expect(await boxes(plain)).toEqual(await boxes(drawn))
  })
})

describe('before the app is there', () => {
  test('the form signs in, and the page after it is the dashboard', async () => {
    const page = await open()
    const release = await holdApp(page)
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await email(page).fill(address)
    await password(page).fill(demoPassword)
    expect(await violationsOf(page, [])).toEqual([])
    const posted = page.waitForRequest((request) => request.method() === 'POST')
    await submit(page).click()
    expect((await posted).url()).toBe(`${world.url}/sign-in`)
    await page.waitForFunction((key) => localStorage.getItem(key) !== null, storageKeys.token)
    const again = page.waitForRequest((request) => request.isNavigationRequest())
    await page.reload({ waitUntil: 'commit' })
    expect((await again).method()).toBe('GET')
    release()
    await page.waitForURL('**/dashboard')
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await page.locator('meta[name=signed-in]').count()).toBe(0)
    // Nothing asks to send the form again.
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('a refusal stays on the page when the app comes, with the address that was typed', async () => {
    const page = await open()
    const release = await holdApp(page)
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await email(page).fill(address)
    await password(page).fill('salah sekali')
    await submit(page).click()
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe(say('errors:wrong_credentials'))
    release()
    await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
    expect(await alert.textContent()).toBe(say('errors:wrong_credentials'))
    expect(await email(page).inputValue()).toBe(address)
  })

  test('to load the page of a refusal again does not send the password again', async () => {
    const page = await open()
    await holdApp(page)
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await email(page).fill(address)
    await password(page).fill('salah sekali')
    await submit(page).click()
    await page.getByRole('alert').waitFor()
    const methods: string[] = []
    page.on('request', (request) => request.isNavigationRequest() && methods.push(request.method()))
    await page.reload({ waitUntil: 'commit' })
    await email(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await password(page).fill('salah lagi')
    await submit(page).click()
    await page.getByRole('alert').waitFor()
    await page.goto('/api/ready')
    await page.goBack({ waitUntil: 'commit' })
    await email(page).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(methods).toEqual(['GET', 'POST', 'GET', 'GET'])
  })
})

describe('when the app comes while the reader types', () => {
  test('the field stays under the hands, and the app sends what is in the form', async () => {
    const page = await open()
    const release = await holdApp(page)
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await email(page).fill(address)
    await password(page).pressSequentially(demoPassword.slice(0, 4))
    const field = await password(page).elementHandle()
    await letAppCome(page, release)
    expect(await field!.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.type(demoPassword.slice(4))
    const call = page.waitForRequest((request) => request.method() === 'POST')
    await page.keyboard.press('Enter')
    expect((await call).url()).toBe(`${world.url}/api/login`)
    await page.waitForURL('**/dashboard')
  })

  test('the app takes the form over with its values once the reader leaves it', async () => {
    const page = await open()
    const release = await holdApp(page)
    await page.goto('/sign-in', { waitUntil: 'commit' })
    await email(page).fill(address)
    await password(page).fill('sandi')
    await letAppCome(page, release)
    await page.getByRole('heading', { level: 1 }).click()
    await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
    expect([await email(page).inputValue(), await password(page).inputValue()]).toEqual([address, 'sandi'])
  })
})

test('a reader who chose another language than the browser sees that one only', async () => {
  const page = await open()
  await page.goto('/api/ready')
  await page.evaluate(() => localStorage.setItem('language', 'en'))
  const release = await holdApp(page)
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await page.locator('#root h1').waitFor({ state: 'attached' })
  expect(await page.locator('#root h1').isVisible()).toBe(false)
  release()
  await page.getByRole('heading', { level: 1, name: english('accounts:signIn.title') }).waitFor()
})

test('a signed-in reader never sees the form', async () => {
  const page = await open()
  await page.goto('/api/ready')
  const { access_token } = await (
    await page.request.post('/api/login', { data: { email: address, password: demoPassword } })
  ).json()
  await page.evaluate(([key, value]) => localStorage.setItem(key!, value!), [storageKeys.token, access_token])
  const release = await holdApp(page)
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await page.locator('#root form').waitFor({ state: 'attached' })
  expect(await page.locator('#root form').isVisible()).toBe(false)
  release()
  await page.waitForURL('**/dashboard')
})

test('another account that signs in by the form finds nothing of the one before', async () => {
  const page = await open()
  await page.goto('/api/ready')
  await page.evaluate(
    (key) => localStorage.setItem(key, JSON.stringify(['pembayaran-mahasiswa-view'])),
    storageKeys.permissions,
  )
  const release = await holdApp(page)
  await page.goto('/sign-in', { waitUntil: 'commit' })
  await email(page).fill(address)
  await password(page).fill(demoPassword)
  await submit(page).click()
  await page.waitForFunction((key) => localStorage.getItem(key) !== null, storageKeys.token)
  expect(await page.evaluate((key) => localStorage.getItem(key), storageKeys.permissions)).toBeNull()
  release()
  await page.waitForURL('**/dashboard')
})

test('on a slow line the app comes once the reader touches the page', async () => {
  const page = await open()
  // What Chrome reports there; its developer tools forget it at the first page.
  await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } }))
  const scripts: string[] = []
  page.on('request', (request) => appFile.test(request.url()) && scripts.push(request.url()))
  await page.goto('/sign-in', { waitUntil: 'networkidle' })
  expect(scripts).toEqual([])
  await page.getByRole('heading', { level: 1 }).click()
  await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
  expect(new Set(scripts).size).toBe(scripts.length)
})

describe('sign-up', () => {
  const field = (page: Page, name: string) => page.getByLabel(say(`accounts:fields.${name}`), { exact: true })
  const send = (page: Page) => page.getByRole('button', { name: say('accounts:signUp.submit'), exact: true })
  const consent = (page: Page) => page.locator('input[name=consent]')
  async function fill(page: Page) {
    const address = `dewi-${Math.random().toString(36).slice(2)}@contoh.test`
    await field(page, 'name').fill('Dewi Lestari')
    await email(page).fill(address)
    await field(page, 'phone').fill('0812-3456-7890')
    await password(page).fill('Bunga-Melati-77')
    await field(page, 'repeatPassword').fill('Bunga-Melati-77')
    return address
  }

  test('without scripts names what is wrong, keeps what was typed, and then opens an account', async () => {
    const page = await open({ javaScriptEnabled: false })
    await page.goto('/sign-up')
    await page.getByRole('heading', { level: 1, name: say('accounts:signUp.title') }).waitFor()
    const address = await fill(page)
    await send(page).click()
    const alert = page.getByRole('alert')
    await expect.poll(() => alert.textContent()).toBe(say('accounts:problem.consent_required'))
    expect(await email(page).inputValue()).toBe(address)
    expect(await password(page).inputValue()).toBe('')
    await password(page).fill('Bunga-Melati-77')
    await field(page, 'repeatPassword').fill('Bunga-Melati-77')
    await consent(page).check()
    await send(page).click()
    await page.locator('meta[name=signed-in]').waitFor({ state: 'attached' })
  })

  test('before the app is there opens an account, and the next page asks to confirm the address', async () => {
    const page = await open()
    const release = await holdApp(page)
    await page.goto('/sign-up', { waitUntil: 'commit' })
    await fill(page)
    await consent(page).check()
    expect(await violationsOf(page, [])).toEqual([])
    await send(page).click()
    await page.waitForFunction((key) => localStorage.getItem(key) !== null, storageKeys.token)
    release()
    await page.waitForURL('**/verify-email')
  })

  test('the app takes over what was typed, with the ticked box', async () => {
    const page = await open()
    const release = await holdApp(page)
    await page.goto('/sign-up', { waitUntil: 'commit' })
    const address = await fill(page)
    await consent(page).check()
    await email(page).focus()
    await letAppCome(page, release)
    await page.getByRole('heading', { level: 1 }).click()
    await page
      .getByRole('button', { name: say('common:showTyped') })
      .first()
      .waitFor()
    expect([await email(page).inputValue(), await password(page).inputValue()]).toEqual([address, 'Bunga-Melati-77'])
    expect(await consent(page).isChecked()).toBe(true)
    await send(page).click()
    await page.waitForURL('**/verify-email')
  })

  test('it looks as the app draws it', async () => {
    const plain = await open({ javaScriptEnabled: false })
    const drawn = await open()
    const boxes = async (page: Page) => {
      await page.goto('/sign-up')
      if (page === drawn)
        await page
          .getByRole('button', { name: say('common:showTyped') })
          .first()
          .waitFor()
      const parts = [page.getByRole('heading', { level: 1 }), email(page), password(page), send(page)]
      return Promise.all(parts.map(async (part) => ({ ...(await part.boundingBox()), y: 0 })))
    }
    expect(await boxes(plain)).toEqual(await boxes(drawn))
  })

  test('on a slow line is there with few files, and the app comes once the reader touches it', async () => {
    const page = await open()
    await page.addInitScript(() => Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } }))
    const scripts: string[] = []
    page.on('request', (request) => appFile.test(request.url()) && scripts.push(request.url()))
    await page.goto('/sign-up', { waitUntil: 'networkidle' })
    expect(scripts).toEqual([])
    await field(page, 'name').focus()
    await page.getByRole('heading', { level: 1 }).click()
    await page
      .getByRole('button', { name: say('common:showTyped') })
      .first()
      .waitFor()
  })
})
