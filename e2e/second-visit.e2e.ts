import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '#seeds/demo/university.ts'
import { violationsOf } from './support/axe.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

const say = wordsOf('id')
let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())
const contexts: BrowserContext[] = []
afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())))

async function phone(): Promise<Page> {
  const { context, page } = await world.person({ width: 360, language: 'id' })
  contexts.push(context)
  return page
}
const email = (page: Page) => page.getByLabel(say('accounts:fields.email'), { exact: true })
const lastSeen = (page: Page) => page.getByText('Terakhir dilihat')

async function signIn(page: Page, address: string) {
  await page.goto('/sign-in')
  await email(page).fill(address)
  await page.getByLabel(say('accounts:fields.password'), { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: say('accounts:signIn.submit'), exact: true }).click()
  await page.waitForURL('**/dashboard')
  await page.getByRole('heading', { level: 1 }).waitFor()
}

/** Names of the kept shells that are complete. */
const keptShells = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('shell:'))
    const found = await Promise.all(names.map(async (name) => (await caches.open(name)).match('/app/shell')))
    return names.filter((_, index) => found[index])
  })
const buildOf = (page: Page) => page.locator('meta[name=build]').getAttribute('content')
const waitUntilKept = async (page: Page, file: RegExp) => {
  await expect.poll(async () => (await keptShells(page)).length, { timeout: 30_000 }).toBe(1)
  const keepsFile = () =>
    page.evaluate(async (source) => {
      const name = (await caches.keys()).find((key) => key.startsWith('shell:'))
      const storedUrls = (await (await caches.open(name!)).keys()).map(({ url }) => url)
      const loadedUrls = performance.getEntriesByType('resource').map((entry) => entry.name)
      const urls = loadedUrls.filter((url) => new RegExp(source).test(url))
      return urls.length > 0 && urls.every((url) => storedUrls.includes(url))
    }, file.source)
  await expect.poll(keepsFile, { timeout: 30_000 }).toBe(true)
}

test('the sign-in page opens a second time without network, and nothing personal is kept', async () => {
  const page = await phone()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
  await waitUntilKept(page, /\/app\/assets\/.*\.js$/)
  await page.context().setOffline(true)
  await page.goto('/sign-in')
  await email(page).waitFor()
  expect(await violationsOf(page, [])).toEqual([])
})

test('an applicant without network sees the dashboard as last seen, and the present one once there is network', async () => {
  const page = await phone()
  await signIn(page, 'mahasiswa@demo.test')
  const sentence = await page.locator('#content h1').textContent()
  await waitUntilKept(page, /\/app\/assets\/.*\.js$/)
  const shellPage = await page.evaluate(async () => {
    const name = (await caches.keys()).find((key) => key.startsWith('shell:'))
    const page = await (await caches.open(name!)).match('/app/shell')
    return page!.text()
  })
  expect(shellPage).not.toContain('mahasiswa@demo.test')

  await page.context().setOffline(true)
  await page.goto('/dashboard')
  await lastSeen(page).waitFor()
  expect(await page.locator('#content h1').textContent()).toBe(sentence)
  expect(await violationsOf(page, [])).toEqual([])

  await page.context().setOffline(false)
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await expect.poll(() => lastSeen(page).count()).toBe(0)
})

test('a newer build replaces a kept one at once', async () => {
  const page = await phone()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
  await waitUntilKept(page, /\/app\/assets\/.*\.js$/)
  const build = await buildOf(page)
  // The device keeps the page of an earlier build.
  await page.evaluate(async (present) => {
    const name = `shell:${present}`
    const cache = await caches.open(name)
    const old = await caches.open('shell:000000000000')
    for (const request of await cache.keys()) {
      const response = (await cache.match(request))!
      const isPage = request.url.endsWith('/app/shell')
      const body = isPage ? (await response.text()).replace(present!, '000000000000') : await response.blob()
      await old.put(request, new Response(body, { headers: response.headers }))
    }
    await caches.delete(name)
  }, build)
  const again = await page.context().newPage()
  await again.goto('/sign-in')
  await expect.poll(() => buildOf(again).catch(() => null), { timeout: 30_000 }).toBe(build)
  await email(again).waitFor()
  await expect.poll(() => keptShells(again)).toEqual([`shell:${build}`])
})

/** Changes what the device keeps of the page. */
const changeKept = (page: Page, { body, date }: { body?: string; date?: string }) =>
  page.evaluate(
    async ([newBody, newDate]) => {
      const name = (await caches.keys()).find((key) => key.startsWith('shell:'))
      const cache = await caches.open(name!)
      const answer = (await cache.match('/app/shell'))!
      const headers = new Headers(answer.headers)
      if (newDate) headers.set('date', newDate)
      await cache.put('/app/shell', new Response(newBody ?? (await answer.text()), { headers }))
    },
    [body, date],
  )

test('a kept page that does not start is not served a second time', async () => {
  const page = await phone()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
  await waitUntilKept(page, /\/app\/assets\/.*\.js$/)
  await changeKept(page, { body: '<!doctype html><title>broken</title>' })
  const again = await page.context().newPage()
  await again.goto('/sign-in')
  expect(await again.title()).toBe('broken')
  await again.goto('/sign-in')
  await email(again).waitFor()
  await again.goto('/sign-in')
  await email(again).waitFor()
})

test('an old kept page is replaced although it does not start', async () => {
  const page = await phone()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
  await waitUntilKept(page, /\/app\/assets\/.*\.js$/)
  const broken = '<!doctype html><title>broken</title>'
  await changeKept(page, { body: broken, date: new Date(Date.now() - 7 * 3_600_000).toUTCString() })
  const again = await page.context().newPage()
  await again.goto('/sign-in')
  const keptBody = () =>
    page.evaluate(async () => {
      const name = (await caches.keys()).find((key) => key.startsWith('shell:'))
      return (await (await caches.open(name!)).match('/app/shell'))!.text()
    })
  await expect.poll(keptBody, { timeout: 30_000 }).not.toBe(broken)
  await again.goto('/sign-in')
  await email(again).waitFor()
})

test('a kept page is dropped once a file that it needs is gone', async () => {
  const page = await phone()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
  await waitUntilKept(page, /\/app\/assets\/.*\.js$/)
  const again = await page.context().newPage()
  await again.goto('/sign-in')
  await email(again).waitFor()
  const status = await again.evaluate(async () => {
    const { status } = await fetch('/app/assets/0000000.js')
    return { status, shells: (await caches.keys()).filter((name) => name.startsWith('shell:')) }
  })
  expect(status).toEqual({ status: 404, shells: [] })
})

test('staff always get what the server has', async () => {
  const page = await phone()
  await page.goto('/sign-in')
  await page.getByRole('button', { name: say('common:showTyped') }).waitFor()
  await waitUntilKept(page, /\/app\/assets\/.*\.js$/)
  await signIn(page, 'panitia@demo.test')
  await expect.poll(() => keptShells(page), { timeout: 30_000 }).toEqual([])
  const registration = () =>
    page.evaluate(async () => (await navigator.serviceWorker.getRegistration('/')) === undefined)
  await expect.poll(registration).toBe(true)
})
