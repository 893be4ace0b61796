import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

const say = wordsOf('en')
const sessionReads = /\/api\/(verify_token|auth\/|branding|messages)/

let world: World
let clerk: Person
beforeAll(async () => {
  world = await openWorld()
  clerk = await world.person({ width: 1280, language: 'en' })
  await signInAs(clerk, say, 'keuangan')
})
afterAll(async () => {
  await world?.close()
})

const dialog = () => clerk.page.getByRole('dialog', { name: say('common:errors.title') })

/** Answers every read except the session's with 500. */
async function breakReads() {
  await clerk.page.route(/\/api\//, (route) =>
    route.request().method() === 'GET' && !sessionReads.test(route.request().url())
      ? route.fulfill({ status: 500, json: { message: 'The server is ill', code: 'internal' } })
      : route.fallback(),
  )
}
const mendReads = () => clerk.page.unrouteAll({ behavior: 'wait' })

describe("section 8: \"a dialog shows the server's message with an error icon and a button 'Try again!'\"", () => {
  test('one dialog for a burst of failures; the page says what is missing; trying again repeats all reads', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('spec-8', [clerk], async () => {
      await breakReads()
      await page.goto('/pembayaran-mahasiswa')
      await dialog().waitFor()
      expect(await page.getByRole('dialog').count()).toBe(1)
      expect(await dialog().getByText('The server is ill').count()).toBe(1)
      expect(await dialog().locator('svg').count()).toBeGreaterThan(0)
      expect(await page.locator('main').getByText('The server is ill').count()).toBeGreaterThan(0)
      await mendReads()
      await dialog().getByRole('button', { name: 'Try again!' }).click()
      await dialog().waitFor({ state: 'hidden' })
      await page.getByRole('table').waitFor()
      expect(await page.locator('main').getByText('The server is ill').count()).toBe(0)
    })
  })

  test('it closes on navigation', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('spec-8-navigation', [clerk], async () => {
      await page.goto('/dashboard')
      await page.getByRole('heading', { level: 1 }).waitFor()
      await breakReads()
      await page.evaluate(() => {
        history.pushState({}, '', '/pembayaran-mahasiswa')
        dispatchEvent(new PopStateEvent('popstate'))
      })
      await dialog().waitFor()
      await mendReads()
      await page.goBack()
      await dialog().waitFor({ state: 'hidden' })
    })
  })
})

describe('section 2: "On every navigation … the session token is checked"', () => {
  test('each navigation checks once, and the page does not wait for the answer', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('spec-2', [clerk], async () => {
      await page.goto('/dashboard')
      await page.waitForTimeout(2_500)
      let requestCount = 0
      const answered = Promise.withResolvers<void>()
      await page.route(/\/api\/verify_token/, async (route) => {
        requestCount++
        await answered.promise
        await route.fallback()
      })
      await page.evaluate(() => {
        history.pushState({}, '', '/pembayaran-mahasiswa')
        dispatchEvent(new PopStateEvent('popstate'))
      })
      await page.getByRole('heading', { level: 1, name: 'Student payments' }).waitFor()
      expect(requestCount).toBe(1)
      expect(await page.title()).toMatch(/ - PMB Online$/)
      answered.resolve()
      await page.unrouteAll({ behavior: 'wait' })
    })
  })
})

describe('section 4: "Failed token check or permissions fetch clears authentication"', () => {
  test('permissions answering 500 end at sign-in with the reason', async () => {
    const { page } = clerk
    await world.keepPicturesOnFailure('spec-4', [clerk], async () => {
      await page.route(/\/api\/auth\/permissions/, (route) =>
        route.fulfill({ status: 500, json: { message: 'Permissions cannot be read', code: 'internal' } }),
      )
      await page.addInitScript(() => localStorage.removeItem('permissions'))
      await page.goto('/pembayaran-mahasiswa')
      await page.waitForURL(/\/sign-in/)
      await page.getByRole('alert').getByText('Permissions cannot be read').waitFor()
      expect(
        await page.evaluate(() =>
          ['id_token', 'profile_user', 'menus', 'permissions'].filter((key) => localStorage.getItem(key)),
        ),
      ).toEqual([])
    })
  })
})
