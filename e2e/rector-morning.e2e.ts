import { parse } from 'csv-parse/sync'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { reportTitle } from '#domain/reports/report-names.ts'
import type { Language } from '#entities/define/language.ts'
import { sampleOf } from '#testing/form.ts'
import { as } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { linkIn, type Mail, mailFor } from './support/outbox.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type World } from './support/world.ts'

const dean = 'dekan-teknik'
const report = 'status-pendaftaran'

let world: World
let db: pg.Client
beforeAll(async () => {
  world = await openWorld()
  db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
  await addDean()
})
afterAll(async () => {
  await db?.end()
  await world?.close()
})

/** Adds a dean, who sees what the rector sees, but for one faculty. */
async function addDean() {
  await db.query(`WITH role AS (INSERT INTO roles (name) VALUES ('Dekan Teknik Contoh') RETURNING id),
    grants AS (INSERT INTO role_permissions (role_id, permission)
      SELECT role.id, p.permission FROM role, role_permissions p JOIN roles r ON r.id = p.role_id WHERE r.name = 'Pimpinan'),
    scope AS (INSERT INTO role_scopes (role_id, faculty_id) SELECT role.id, f.id FROM role, faculties f WHERE f.code = 'FT')
    INSERT INTO accounts (name, email, email_verified_at, phone, password_hash, role_id, language)
      SELECT 'Dekan Contoh', '${dean}@demo.test', now(), '+628120000777', a.password_hash, role.id, 'id'
      FROM role, accounts a WHERE a.email = 'pimpinan@demo.test'`)
}

const speak = (account: string, language: Language) =>
  db.query('UPDATE accounts SET language = $2 WHERE email = $1', [`${account}@demo.test`, language])

/** Number of waiting applicants by study programme, from a file of figures. */
function waitingIn(csv: string, language: Language) {
  const rows: string[][] = parse(csv, { bom: true, delimiter: csv.split('\n')[0]!.includes(';') ? ';' : ',' })
  const column = rows[0]!.indexOf(wordsOf(language)('reports:figures.waiting'))
  expect(column, rows[0]!.join()).toBeGreaterThan(0)
  return rows.slice(1).map((row) => [row[0]!, Number(row[column])] as const)
}

const attached = async ({ file }: Mail) => (await fetch(`${world.url}${file!.url}`)).text()
/** The same figures as downloaded by the account; the API answers in English. */
const exported = async (account: string) => {
  const call = await as(world, account)
  const file = await call.file(`/reports/${report}/export?format=csv&by=programme&compare=no`)
  return waitingIn(file.toString(), 'en')
}

const mornings = [
  { language: 'en', width: 1280, ofDean: 'id' },
  { language: 'id', width: 360, ofDean: 'en' },
] as const

