import { afterAll, beforeAll, expect, test } from 'vitest'
import { allPages } from '#web/app/all-pages.mjs'
import { someoneWho } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { registrationTab, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

const say = wordsOf('en')
const nobody = '0198c0de-0000-7000-8000-00000000dead'

/** Pages whose parameter names no record of a list: codes that strangers type, links of mails, dates. */
const saySoThemselves = /^\/(verifikasi|verifikasi-kuitansi|sandbox-bank|berhenti-pesan)\//
const pagesOfRecords = allPages.filter(
  ({ path, layout, audience }) =>
    path.includes(':') && layout === 'app' && audience !== 'applicants' && !saySoThemselves.test(path),
)

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(async () => {
  await world?.close()
})

test('a record that does not exist has one sentence on every page, the way back to a list, and no second try', async () => {
  const admin = await world.person({ width: 1280, language: 'en' })
  await signInAs(admin, say, 'administrator')
  const { page } = admin
  const problems: string[] = []
  for (const { path } of pagesOfRecords) {
    await goTo(page, path.replace(/:\w+\??/g, nobody))
    const title = page.getByRole('heading', { level: 1, name: say('common:errors.noRecordTitle') })
    const isShown = await title.waitFor({ timeout: 8_000 }).then(
      () => true,
      () => false,
    )
    const dialogs = await page.getByRole('dialog').count()
    const back = await page
      .locator('#content')
      .getByRole('link', { name: /^Back to / })
      .count()
    const retries = await page
      .locator('#content')
      .getByRole('button', { name: say('common:actions.retry') })
      .count()
    if (!isShown || dialogs > 0 || back !== 1 || retries > 0)
      problems.push(`${path}: shown ${isShown}, dialogs ${dialogs}, ways back ${back}, retries ${retries}`)
  }
  expect(pagesOfRecords.length).toBeGreaterThan(50)
  expect(problems).toEqual([])
})

test('each route of a registration has its own title and breadcrumb for staff, with its section open', async () => {
  const clerk = await world.person({ width: 1280, language: 'en' })
  await signInAs(clerk, say, 'panitia')
  const { registration, code } = await someoneWho(world, "r.status = 'paid'")
  const { page } = clerk
  for (const [route, title, tab] of [
    ['', say('registration:detail.code', { code }), 'summary'],
    ['/program', say('titles:pendaftaran-program'), 'program'],
    ['/pembayaran', say('titles:pendaftaran-pembayaran'), 'payments'],
    ['/file', say('titles:pendaftaran-file'), 'documents'],
  ] as const) {
    await page.goto(`${registration}${route}`)
    await registrationTab(page, say, tab).and(page.locator('[aria-current=page]')).waitFor()
    await page.waitForFunction((start) => document.title.startsWith(start), `${title} - `)
    const crumbs = page.getByRole('navigation', { name: say('navigation:breadcrumbs') })
    expect(await crumbs.locator('[aria-current=page]').textContent()).toBe(title)
    await clerk.checkPage(`pendaftaran/{id}${route} of staff`)
  }
})
