import fs from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listConversations } from '#domain/chat/lists.ts'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { isWhole } from '#testing/form.ts'
import { promisedPaths } from '#web-test/promised-paths.ts'
import { withDemoRows } from './look/demo-rows.ts'
import { faultsOfPage } from './look/faults.ts'
import {
  eachPage,
  eachReport,
  type Finding,
  halfOfToday,
  looks,
  openProfile,
  type Stop,
  stopsOf,
  type View,
  walk,
} from './look/walk.ts'
import { settled } from './support/settled.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

let world: World
let stops: Stop[]
let views: View[]
beforeAll(async () => {
  world = await openWorld()
  stops = await withDemoRows(world.databaseUrl, stopsOf)
  views = isWhole ? eachPage(stops, looks.length) : halfOfToday(eachPage(stops))
})
afterAll(() => world?.close())

test('looks are distributed evenly: each of the sixteen on more than a thirty-second of the pages', () => {
  for (const look of looks) expect(views.filter((view) => view.look === look).length).toBeGreaterThan(views.length / 32)
})

/** Every page in sixteen looks takes more than an hour. */
const timeoutMs = isWhole ? 14_400_000 : 2_400_000

/** The address of a ticket is its visitor's secret. */
const secretPath = '/tiket/:code'

test('no page is cut, scrolls sideways, fails axe, complains or has a pale border, and every path of the specification is a page with a heading and an action or data for somebody who may see it', {
  timeout: timeoutMs,
}, async () => {
  const faults: string[] = []
  const lacksByPath = new Map<string, string[]>()
  const wholePaths = new Set<string>()
  const options = {
    workers: 2,
    onView({ view, faults: found, lack }: Finding) {
      const { who, path } = view.stop
      faults.push(...found)
      if (lack) lacksByPath.set(path, [...(lacksByPath.get(path) ?? []), `${who}: ${lack}`])
      else wholePaths.add(path)
    },
  }
  await walk(world, views, options)
  // A page that lacks something for one account may be complete for another one, whose turn is tomorrow.
  const lacking = ({ stop: { path } }: View) => lacksByPath.has(path) && !wholePaths.has(path)
  await walk(world, eachPage(stops).filter(lacking), options)
  const lacks = promisedPaths
    .filter((path) => path !== secretPath && !wholePaths.has(path) && (isWhole || lacksByPath.has(path)))
    .map((path) => `${path}: ${lacksByPath.get(path)?.join('; ') ?? 'not opened'}`)
  expect([...faults, ...lacks]).toEqual([])
})

test('each report fits and passes axe', { timeout: timeoutMs }, async () => {
  const ofReports = eachReport(stops)
  expect(ofReports).toHaveLength(reportSlugs.length * (isWhole ? 4 : 1))
  const faults: string[] = []
  await walk(world, ofReports, { workers: 2, onView: ({ faults: found }) => faults.push(...found) })
  expect(faults).toEqual([])
})

