import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allPages } from '#web/app/all-pages.mjs'
import { goTo } from './support/go-to.ts'
import { linkIn, mailFor } from './support/outbox.ts'
import { pick, type Say, signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.close())

const exactly = (text: string) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)

describe('a new admission year from last year’s', () => {
  test('is checked as a whole, written at once, and is in the list of waves', async () => {
    const say = wordsOf('id')
    const y = (key: string, params?: Record<string, string | number>) => say(`admission-year:${key}`, params)
    const staff = await world.person({ width: 1280, language: 'id' })
    const { page, checkPage } = staff
    await world.keepPicturesOnFailure('new-year', [staff], async () => {
      await signInAs(staff, say, 'administrator')
      await goTo(page, '/master/periode')
      await page.getByRole('link', { name: y('open'), exact: true }).click()
      await page.getByRole('heading', { name: y('headings.source') }).waitFor()
      await page.getByRole('radio').first().check()
      const year = await page.getByLabel(y('source.to')).inputValue()
      expect(year).toMatch(/^\d{4}\/\d{4}$/)
      const next = page.getByRole('button', { name: y('next'), exact: true })
      for (const step of ['source', 'dates', 'contents', 'prices']) {
        await page.getByRole('heading', { name: y(`headings.${step}`) }).waitFor()
        await checkPage(`new year: ${step}`)
        await next.click()
      }
      await page.getByRole('heading', { name: y('headings.check') }).waitFor()
      await page.getByText(y('check.ready', { year })).waitFor()
      await checkPage('new year: check')
      await page
        .getByRole('button', { name: /^\D+ [\d.]+ \D+$/ })
        .last()
        .click()
      await page.getByText(y('done.title', { year })).waitFor()
      await checkPage('new year: done')
      await page.getByRole('link', { name: y('done.waves') }).click()
      await page.waitForURL(/\/master\/periode\?/)
      await page.getByText(year).first().waitFor()
    })
  })
})

