import fs from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SurveyDefinition } from '#domain/surveys/definition.ts'
import { as } from './support/demo-people.ts'
import { keptOnPhone } from './support/kept-on-phone.ts'
import { picture } from './support/steps.ts'
import { wordsOf } from './support/words.ts'
import { openWorld, type Person, type World } from './support/world.ts'

const kata = wordsOf('id')
const say = (key: string, params?: Record<string, string | number>) => kata(`survey-form:${key}`, params)

/** Answers given on one phone during a whole expo; 5,000 take long and run only on request. */
const manyAnswers = Number(process.env.SURVEY_ANSWERS ?? 250)

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

const both = (text: string) => ({ id: text, en: text })
const definition: SurveyDefinition = {
  title: { id: 'Survei pameran', en: 'Expo survey' },
  intro: { id: 'Dua menit saja.', en: 'Two minutes only.' },
  questions: [
    { key: 'school', kind: 'school', label: both('Sekolah'), required: true },
    {
      key: 'plan',
      kind: 'choice',
      label: both('Rencana'),
      required: true,
      options: [
        { key: 'study', label: both('Kuliah') },
        { key: 'work', label: both('Bekerja') },
      ],
    },
    {
      key: 'fields',
      kind: 'several',
      label: both('Bidang'),
      required: true,
      options: ['Teknik', 'Bisnis', 'Kesehatan'].map((label) => ({ key: label.toLowerCase(), label: both(label) })),
      when: { question: 'plan', is: 'one-of', values: ['study'] },
    },
    { key: 'rating', kind: 'scale', label: both('Nilai acara'), required: true, scale: { from: 0, to: 10 } },
    { key: 'budget', kind: 'number', label: both('Biaya'), required: false, number: { min: 0, max: 50_000_000 } },
    { key: 'day', kind: 'date', label: both('Hari kunjungan'), required: false },
    { key: 'wish', kind: 'text', label: both('Harapan'), required: false, text: { maxLength: 200, multiline: true } },
    { key: 'photo', kind: 'photo', label: both('Foto'), required: false },
    {
      key: 'contact',
      kind: 'contact',
      label: both('Kontak'),
      required: false,
      consent: both('Saya setuju dihubungi.'),
    },
  ],
}

/** A published survey with a link that accepts up to `budget` answers. */
async function aLink(name: string, budget: number | null): Promise<{ id: string; slug: string }> {
  const call = await as(world, 'marketing')
  const survey = '/marketing/data-survey-siswa'
  const { data: draft } = await call('POST', survey, { name, draft: definition })
  await call('POST', `${survey}/${draft.id}/publish`, { version: draft.version })
  const link = { name, slug: null, schoolId: null, eventId: null, affiliateId: null, budget, endsAt: null }
  const { data } = await call('POST', `${survey}/${draft.id}/links`, link)
  return { id: draft.id, slug: data.slug }
}

const responsesOf = async (survey: string) =>
  (
    await db.query<{ id: string; answers: Record<string, unknown> }>(
      'SELECT id, answers FROM survey_responses WHERE survey_id = $1 ORDER BY finished_at',
      [survey],
    )
  ).rows