describe.each(sampleOf('mornings of a rector', mornings, 1))(
  'the morning of the rector in $language at $width px',
  ({ language, width, ofDean }) => {
    test('leads from the stuck step to its applicants, the report, a saved view and a mail in the right scope', async () => {
      const say = wordsOf(language)
      const rector = await world.person({ width, language })
      const { page, checkPage } = rector
      const view = language === 'en' ? 'Waiting by programme' : 'Menunggu per prodi'
      await speak('pimpinan', language)
      await speak(dean, ofDean)
      await db.query('DELETE FROM saved_views')
      await db.query('DELETE FROM report_mails')
      await world.keepPicturesOnFailure(`rector-morning-${language}`, [rector], async () => {
        await signInAs(rector, say, 'pimpinan')
        await goTo(page, '/dashboard')

        // The stuck step and the applicants behind it.
        const card = page.getByRole('region', { name: say('dashboards:cards.stuck') })
        await card.getByRole('link', { name: say('dashboards:words.stage.paid') }).click()
        await page.waitForURL(/\/laporan\/camaba\?/)
        const drawer = page.getByRole('dialog')
        await drawer.getByRole('table').waitFor()
        await checkPage('people of the stuck step')
        await drawer.getByRole('button', { name: say('common:actions.close') }).click()
        await drawer.waitFor({ state: 'hidden' })

        // The report behind the card, by study programme, saved as a view that opens first.
        await goTo(page, '/dashboard')
        await card
          .getByRole('link', { name: say('dashboards:openAll', { title: say('dashboards:cards.stuck') }) })
          .click()
        await page.waitForURL(`**/laporan/${report}`)
        await goTo(page, `/laporan/${report}?by=programme&compare=no`)
        await page.getByRole('columnheader', { name: say('reports:figures.waiting'), exact: true }).waitFor()
        await checkPage('report of what waits')

        // Filters to every year, then back to the current one.
        await page.getByRole('button', { name: say('list:filters'), exact: true }).click()
        await page.getByRole('combobox', { name: say('reports:filters.year') }).click()
        await checkPage('filters of a report')
        await page.getByRole('option', { name: say('reports:everyYear'), exact: true }).click()
        await page.waitForURL(/year=all/)
        await goTo(page, `/laporan/${report}?by=programme&compare=no`)
        await page.getByRole('columnheader', { name: say('reports:figures.waiting'), exact: true }).waitFor()
        await page.getByRole('button', { name: say('list:views'), exact: true }).click()
        await page.getByRole('menuitem', { name: say('list:saveView') }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByLabel(say('list:viewName')).fill(view)
        await dialog.getByLabel(say('list:opensWith')).check()
        await checkPage('name of the view')
        await dialog.getByRole('button', { name: say('common:actions.save'), exact: true }).click()
        await dialog.waitFor({ state: 'hidden' })
        await goTo(page, `/laporan/${report}`)
        await page.waitForURL(/by=programme/)
        await page.getByRole('button', { name: `${say('list:views')}: ${view}` }).click()
        await page.getByRole('button', { name: say('list:notDefault', { name: view }) }).click()
        await page.getByRole('button', { name: say('list:makeDefault', { name: view }) }).waitFor()
        await goTo(page, `/laporan/${report}`)
        await page.getByRole('button', { name: say('list:views'), exact: true }).click()
        await page.getByRole('menuitem', { name: view }).click()
        await page.waitForURL(/by=programme/)
        await goTo(page, `/laporan/${report}`)

        // Makes the view a scheduled mail.
        await page.getByRole('button', { name: say('report-mail:open') }).click()
        await dialog.getByRole('combobox', { name: say('report-mail:form.shows') }).click()
        await page.getByRole('option', { name: say('report-mail:form.view', { name: view }) }).click()
        await dialog.getByText(say('reports:groups.programme'), { exact: true }).waitFor()
        const recipients = dialog.getByRole('combobox', { name: say('report-mail:form.recipients') })
        await recipients.fill('Dekan')
        await page.getByRole('option', { name: /Dekan Contoh/ }).click()
        // The list of recipients stays open for the next one.
        await recipients.press('Tab')
        await dialog.getByRole('combobox', { name: say('report-mail:form.rhythm') }).click()
        await page.getByRole('option', { name: say('report-mail:rhythm.daily') }).click()
        await dialog.getByRole('combobox', { name: say('report-mail:form.format') }).click()
        await page.getByRole('option', { name: 'CSV', exact: true }).click()
        await checkPage('mail of the view')
        await dialog.getByRole('button', { name: say('report-mail:form.create'), exact: true }).click()
        await dialog.waitFor({ state: 'hidden' })

        // Sends it at once; both recipients got their own version.
        await page
          .getByRole('link', { name: say('report-mail:page') })
          .first()
          .click()
        await page.waitForURL(/\/laporan-kiriman$/)
        const mail = page.getByRole('link', { name: view }).first()
        await mail.waitFor()
        await checkPage('scheduled mails')
        await mail.click()
        await page.waitForURL(/\/laporan-kiriman\/.+/)
        await page.getByText(say('report-mail:runs.empty')).waitFor()
        await page.getByRole('button', { name: say('report-mail:actions.send') }).click()
        await dialog.getByRole('button', { name: say('report-mail:actions.send'), exact: true }).click()
        await dialog.waitFor({ state: 'hidden' })
        const sent = page.getByText(say('report-mail:runState.sent'), { exact: true })
        await sent.nth(1).waitFor()
        await checkPage('scheduled mail with its sendings')

        const ofRector = await mailFor(world.url, 'pimpinan@demo.test', 'report-mail')
        const ofTheDean = await mailFor(world.url, `${dean}@demo.test`, 'report-mail')
        expect([ofRector.language, ofTheDean.language]).toEqual([language, ofDean])
        expect(ofRector.subject).toContain(view)
        expect(ofTheDean.body).toContain(reportTitle('status-pendaftaran')[ofDean])
        const [whole, faculty] = [
          waitingIn(await attached(ofRector), language),
          waitingIn(await attached(ofTheDean), ofDean),
        ]
        expect(whole).toEqual(await exported('pimpinan'))
        expect(faculty).toEqual(await exported(dean))
        expect(faculty.length).toBeLessThan(whole.length)
        expect(faculty.at(-1)![1]).toBeLessThan(whole.at(-1)![1])
        expect(faculty.at(-1)![1]).toBeGreaterThan(0)

        await goTo(page, `/outbox?to=${dean}@demo.test`)
        await page
          .getByRole('button', { name: new RegExp(view) })
          .first()
          .click()
        await page.getByRole('link', { name: ofTheDean.file!.name }).waitFor()
        await checkPage('mail of the dean')
        await goTo(page, linkIn(ofRector))
        await page.getByRole('columnheader', { name: say('reports:figures.waiting'), exact: true }).waitFor()

        // Pauses and deletes the mail, then deletes the view.
        await goTo(page, '/laporan-kiriman')
        await page.getByRole('link', { name: view }).first().click()
        await page.getByRole('button', { name: say('report-mail:actions.pause') }).click()
        await page.getByRole('button', { name: say('report-mail:actions.resume') }).waitFor()
        await page.getByRole('button', { name: say('report-mail:actions.edit'), exact: true }).click()
        await dialog.getByLabel(say('report-mail:form.name')).fill(`${view} 2`)
        await checkPage('change of a scheduled mail')
        await dialog.getByRole('button', { name: say('report-mail:form.save'), exact: true }).click()
        await page.getByRole('heading', { level: 1, name: `${view} 2` }).waitFor()
        await page.getByRole('button', { name: say('report-mail:actions.delete') }).click()
        await dialog.getByRole('button', { name: say('report-mail:actions.delete'), exact: true }).click()
        await page.waitForURL(/\/laporan-kiriman$/)
        await page.getByText(say('report-mail:empty')).waitFor()
        await checkPage('no scheduled mail')
        await goTo(page, `/laporan/${report}`)
        await page.getByRole('button', { name: say('list:views'), exact: true }).click()
        await page.getByRole('button', { name: say('list:removeView', { name: view }) }).click()
        await page.getByText(say('list:noViews')).waitFor()
      })
    })
  },
)
