import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDemoRows } from './look/demo-rows.ts'
import { eachPage, looks, stopsOf, type View, walk } from './look/walk.ts'
import { signInAs } from './steps.ts'
import { wordsOf } from './words.ts'
import { openWorld, type World } from './world.ts'

let world: World
let views: View[]
beforeAll(async () => {
  world = await openWorld()
  views = eachPage(await withDemoRows(world.databaseUrl, stopsOf))
})
afterAll(() => world?.close())

test('the looks are dealt out evenly: each of the sixteen on more than a thirty-second of the pages', () => {
  for (const look of looks) expect(views.filter((view) => view.look === look).length).toBeGreaterThan(views.length / 32)
})

test('no page is cut, scrolls sideways, fails axe, complains or has a pale border', {
  timeout: 1_500_000,
}, async () => {
  const faults: string[] = []
  await walk(world, views, { workers: 2, onFaults: (found) => faults.push(...found) })
  expect(faults).toEqual([])
})

test('each tile and line of the staff dashboard opens as many registrations as it counts', async () => {
  const staff = await world.person({ width: 1280, language: 'en' })
  await signInAs(staff, wordsOf('en'), 'panitia')
  const token = await staff.page.evaluate(() => localStorage.getItem('id_token'))
  const counts = await staff.page.evaluate(() => [
    ...[...document.querySelectorAll<HTMLAnchorElement>('main nav a')].map((tile) => ({
      href: tile.getAttribute('href')!,
      count: tile.querySelector('span')!.textContent,
    })),
    ...[...document.querySelectorAll<HTMLTableRowElement>('main tbody tr')].map((line) => ({
      href: line.querySelector('a')!.getAttribute('href')!,
      count: line.cells[1]!.textContent,
    })),
  ])
  expect(counts.length).toBeGreaterThan(10)
  for (const { href, count } of counts) {
    const answer = await fetch(`${world.url}/api${href}`, { headers: { authorization: `Bearer ${token}` } })
    const { meta } = (await answer.json()) as { meta: { total: number } }
    expect({ href, count }).toEqual({ href, count: String(meta.total) })
  }
})

test('a list is the only thing that scrolls: no blank page below it, head and bulk bar in sight, and no empty page in print', async () => {
  const { page, context } = await world.person({ width: 1280, language: 'en' })
  const staff = { page, context, checkPage: async () => {} }
  await signInAs(staff, wordsOf('en'), 'panitia')
  await page.goto('/pendaftaran?per_page=100')
  await page.locator('tbody tr').nth(20).waitFor()
  await page.locator('tbody tr input[type=checkbox]').first().check({ force: true })
  const heights = () =>
    page.evaluate(() => [document.documentElement.scrollHeight, window.innerHeight] as [number, number])
  await expect.poll(heights).toEqual([900, 900])
  await page.locator('tbody tr').last().scrollIntoViewIfNeeded()
  for (const place of ['thead', '[data-selection]']) {
    const box = await page.locator(place).first().boundingBox()
    expect(box!.y).toBeGreaterThan(60)
    expect(box!.y + box!.height).toBeLessThan(900)
  }
  await page.emulateMedia({ media: 'print' })
  expect(
    await page
      .locator('main section')
      .first()
      .evaluate((card) => getComputedStyle(card).breakInside),
  ).toBe('auto')
  await context.close()
})