test('a chart is below its table without moving it, fits its box, is readable by keyboard and is saved as PNG and SVG', async () => {
  const { page, context } = await world.person({ width: 1280, language: 'en' })
  await page.emulateMedia({ colorScheme: 'light' })
  await signInAs({ page, context, checkPage: async () => {} }, wordsOf('en'), 'panitia')
  const [table, drawing, slider] = [
    page.locator('main table').first(),
    page.locator('main figure svg.recharts-surface'),
    page.getByRole('slider'),
  ]
  let isHeld = true
  await page.route('**/assets/*.js', async (route) => {
    while (isHeld && (await table.isVisible())) await page.waitForTimeout(50)
    await route.continue()
  })
  await page.goto('/laporan/pendaftaran-prodi?compare=no')
  await table.locator('tbody tr').first().waitFor()
  await expect.poll(() => drawing.count()).toBe(0)
  const before = await table.boundingBox()
  isHeld = false
  await drawing.waitFor()
  expect((await table.boundingBox())!.y).toBe(before!.y)

  for (const width of [1280, 700, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    const edgeOf = async (of: typeof drawing) => {
      const box = (await of.boundingBox())!
      return Math.round(box.x + box.width)
    }
    await expect.poll(async () => (await edgeOf(drawing)) <= (await edgeOf(slider))).toBe(true)
  }

  await slider.focus()
  const first = await slider.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  const [name = '', values] = (await slider.getAttribute('aria-valuetext'))!.split(': ')
  expect(values).toMatch(/Submitted \d+/)
  expect(first).not.toContain(name)
  await page.getByRole('rowheader', { name }).waitFor()

  for (const format of ['PNG', 'SVG']) {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: wordsOf('en')('reports:chartFile', { format }) }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`laporan-pendaftaran-prodi.${format.toLowerCase()}`)
    const content = fs.readFileSync(await file.path())
    expect(content.length).toBeGreaterThan(2_000)
    if (format === 'SVG')
      expect(content.toString()).toContain('<rect width="100%" height="100%" fill="rgb(255, 255, 255)"')
  }
  await page.emulateMedia({ media: 'print' })
  await page.getByText('Grouped by: Study programme').waitFor()
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    dataset.mantineColorScheme = 'dark'
    addEventListener('beforeprint', () => {
      dataset.printedAs = dataset.mantineColorScheme
    })
  })
  await page.pdf()
  const { printedAs, mantineColorScheme } = await page.evaluate(() => ({ ...document.documentElement.dataset }))
  expect([printedAs, mantineColorScheme]).toEqual(['light', 'dark'])
  await context.close()
})

/** List behind a page: the conversations page has a different address than its list. */
const listOf = (href: string) => href.replace('/chat/private-chat', listConversations.path)

test('each tile and line of the staff dashboard opens as many rows as it counts', async () => {
  const staff = await world.person({ width: 1280, language: 'en' })
  await signInAs(staff, wordsOf('en'), 'panitia')
  await staff.page.goto('/dashboard')
  await settled(staff.page)
  const token = await staff.page.evaluate(() => localStorage.getItem('id_token'))
  const counts = await staff.page.evaluate(() => [
    ...[...document.querySelectorAll<HTMLAnchorElement>('main nav a')].map((tile) => ({
      href: tile.getAttribute('href')!,
      count: tile.querySelector('span')!.textContent,
    })),
    // Lines of cards begin with a heading cell; a server test opens each of their figures.
    ...[...document.querySelectorAll<HTMLTableRowElement>('main tbody tr:has(> td > a)')].map((line) => ({
      href: line.querySelector('a')!.getAttribute('href')!,
      count: line.cells[1]!.textContent,
    })),
  ])
  expect(counts.length).toBeGreaterThan(10)
  for (const { href, count } of counts) {
    const answer = await fetch(`${world.url}/api${listOf(href)}`, { headers: { authorization: `Bearer ${token}` } })
    const { meta } = (await answer.json()) as { meta: { total: number } }
    expect({ href, count }).toEqual({ href, count: String(meta.total) })
  }
})

test.each([16, 24] as const)(
  'the labels of all hours of a long day fit on a phone with a font size of %i px',
  async (rootFontPx) => {
    const look = { width: 360, language: 'id', theme: 'light', rootFontPx } as const
    const { page, context } = await openProfile(world, 'administrator@demo.test', look)
    const hours = Array.from({ length: 24 }, (_, hour) => `${String(hour).padStart(2, '0')}.00`)
    await page.route('**/api/dashboard/cards/documents-today', async (route) => {
      const response = await route.fetch()
      const answer = await response.json()
      answer.data.lines = hours.map((label, hour) => ({ ...answer.data.lines[0], label, values: [hour * 50] }))
      await route.fulfill({ response, json: answer })
    })
    await page.goto('/dashboard')
    const names = page.getByRole('listitem').getByText(/^\d\d\.00$/)
    await names.nth(23).waitFor()
    expect(await page.evaluate(faultsOfPage)).toEqual([])
    const boxes = await names.evaluateAll((all) => all.map((name) => name.getBoundingClientRect().toJSON()))
    for (const [index, next] of boxes.slice(1).entries())
      expect(next.top > boxes[index].top || next.left > boxes[index].right, hours[index]).toBe(true)
    await context.close()
  },
)

test('only the list scrolls: no blank page below it, header and bulk bar in sight, and no empty page in print', async () => {
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
