import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import { as } from './support/demo-people.ts'
import { goTo } from './support/go-to.ts'
import { signInAs } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

const english = wordsOf('en')
const say = (key: string, params?: Record<string, string | number>) => english(`survey-builder:${key}`, params)
const path = '/marketing/data-survey-siswa'

let world: World
let db: pg.Client
beforeAll(async () => {
  world = await openWorld()
  db = new pg.Client({ connectionString: world.databaseUrl })
  await db.connect()
})
afterAll(async () => {
  await db?.end()
  await world?.close()
})

/** Signs in without checking the pages on the way, which other journeys check. */
const enter = (person: Person) => signInAs({ ...person, checkPage: async () => {} }, english, 'marketing')

/** Takes a picture if E2E_PICTURES names a folder. */
async function look({ page }: Person, name: string) {
  const folder = process.env.E2E_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

const draftOf = async (id: string) =>
  (
    await db.query<{ draft: SurveyDefinition; version: number }>('SELECT draft, version FROM surveys WHERE id = $1', [
      id,
    ])
  ).rows[0]!
const button = ({ page }: Person, name: string) => page.getByRole('button', { name, exact: true })

test('a survey is written from a template, reordered by keyboard, corrected and published', async () => {
  const staff = await world.person({ width: 1280, language: 'en' })
  const { page } = staff
  await world.keepPicturesOnFailure('survey-builder', [staff], async () => {
    await enter(staff)
    await goTo(page, `${path}/create`)
    await page.getByText(say('templates.title')).waitFor()
    await staff.checkPage('survey builder: empty')
    await look(staff, 'builder-empty-1280')
    await page.getByRole('button', { name: say('templates.visit') }).click()
    const preview = page.getByRole('group', { name: say('preview') })
    await preview.getByText('Which school do you go to?').waitFor()
    // Conditions work in the preview as they do on a phone.
    expect(await preview.getByText('Which fields interest you?').isVisible()).toBe(false)
    await preview.getByText('Study', { exact: true }).click()
    await preview.getByText('Which fields interest you?').waitFor()
    // It refuses and judges answers like the public page.
    await preview.getByRole('button', { name: english('survey-form:send') }).click()
    await preview.getByText(english('survey-form:kinds.school')).waitFor()

    // A new question without text: the summary names what is missing and links to it.
    await button(staff, say('add')).click()
    await page.getByRole('menuitem', { name: english('surveys:kind.scale') }).click()
    const missing = page.getByRole('button', { name: new RegExp(`^${say('place.question', { number: 6 })}`) })
    await missing.first().waitFor()
    expect(await missing.count()).toBe(2)
    await missing.last().click()
    const labelInEnglish = page.getByLabel(say('inEnglish', { field: say('label') }), { exact: true })
    await page.waitForFunction(() => document.activeElement?.matches('input'))
    await staff.checkPage('survey builder: problems')
    await look(staff, 'builder-problems-1280')
    await labelInEnglish.fill('How good was it?')
    await page.getByLabel(say('inLanguage', { field: say('label') }), { exact: true }).fill('Seberapa bagus?')
    await page.getByText(say('nothingWrong')).waitFor()

    // Moves by keyboard; the pressed button keeps the focus.
    await page.getByRole('button', { name: say('up', { number: 6 }) }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.getByText(say('moved', { question: 'How good was it?', number: 4 })).waitFor()
    await page.getByRole('button', { name: say('fold', { number: 4 }) }).waitFor()

    // A question moved before the one it depends on is reported, and moved back.
    await page.getByRole('button', { name: say('up', { number: 5 }) }).click()
    await page.getByRole('button', { name: say('up', { number: 4 }) }).click()
    await page.getByRole('button', { name: new RegExp(`^${say('place.question', { number: 3 })}`) }).waitFor()
    await page.getByRole('button', { name: say('down', { number: 3 }) }).click()
    await page.getByText(say('nothingWrong')).waitFor()

    // Problems of a question's parts are told apart.
    await button(staff, say('add')).click()
    await page.getByRole('menuitem', { name: english('surveys:kind.choice') }).click()
    const option = `${say('place.question', { number: 7 })} · ${say('option', { number: 2 })}`
    await page.getByRole('button', { name: say('inEnglish', { field: option }) }).waitFor()
    await page.getByRole('button', { name: say('remove', { number: 7 }) }).click()
    await page.getByText(say('nothingWrong')).waitFor()

    await page.getByRole('button', { name: say('remove', { number: 1 }) }).click()
    await page.getByText(say('removed', { question: 'Which school do you go to?' })).waitFor()
    await button(staff, say('undo')).click()
    await page.getByRole('button', { name: say('fold', { number: 1 }) }).waitFor()

    // Unsaved text survives a reload.
    await page.getByLabel(say('name')).fill('Kunjungan Bandung')
    await page.waitForTimeout(600)
    await page.reload()
    expect(await page.getByLabel(say('name')).inputValue()).toBe('Kunjungan Bandung')
    await button(staff, say('save')).click()
    await page.waitForURL(/\?id=/)
    await staff.checkPage('survey builder: saved')
    await look(staff, 'builder-1280')
    const id = new URL(page.url()).searchParams.get('id')!
    expect((await draftOf(id)).draft.questions.map(({ kind }) => kind)).toEqual([
      'school',
      'choice',
      'choice',
      'several',
      'scale',
      'contact',
    ])
    await button(staff, say('publish')).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('publish') })
      .click()
    await page.waitForURL(new RegExp(`${path}/view/${id}`))
    const { rows } = await db.query<{ slug: string }>('SELECT slug FROM survey_links WHERE survey_id = $1', [id])
    expect(rows).toHaveLength(1)
    await goTo(page, `/survei/${rows[0]!.slug}`)
    await page.getByText('Which school do you go to?').waitFor()
  })
})