describe('a new role', () => {
  test('gets permissions and menus, and an invited account with it sees exactly those', async () => {
    const say = wordsOf('en')
    const a = (key: string, params?: Record<string, string | number>) => say(`access:${key}`, params)
    const staff = await world.person({ width: 1280, language: 'en' })
    // Invitations are in Indonesian, and the page opens in the mail's language.
    const newcomer = await world.person({ width: 1280, language: 'id' })
    const sayIndonesian = wordsOf('id')
    const { page, checkPage } = staff
    await world.keepPicturesOnFailure('role', [staff, newcomer], async () => {
      await signInAs(staff, say, 'administrator')
      await goTo(page, '/settings/roles')
      await checkPage('settings/roles')
      await page.getByRole('link', { name: a('roles.add') }).click()
      await page.waitForURL(/\/roles\/create/)
      await page.getByRole('textbox', { name: a('roles.name') }).fill('Front desk')
      await checkPage('settings/roles/create')
      await page.getByRole('button', { name: say('common:actions.save'), exact: true }).click()

      await page.waitForURL(/\/settings\/roles\/permissions\//)
      await page.getByLabel(a('rolePermissions.search')).fill('pendaftaran-')
      await page
        .getByRole('row', { name: /pendaftar|registration/i })
        .first()
        .waitFor()
      await page.locator('[title="pendaftaran-view"]').check()
      await page.getByLabel(a('rolePermissions.search')).fill('master-fakultas')
      await page.locator('[title="master-fakultas-view"]').check()
      await checkPage('settings/roles/permissions')
      await page.getByRole('button', { name: a('rolePermissions.review') }).click()
      await page.getByRole('dialog').getByText('master-fakultas-view').waitFor()
      await checkPage('settings/roles/permissions: difference')
      await page.getByRole('button', { name: a('rolePermissions.save') }).click()
      await page.getByText(a('rolePermissions.saved')).waitFor()

      await page.getByRole('tab', { name: a('roles.tabs.menus'), exact: true }).click()
      await page.getByRole('checkbox', { name: 'Registrations', exact: true }).check()
      await page.getByRole('checkbox', { name: 'Faculties', exact: true }).check()
      const preview = page.getByRole('complementary', { name: a('roleMenus.preview') })
      await preview.getByText('Faculties').waitFor()
      expect(await preview.getByText('Dashboard').count()).toBe(0)
      await checkPage('settings/roles/menus')
      await page.getByRole('button', { name: a('roleMenus.save') }).click()
      await page.getByText(a('roleMenus.saved')).waitFor()

      await invite(staff, say, { name: 'Rekaan Loket', email: 'loket@contoh.test', role: 'Front desk' })
      await acceptInvitation(newcomer, sayIndonesian, 'loket@contoh.test')
      const aside = newcomer.page.getByRole('navigation', { name: sayIndonesian('navigation:main') })
      await aside.getByRole('link', { name: 'Pendaftaran' }).waitFor()
      expect(await aside.getByRole('link', { name: 'Peran' }).count()).toBe(0)
      await goTo(newcomer.page, '/master/fakultas')
      await newcomer.page.getByRole('heading', { level: 1 }).waitFor()
      await goTo(newcomer.page, '/settings/roles')
      await newcomer.page.getByText(sayIndonesian('common:errors.forbiddenTitle')).waitFor()
    })
  })
})

async function invite({ page, checkPage }: Person, say: Say, who: { name: string; email: string; role: string }) {
  const s = (key: string, params?: Record<string, string>) => say(`staff-accounts:${key}`, params)
  await goTo(page, '/settings/accounts')
  await page.getByRole('link', { name: s('invite'), exact: true }).click()
  await page.getByRole('textbox', { name: s('create.name') }).fill(who.name)
  await page.getByRole('textbox', { name: s('create.email') }).fill(who.email)
  await pick(page, s('create.role'), who.role)
  await checkPage('settings/accounts/create')
  await page.getByRole('button', { name: s('create.send') }).click()
  await page.getByText(s('create.sent', { email: who.email })).waitFor()
  await page.waitForURL(/\/settings\/accounts\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { level: 1, name: who.name }).waitFor()
  await checkPage('settings/accounts/{id}')
}

/** Sets the first password of an invited account and signs in. */
async function acceptInvitation({ page, checkPage }: Person, say: Say, email: string) {
  const i = (key: string) => say(`staff-accounts:invitation.${key}`)
  await goTo(page, linkIn(await mailFor(world.url, email, 'account-invited')))
  const password = 'Loket-Baru-2026!'
  await page.getByLabel(i('password'), { exact: true }).fill(password)
  await page.getByLabel(i('repeat'), { exact: true }).fill(password)
  await checkPage('invitation')
  await page.getByRole('button', { name: i('submit') }).click()
  await page.waitForURL(/\/dashboard/)
}

const realSchools = path.resolve('../shared/data/schools_sma_smk_2019.csv.gz')

describe('a role limited to some study programmes', () => {
  test('sees no button for actions that affect all of them', async () => {
    const say = wordsOf('en')
    const clerk = await world.person({ width: 1280, language: 'en' })
    const { page, checkPage } = clerk
    const db = new pg.Client({ connectionString: world.databaseUrl })
    await db.connect()
    const { rows } = await db.query(`SELECT id FROM test_sessions WHERE date > now() + interval '2 days' LIMIT 1`)
    const buttons: [path: string, name: string][] = [
      ['/chat/private-chat/jawaban', say('inbox:newReply')],
      ['/kirim-informasi/teks', say('send:templates.new')],
      ['/surat', say('letters:kinds.add')],
      ['/surat/tanda-tangan', say('letters:signing.save')],
      ['/jaket-mahasiswa/stok', say('jackets:count.open')],
      ['/jaket-mahasiswa/stok', say('jackets:delivery.open')],
      ['/npm-mahasiswa/campus', say('campus:csv.save')],
      ['/seleksi', say('selection:runs.new')],
      ['/marketing/kirim-informasi', say('send:list.new')],
      [`/jadwal-test/${rows[0].id}`, say('test-sessions:rooms.edit')],
      [`/jadwal-test/${rows[0].id}`, say('test-sessions:seating.give')],
      [`/jadwal-test/${rows[0].id}`, say('test-sessions:detail.more')],
    ]
    const controlOf = (name: string) =>
      page.getByRole('button', { name, exact: true }).or(page.getByRole('link', { name, exact: true }))
    await world.keepPicturesOnFailure('limited-role', [clerk], async () => {
      await db.query(`INSERT INTO role_permissions (role_id, permission)
        SELECT id, 'marketing-kirim-informasi-view' FROM roles WHERE name = 'Panitia PMB'`)
      await signInAs(clerk, say, 'panitia')
      for (const [path, name] of buttons) {
        await goTo(page, path)
        await controlOf(name).waitFor()
      }
      await db.query(`INSERT INTO role_scopes (role_id, programme_id)
        SELECT r.id, p.id FROM roles r, study_programmes p WHERE r.name = 'Panitia PMB' AND p.code = (SELECT min(code) FROM study_programmes)`)
      await page.reload()
      const problems: string[] = []
      for (const [path, name] of buttons) {
        await goTo(page, path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        await expect.poll(() => page.locator('#content [aria-busy=true]').count()).toBe(0)
        if ((await controlOf(name).count()) > 0) problems.push(`${path}: ${name}`)
      }
      expect(problems).toEqual([])
      await checkPage('a test session for a limited role')
    })
    await db.end()
  })
})

describe('a record that does not exist', () => {
  /** Pages for codes that visitors type and for links in mails, which have their own sentences. */
  const hasOwnSentence = /^\/(verifikasi|verifikasi-kuitansi|sandbox-bank|berhenti-pesan)\//
  const recordPaths = allPages
    .filter(({ path, layout, audience }) => path.includes(':') && layout === 'app' && audience !== 'applicants')
    .map(({ path }) => path)
    .filter((path) => !hasOwnSentence.test(path))

  test('shows one sentence on every staff page, one link back to a list, and no retry button', async () => {
    const say = wordsOf('en')
    const staff = await world.person({ width: 1280, language: 'en' })
    const { page, checkPage } = staff
    const texts = { title: say('common:errors.noRecordTitle'), retry: say('common:actions.retry') }
    await world.keepPicturesOnFailure('unknown-records', [staff], async () => {
      await signInAs(staff, say, 'administrator')
      await goTo(page, '/master/prodi')
      const problems: string[] = []
      for (const path of recordPaths) {
        const problem = await problemOfUnknown(page, path, texts)
        if (problem) problems.push(`${path}: ${problem}`)
      }
      expect(recordPaths.length).toBeGreaterThan(50)
      expect(problems).toEqual([])
      await goTo(page, `/master/prodi/${nobody}/create-uang-kuliah`)
      await page.getByRole('heading', { level: 1, name: texts.title }).waitFor()
      await checkPage('a form below a study programme that does not exist')
    })
  })
})

const nobody = '0198c0de-0000-7000-8000-00000000dead'

/** Opens a staff page for a record that does not exist; undefined if it says so with one link to a list. */
function problemOfUnknown(page: Page, path: string, texts: { title: string; retry: string }) {
  const to = path.replace(/:\w+\??/g, nobody)
  return page.evaluate(
    async ({ to, title, retry }) => {
      const before = document.querySelector('#content h1')
      history.pushState(null, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
      const textOf = (element: Element) => element.textContent?.trim() ?? ''
      const heading = () => document.querySelector('#content h1')
      const isShown = () => heading() !== before && textOf(heading() ?? document.body) === title
      const end = performance.now() + 15_000
      while (!isShown() && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20))
      if (!isShown()) return `shows ${document.querySelector('#content')?.textContent?.slice(0, 80)}`
      if (document.querySelector('[role=dialog]')) return 'opens a dialog'
      const content = [...document.querySelectorAll('#content a, #content button')].map(textOf)
      if (content.includes(retry)) return 'offers a second try'
      const ways = content.filter((text) => text.startsWith('Back to ')).length
      return ways === 1 ? undefined : `has ${ways} ways back`
    },
    { to, ...texts },
  )
}

describe('the schools of the country', () => {
  const hasRealSchools = fs.existsSync(realSchools)
  if (!hasRealSchools) console.log(`Skipped: ${realSchools} is not there.`)

  test.skipIf(!hasRealSchools)('26,780 real ones are imported once three broken rows are corrected', async () => {
    const say = wordsOf('en')
    const i = (key: string, params?: Record<string, string | number>) => say(`transfer:import.${key}`, params)
    const lines = zlib.gunzipSync(fs.readFileSync(realSchools)).toString().trimEnd().split('\n')
    const brokenLines = [...lines]
    const changeLine = (row: number, change: (line: string) => string) => {
      brokenLines[row] = change(brokenLines[row]!)
    }
    changeLine(10, (line) => line.replace(/^\d{8}/, '12'))
    changeLine(2_000, (line) => line.replace(/,(?:Kab\.|Kota) [^,]*,/, ',Kab. Antah Berantah,'))
    changeLine(20_000, (line) => line.replace(/^([^,]*),[^,]*,/, '$1,,'))
    const sheet = (content: string[]) => ({
      name: 'sekolah.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(content.join('\n')),
    })

    const staff = await world.person({ width: 1280, language: 'en' })
    const { page, checkPage } = staff
    await world.keepPicturesOnFailure('schools', [staff], async () => {
      await signInAs(staff, say, 'administrator')
      await goTo(page, '/master/sma-nama')
      await page.getByRole('button', { name: i('button'), exact: true }).click()
      await checkPage('import: dialog')
      await page.locator('input[type=file]').first().setInputFiles(sheet(brokenLines))
      await page.waitForURL(/\/settings\/imports\//)
      await page.getByText(exactly(i('wrong_other', { count: 3 }))).waitFor({ timeout: 120_000 })
      await checkPage('import: problems')
      for (const row of ['11', '2.001', '20.001'])
        await page.getByRole('cell', { name: row, exact: true }).first().waitFor()

      await page.getByRole('button', { name: i('sendAgain') }).click()
      await page.locator('input[type=file]').first().setInputFiles(sheet(lines))
      await page.getByText(i('ready')).waitFor({ timeout: 120_000 })
      await page.getByRole('button', { name: i('run_other', { formatted: '26.780' }) }).click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: i('run_other', { formatted: '26.780' }) })
        .click()
      await page.getByText(i('done', { new: '26.780', changed: '0' })).waitFor({ timeout: 240_000 })
      await checkPage('import: done')
      await goTo(page, '/master/sma-nama?q=MESJID+RAYA')
      await page.getByText('SMK NEGERI 1 MESJID RAYA').first().waitFor()
    })
  })
})