/** Takes a picture if E2E_PICTURES names a folder. */
async function look({ page }: Person, name: string) {
  const folder = process.env.E2E_PICTURES
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

const question = ({ page }: Person, label: string) => page.locator('.sv-question').filter({ hasText: label })

/** Answers the required questions. */
async function answer(person: Person, school: string, plan: 'Kuliah' | 'Bekerja') {
  await person.page.getByRole('combobox').fill(school)
  await question(person, 'Rencana').getByText(plan, { exact: true }).click()
  if (plan === 'Kuliah') await question(person, 'Bidang').getByText('Teknik', { exact: true }).click()
  await question(person, 'Nilai acara').getByText('8', { exact: true }).click()
}

async function choosePhoto(person: Person) {
  const photo = question(person, 'Foto')
  await photo
    .getByLabel(say('photo.choose'))
    .setInputFiles({ name: 'foto.png', mimeType: 'image/png', buffer: await picture(3000, 2000) })
  await photo.getByRole('img').waitFor()
}

const focusedId = ({ page }: Person) => page.evaluate(() => document.activeElement?.id)
const send = ({ page }: Person) => page.getByRole('button', { name: say('send'), exact: true }).click()
const thanked = ({ page }: Person, sentence: string) => page.getByText(sentence, { exact: true }).waitFor()
const another = ({ page }: Person) => page.getByRole('button', { name: say('another'), exact: true }).click()

test('a phone answers offline, is reloaded, and everything arrives once; a refused answer is exported', async () => {
  const { id: survey, slug } = await aLink('Pameran', 3)
  const phone = await world.person({ width: 360, language: 'id' })
  const { page, context } = phone
  await world.keepPicturesOnFailure('survey', [phone], async () => {
    await page.goto(`/survei/${slug}`)
    await page.getByRole('heading', { name: 'Survei pameran' }).waitFor()
    await phone.checkPage('survei')
    await look(phone, 'survey-360')

    // Every problem is beside its question, and disappears once the question is answered.
    await send(phone)
    await page.getByText(say('wrong_other', { count: 3 })).waitFor()
    expect(await focusedId(phone)).toBe(await page.getByRole('combobox').getAttribute('id'))
    await phone.checkPage('survei: problems')
    await look(phone, 'survey-problems-360')
    await question(phone, 'Rencana').getByText('Kuliah', { exact: true }).click()
    await question(phone, 'Bidang').waitFor()
    expect(await question(phone, 'Rencana').getByText(say('problems.field_required')).count()).toBe(0)

    // Online, schools are found.
    await page.getByRole('combobox').pressSequentially('Contoh 1')
    await page.getByRole('option').first().waitFor()
    await phone.checkPage('survei: schools')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.getByRole('option', { selected: true }).and(page.getByRole('option').first()).waitFor()
    await page.keyboard.press('Enter')
    expect(await page.getByRole('combobox').inputValue()).toContain('Contoh 1')
    await page.addStyleTag({ content: 'html { font-size: 24px }' })
    await phone.checkPage('survei: large text')
    await look(phone, 'survey-large-360')
    await page.getByRole('button', { name: 'English' }).click()
    await page.getByText('Question 1 of 9').waitFor()
    // The other language keeps what is typed, the problems beside it and the focus.
    expect(await page.getByRole('combobox').inputValue()).toContain('Contoh 1')
    await question(phone, 'Nilai acara').getByText('Please answer this question.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('English')
    await page.getByRole('button', { name: 'Indonesia' }).click()
    await keptOnPhone(phone.page, '/survei/')

    await context.setOffline(true)
    await page.reload()
    await page.getByText(say('offline')).waitFor()
    // Earlier choices are still there.
    await question(phone, 'Nilai acara').getByText('9', { exact: true }).click()
    await question(phone, 'Bidang').getByText('Bisnis', { exact: true }).click()
    await question(phone, 'Biaya').getByRole('textbox').fill('2.500.000')
    await choosePhoto(phone)
    await question(phone, 'Foto')
      .getByRole('button', { name: say('photo.remove') })
      .click()
    await question(phone, 'Foto').getByRole('img').waitFor({ state: 'detached' })
    expect(await focusedId(phone)).toMatch(/-take$/)
    await choosePhoto(phone)
    await question(phone, 'Kontak').getByLabel(say('contact.name')).fill('Dewi Rekaan')
    await send(phone)
    await page.getByText(say('kinds.phone')).waitFor()
    await question(phone, 'Kontak').getByLabel(say('contact.phone')).fill('0812 3456 7890')
    await question(phone, 'Kontak').getByRole('checkbox').check()
    await send(phone)
    await thanked(phone, say('keeping'))
    expect(await page.title()).toBe(`(${say('waitingShort', { count: 1 })}) Survei pameran`)
    await phone.checkPage('survei: thanks without network')
    await look(phone, 'survey-thanks-360')

    await another(phone)
    await answer(phone, 'SMA Ketikan Sendiri', 'Bekerja')
    await question(phone, 'Harapan').getByRole('textbox').fill('Beasiswa')
    await page.reload()
    expect(await question(phone, 'Harapan').getByRole('textbox').inputValue()).toBe('Beasiswa')
    expect(await page.getByRole('combobox').inputValue()).toBe('SMA Ketikan Sendiri')
    await send(phone)
    await thanked(phone, say('keeping'))
    for (const school of ['SMA Ketiga', 'SMA Keempat']) {
      await another(phone)
      await answer(phone, school, 'Kuliah')
      await send(phone)
      await thanked(phone, say('keeping'))
    }
    await page.getByText(say('waiting_other', { count: 4 })).waitFor()
    expect(await responsesOf(survey)).toEqual([])

    // Two more tabs, each of which would try to send.
    const tabs = [await context.newPage(), await context.newPage()]
    for (const tab of tabs) {
      await tab.goto(`/survei/${slug}`)
      await tab.getByText(say('waiting_other', { count: 4 })).waitFor()
    }
    let sent = 0
    context.on('request', (request) => {
      if (request.url().endsWith('/responses')) sent++
    })
    await context.setOffline(false)
    for (const tab of [page, ...tabs])
      await tab.locator('.page-count', { hasText: say('refused_one', { count: 1 }) }).waitFor()
    expect(sent).toBe(1)
    const responses = await responsesOf(survey)
    expect(responses.map(({ answers }) => answers.school)).toEqual([
      { id: expect.any(String) },
      { name: 'SMA Ketikan Sendiri' },
      { name: 'SMA Ketiga' },
    ])
    expect(responses[0]!.answers).toMatchObject({ plan: 'study', rating: 9, budget: 2_500_000 })
    expect(responses[1]!.answers).not.toHaveProperty('fields')
    await expect
      .poll(
        async () => (await db.query('SELECT FROM survey_photos WHERE response_id = $1', [responses[0]!.id])).rowCount,
      )
      .toBe(1)
    for (const tab of tabs) await tab.close()

    // The link allows three answers; the fourth stays on the phone, with the reason.
    await page.getByText(say('records.title')).click()
    await page.getByText(say('closed.survey_link_full')).first().waitFor()
    await phone.checkPage('survei: records')
    await look(phone, 'survey-records-360')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: say('records.export') }).click(),
    ])
    const saved = JSON.parse(fs.readFileSync(await file.path(), 'utf8'))
    expect(saved).toMatchObject({ survey: slug, answers: { school: { name: 'SMA Keempat' }, plan: 'study' } })
    await page.getByRole('button', { name: say('records.remove'), exact: true }).click()
    await phone.checkPage('survei: removal')
    await page.getByRole('button', { name: say('records.cancel'), exact: true }).click()
    await page.getByRole('button', { name: say('records.remove'), exact: true }).click()
    await page.getByRole('button', { name: say('records.removeYes'), exact: true }).click()
    await page.locator('.page-count').waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByText(say('closed.survey_link_full')).waitFor()
    await phone.checkPage('survei: full')
    expect(await page.title()).toBe('Survei pameran')
  })
})

