import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDemoRows } from './look/demo-rows.ts'
import { eachPage, looks, stopsOf, type View, walk } from './look/walk.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

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
    // Lines of cards begin with a heading cell; a test of the server opens each of their figures.
    ...[...document.querySelectorAll<HTMLTableRowElement>('main tbody tr:has(> td > a)')].map((line) => ({
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

test('a reader returns to the list as it was left: by its link with the filters, by Back with the rows and the scroll position', async () => {
  const { page, context } = await world.person({ width: 1280, language: 'en' })
  await signInAs({ page, context, checkPage: async () => {} }, wordsOf('en'), 'panitia')
  const rows = page.locator('[data-row]')
  await page.goto('/pendaftaran?status=verified&q=a')
  await rows.first().locator('a').click()
  await page.getByRole('link', { name: wordsOf('en')('staff:detail.back') }).click()
  await page.waitForURL('**/pendaftaran?status=verified&q=a')

  await page.goto('/pendaftaran')
  await page.getByRole('button', { name: wordsOf('en')('list:more') }).click()
  await rows.nth(90).scrollIntoViewIfNeeded()
  const box = page.locator('table').locator('xpath=..')
  const scrolledPx = () => box.evaluate((element) => Math.round(element.scrollTop))
  const leftAtPx = await scrolledPx()
  expect(leftAtPx).toBeGreaterThan(1000)
  const height = await box.evaluate((element) => element.clientHeight)
  await rows.nth(90).locator('a').click()
  await page.getByRole('link', { name: wordsOf('en')('staff:detail.back') }).waitFor()
  await page.goBack()
  await rows.nth(90).waitFor()
  await expect.poll(scrolledPx).toBe(leftAtPx)

  await rows.nth(90).locator('input').check({ force: true })
  await expect.poll(() => box.evaluate((element) => element.clientHeight)).toBeLessThan(height)
  await page.getByRole('button', { name: wordsOf('en')('list:clearSelection') }).click()
  await expect.poll(() => box.evaluate((element) => element.clientHeight)).toBe(height)
  await context.close()
})

test('the rows behind a figure of a report are in the address: a reload keeps them open and Back closes them', async () => {
  const { page, context } = await world.person({ width: 1280, language: 'en' })
  await signInAs({ page, context, checkPage: async () => {} }, wordsOf('en'), 'panitia')
  await page.goto('/laporan/pendaftaran-prodi')
  await page.locator('tbody td button').first().click()
  const drawer = page.getByRole('dialog')
  await drawer.locator('tbody tr').first().waitFor()
  await page.reload()
  await drawer.locator('tbody tr').first().waitFor()
  await page.goBack()
  await drawer.waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/laporan/pendaftaran-prodi')
  await context.close()
})