test('the second of two editors is warned and loses nothing', async () => {
  const call = await as(world, 'marketing')
  const words = (text: string) => ({ id: text, en: text })
  const questions = [
    { key: 'a', kind: 'text', label: words('Pertama'), required: false, text: { maxLength: 100, multiline: false } },
  ]
  const { data } = await call('POST', path, { name: 'Berdua', draft: { title: words('Berdua'), questions } })
  const staff = await world.person({ width: 360, language: 'en' })
  const { page } = staff
  await world.keepPicturesOnFailure('survey-editors', [staff], async () => {
    await enter(staff)
    await goTo(page, `${path}/create?id=${data.id}`)
    const title = page.getByLabel(say('inEnglish', { field: say('title') }), { exact: true })
    await title.fill('Mine')
    await call('PUT', `${path}/${data.id}`, {
      name: 'Berdua',
      draft: { title: words('Theirs'), questions },
      version: data.version,
    })
    await button(staff, say('save')).click()
    await page.getByText(say('stale.title')).waitFor()
    expect(await title.inputValue()).toBe('Mine')
    await staff.checkPage('survey builder: two editors')
    await look(staff, 'builder-stale-360')
    await button(staff, say('stale.mine')).click()
    await page.getByText(say('stale.title')).waitFor({ state: 'hidden' })
    await expect.poll(async () => (await draftOf(data.id)).draft.title.en).toBe('Mine')

    // The other way: the first editor's version is taken.
    const { version } = await draftOf(data.id)
    await title.fill('Mine again')
    await call('PUT', `${path}/${data.id}`, {
      name: 'Berdua',
      draft: { title: words('Theirs again'), questions },
      version,
    })
    await button(staff, say('save')).click()
    await button(staff, say('stale.theirs')).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: say('stale.theirs') })
      .click()
    await expect.poll(() => title.inputValue()).toBe('Theirs again')
    await page.getByText(say('stale.title')).waitFor({ state: 'hidden' })
  })
})