test('on a network that leads nowhere, a response is sent by hand once the network works', async () => {
  const { id: survey, slug } = await aLink('Jaringan buntu', null)
  const phone = await world.person({ width: 360, language: 'id' })
  const { page, context } = phone
  await world.keepPicturesOnFailure('survey-dead-network', [phone], async () => {
    await page.goto(`/survei/${slug}`)
    await page.getByRole('heading', { name: 'Survei pameran' }).waitFor()
    await context.route('**/responses', (route) => route.abort())
    await answer(phone, 'SMA Buntu', 'Bekerja')
    await send(phone)
    await thanked(phone, say('keeping'))
    await page.getByText(say('offline')).waitFor()
    await context.unroute('**/responses')
    await page.getByRole('button', { name: say('tryNow') }).click()
    await thanked(phone, say('sent'))
    expect(await responsesOf(survey)).toHaveLength(1)
  })
})

test('a kiosk resets by itself, discards half-filled answers, and ends only by a long press', async () => {
  const { id: survey, slug } = await aLink('Stan', null)
  const stand = await world.person({ width: 360, language: 'id' })
  const { page } = stand
  await world.keepPicturesOnFailure('survey-kiosk', [stand], async () => {
    await page.clock.install()
    await page.goto(`/survei/${slug}`)
    await page.getByRole('heading', { name: 'Survei pameran' }).waitFor()
    await page.getByText(say('kiosk.title')).click()
    await page.getByRole('button', { name: say('kiosk.start') }).click()
    await page.waitForURL(/kiosk=1/)
    await answer(stand, 'SMA Pertama', 'Bekerja')
    await send(stand)
    await thanked(stand, say('sent'))
    await page.clock.runFor(9_000)
    await page.getByRole('heading', { name: 'Survei pameran' }).waitFor()
    expect(await page.getByRole('combobox').inputValue()).toBe('')
    expect(await responsesOf(survey)).toHaveLength(1)

    await answer(stand, 'SMA Setengah', 'Kuliah')
    await page.clock.runFor(80_000)
    await page.getByRole('button', { name: say('kiosk.stay') }).waitFor()
    await look(stand, 'survey-kiosk-360')
    // Counts from the beginning, because the picture may have scrolled the page, which counts as a touch.
    await page.clock.runFor(95_000)
    await page.getByRole('button', { name: say('kiosk.stay') }).waitFor({ state: 'hidden' })
    await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('')

    await page.goBack({ timeout: 3_000 }).catch(() => {})
    expect(page.url()).toContain('kiosk=1')
    const exit = page.getByRole('button', { name: say('kiosk.exit') })
    await exit.click()
    expect(page.url()).toContain('kiosk=1')
    await exit.hover()
    await page.mouse.down()
    await page.clock.runFor(3_500)
    await page.mouse.up()
    await page.waitForURL((url) => !url.search.includes('kiosk'))
  })
})

test(`one phone sends ${manyAnswers} answers on 3G, each once`, async () => {
  const { id: survey, slug } = await aLink('Pameran besar', null)
  const phone = await world.person({ width: 360, language: 'id' })
  const { page, context } = phone
  await page.goto(`/survei/${slug}`)
  await page.getByRole('heading', { name: 'Survei pameran' }).waitFor()
  await keptOnPhone(phone.page, '/survei/')
  await context.setOffline(true)
  await page.evaluate(
    ([slug, count]) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('pmb-queue', 1)
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const writing = opening.result.transaction('items', 'readwrite')
          for (let number = 0; number < count; number++) {
            const finishedAt = new Date(Date.now() - 1000 * (count - number)).toISOString()
            const contact = {
              name: `Siswa Rekaan ${number}`,
              phone: `0812${String(10_000_000 + number)}`,
              consent: true,
            }
            const answers = {
              school: { name: `SMA Rekaan ${number % 40}` },
              plan: 'work',
              rating: number % 11,
              ...(number % 3 === 0 && { contact }),
            }
            writing.objectStore('items').put({
              id: crypto.randomUUID(),
              topic: `survey:${slug}`,
              owner: 'survey',
              at: finishedAt,
              data: { version: 1, language: 'id', startedAt: finishedAt, finishedAt, answers, photos: [] },
            })
          }
          writing.oncomplete = () => resolve()
          writing.onerror = () => reject(writing.error)
        }
      }),
    [slug, manyAnswers] as const,
  )
  await page.reload()
  await page.getByText(say('waiting_other', { count: manyAnswers })).waitFor()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  const threeG = { latency: 100, downloadThroughput: 200_000, uploadThroughput: 93_750 }
  const startedMs = performance.now()
  await context.setOffline(false)
  await network.send('Network.emulateNetworkConditions', { offline: false, ...threeG })
  await page.getByText(say('waiting_other', { count: manyAnswers })).waitFor({ state: 'hidden' })
  await page.locator('.page-count').waitFor({ state: 'hidden', timeout: 300_000 })
  console.log(`${manyAnswers} answers in ${((performance.now() - startedMs) / 1000).toFixed(1)} s on 3G`)
  const { rows } = await db.query('SELECT count(*)::int AS count FROM survey_responses WHERE survey_id = $1', [survey])
  expect(rows[0].count).toBe(manyAnswers)
})
