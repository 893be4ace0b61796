import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QuestionResult, SurveyResults } from '#domain/surveys/endpoints.ts'
import { asStaff, asWithPermissions, type TestActor } from '#server-test/actors.ts'
import { academicFixture } from '#server-test/factories/academic.ts'
import { aPlace } from '#server-test/factories/applicants.ts'
import { anOpenSurvey, aResponse, everyKind, sendResponses } from '#server-test/factories/surveys.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
const base = '/marketing/data-survey-siswa'
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterAll(() => t?.close())

const data = async (answer: Promise<{ statusCode: number; body: string; json(): { data: any } }>, status = 200) => {
  const { statusCode, body, json } = await answer
  expect(statusCode, body).toBe(status)
  return JSON.parse(body).data ?? json().data
}

describe('a draft', () => {
  test('may be unfinished; publishing names every problem', async () => {
    const draft = { title: { id: 'Minat', en: '' }, questions: [{ ...everyKind.questions[0]!, options: [] }] }
    const draftRow = await data(staff.post(base, { name: 'Minat', draft }), 201)
    expect(draftRow).toMatchObject({ status: 'draft', published: null, changed: true, responses: 0 })
    const refused = await staff.post(`${base}/${draftRow.id}/publish`, { version: draftRow.version })
    expect(refused.statusCode).toBe(422)
    expect(Object.keys(refused.json().errors).sort()).toEqual(['draft.questions.0.options', 'draft.title.en'])
    expect((await data(staff.get(`${base}/${draftRow.id}/preview`))).definition).toEqual(draft)
  })

  test('saved by two people loses nothing: the second gets a refusal', async () => {
    const draftRow = await data(staff.post(base, { name: 'Minat', draft: everyKind }), 201)
    const save = (name: string) =>
      staff.put(`${base}/${draftRow.id}`, { name, draft: everyKind, version: draftRow.version })
    const statuses = (await Promise.all([save('Satu'), save('Dua')])).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([200, 409])
  })

  test('published twice at once makes one version', async () => {
    const draftRow = await data(staff.post(base, { name: 'Minat', draft: everyKind }), 201)
    const publish = () => staff.post(`${base}/${draftRow.id}/publish`, { version: draftRow.version })
    const statuses = (await Promise.all([publish(), publish()])).map(({ statusCode }) => statusCode)
    expect(statuses.sort()).toEqual([200, 409])
    const versions = await t.db
      .selectFrom('surveyVersions')
      .select('number')
      .where('surveyId', '=', draftRow.id)
      .execute()
    expect(versions).toEqual([{ number: 1 }])
  })

  test('without changes makes no new version', async () => {
    const { survey, path } = await anOpenSurvey(t, staff)
    const again = await staff.post(`${path}/publish`, { version: survey.version })
    expect([again.statusCode, again.json().code]).toEqual([409, 'survey_nothing_to_publish'])
  })

  test('can be deleted until first published; a published survey cannot', async () => {
    const draftRow = await data(staff.post(base, { name: 'Minat', draft: everyKind }), 201)
    await data(staff.delete(`${base}/${draftRow.id}`))
    expect((await staff.get(`${base}/${draftRow.id}`)).statusCode).toBe(404)
    const { path } = await anOpenSurvey(t, staff)
    expect((await staff.delete(path)).json().code).toBe('survey_has_versions')
  })

  test('is duplicated with its questions', async () => {
    const { path } = await anOpenSurvey(t, staff)
    const copy = await data(staff.post(`${path}/duplicate`, { name: 'Salinan' }), 201)
    expect(copy).toMatchObject({ name: 'Salinan', status: 'draft', draft: everyKind })
  })
})

describe('a link', () => {
  const newLink = {
    name: 'SMA Satu',
    slug: null,
    schoolId: null,
    eventId: null,
    affiliateId: null,
    budget: 5,
    endsAt: null,
  }

  test('has an address, a QR code and limits; a budget below the number of responses taken is refused', async () => {
    const { path } = await anOpenSurvey(t, staff)
    const link = await data(staff.post(`${path}/links`, newLink), 201)
    expect(link).toMatchObject({
      budget: 5,
      taken: 0,
      state: 'open',
      url: expect.stringMatching(/\/survei\/sma-satu-\w{6}$/),
    })
    expect(link.qr.path).toMatch(/^M/)
    await sendResponses(t, link.slug, [aResponse(t), aResponse(t)])
    const change = (more: object) =>
      staff.put(`${path}/links/${link.id}`, {
        name: 'SMA Satu',
        budget: 2,
        endsAt: null,
        closed: false,
        version: 1,
        ...more,
      })
    expect((await change({ budget: 1 })).json().errors.budget).toEqual([
      '2 answers have already come through this link.',
    ])
    expect(await data(change({}))).toMatchObject({ state: 'full', taken: 2, version: 2 })
    expect((await change({})).json().code).toBe('stale_version')
    const listed = await staff.get(`${path}/links?state=full`)
    expect(listed.json().data).toMatchObject([{ name: 'SMA Satu', state: 'full', taken: 2, budget: 2 }])
  })

  test('with the address of another link is refused beside the field', async () => {
    const { path, slug } = await anOpenSurvey(t, staff)
    const refused = await staff.post(`${path}/links`, { ...newLink, slug, schoolId: crypto.randomUUID() })
    expect([refused.statusCode, Object.keys(refused.json().errors).sort()]).toEqual([422, ['schoolId', 'slug']])
  })
})

describe('results', () => {
  const question = (results: SurveyResults, key: string): QuestionResult =>
    results.questions.find((one) => one.key === key)!
  const counts = ({ values }: QuestionResult) => Object.fromEntries(values.map(({ value, count }) => [value, count]))

  async function answered() {
    const open = await anOpenSurvey(t, staff)
    const responses = [
      aResponse(t, { plan: 'study', fields: ['law', 'health'], sure: 4, siblings: 2, why: 'Dekat rumah' }),
      aResponse(t, { plan: 'study', fields: ['law'], sure: 5, siblings: 2.5, visit: '2026-12-01' }, { language: 'en' }),
      aResponse(t, { plan: 'unsure', fields: ['engineering'], why: 'Biaya terjangkau' }),
      aResponse(t, { plan: 'work', sure: 1 }),
    ]
    const sent = await sendResponses(t, open.slug, responses)
    expect(sent.json().data.every(({ outcome }: { outcome: string }) => outcome === 'stored')).toBe(true)
    return { ...open, responses }
  }

  test('count every answer, including options nobody chose', async () => {
    const { path } = await answered()
    const results: SurveyResults = await data(staff.get(`${path}/results`))
    expect(results).toMatchObject({ responses: 4, leads: 0, medianSeconds: 90, versions: [1] })
    expect(counts(question(results, 'plan'))).toEqual({ study: 2, work: 1, unsure: 1 })
    expect(counts(question(results, 'fields'))).toEqual({ health: 1, law: 2, engineering: 1 })
    expect(question(results, 'fields').answered).toBe(3)
    expect(question(results, 'sure')).toMatchObject({
      answered: 3,
      numbers: { mean: 10 / 3, median: 4, least: 1, most: 5 },
    })
    expect(counts(question(results, 'siblings'))).toEqual({ 2: 1, 2.5: 1 })
    expect(question(results, 'why')).toMatchObject({ answered: 2, values: [] })
  })

  test('with a filter count only matching responses, from stored counts and from rows alike', async () => {
    const { path, linkId } = await answered()
    const english: SurveyResults = await data(staff.get(`${path}/results?language=en&linkId=${linkId}&version=1`))
    expect([english.responses, counts(question(english, 'plan'))]).toEqual([1, { study: 1, work: 0, unsure: 0 }])
    const day = english.days[0]!.day
    expect((await data(staff.get(`${path}/results?from=${day}&to=${day}`))).responses).toBe(4)
    expect((await data(staff.get(`${path}/results?to=2020-01-01`))).responses).toBe(0)
    expect((await data(staff.get(`${path}/results?schoolId=${crypto.randomUUID()}`))).responses).toBe(0)
  })

  test('of a school question have a bar per school: one name is no one school, and a merged school joins its target', async () => {
    const { cityId } = await aPlace(t)
    const { id: schoolTypeId } = await t.db.selectFrom('schoolTypes').select('id').limit(1).executeTakeFirstOrThrow()
    const { name: city } = await t.db
      .selectFrom('cities')
      .select('name')
      .where('id', '=', cityId)
      .executeTakeFirstOrThrow()
    const aSchool = async (npsn: string) => {
      const values = { npsn, name: 'SMA Negeri 1', schoolTypeId, cityId }
      return (await t.db.insertInto('schools').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    const [one, other, former] = [await aSchool('70000011'), await aSchool('70000012'), crypto.randomUUID()]
    await t.db
      .insertInto('schoolAliases')
      .values({ schoolId: other, npsn: '70000013', name: 'SMA Lama', formerId: former })
      .execute()
    const { slug, path } = await anOpenSurvey(t, staff)
    const named = [one, one, one, other, former].map((id) => aResponse(t, { plan: 'study', school: { id } }))
    await sendResponses(t, slug, named)
    const { values } = question(await data(staff.get(`${path}/results`)), 'school')
    const name = `SMA Negeri 1, ${city}`
    expect(values.map(({ value, label, count }) => [value, label?.id, count])).toEqual([
      [one, name, 3],
      [other, name, 2],
    ])
  })

  test('of two questions can be crossed, except for text answers', async () => {
    const { path } = await answered()
    const cross = await data(staff.get(`${path}/cross?row=plan&column=fields`))
    expect(cross.both).toBe(3)
    expect(cross.cells).toHaveLength(3)
    expect(cross.cells).toContainEqual({ row: 'study', column: 'law', count: 2 })
    expect(cross.rows.map(({ value, count }: any) => [value, count])).toEqual([
      ['study', 2],
      ['work', 0],
      ['unsure', 1],
    ])
    expect((await data(staff.get(`${path}/cross?row=plan&column=sure&language=en`))).both).toBe(1)
    const refused = await staff.get(`${path}/cross?row=why&column=why`)
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['row', 'column']])
  })

  test('in words can be searched, and read one by one', async () => {
    const { path, responses } = await answered()
    const found = (await staff.get(`${path}/texts?q=biaya`, { 'accept-language': 'id' })).json()
    expect(found.data).toMatchObject([{ text: 'Biaya terjangkau', responseId: responses[2]!.id }])
    const response = await data(staff.get(`${path}/responses/${responses[0]!.id}`, { 'accept-language': 'en' }))
    expect(response.answers.map(({ text }: { text: string }) => text).slice(0, 4)).toEqual([
      'study (en)',
      'law (en), health (en)',
      '4',
      '2',
    ])
    const listed = (await staff.get(`${path}/responses?language=en`)).json()
    expect(listed.data).toMatchObject([{ id: responses[1]!.id, seconds: 90, lead: false }])
  })

  test('are exported with a column for each question and each option', async () => {
    const { path } = await answered()
    const file = await staff.get(`${path}/answers/export?format=csv&language=id`, { 'accept-language': 'en' })
    expect(file.statusCode).toBe(200)
    const [head, ...lines] = file.body
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
    expect(head).toContain('Bidang (en): law (en)')
    expect(head).toContain('Kontak (en): phone')
    expect(lines).toHaveLength(3)
    expect(file.body).toContain('Dekat rumah')
  })

  test('of a changed question keep the answers of earlier versions', async () => {
    const { path, survey, slug } = await answered()
    const [plan, ...rest] = everyKind.questions
    const options = [...plan!.options!.slice(1), { key: 'travel', label: { id: 'Jalan', en: 'Travel' } }]
    const draft = {
      ...everyKind,
      questions: [{ ...plan!, options }, ...rest.filter(({ key }) => !['fields', 'why'].includes(key))],
    }
    const saved = await data(staff.put(path, { name: survey.name, draft, version: survey.version }))
    expect(saved).toMatchObject({ published: 1, changed: true })
    await data(staff.post(`${path}/publish`, { version: saved.version }))
    await sendResponses(t, slug, [aResponse(t, { plan: 'travel' }, { version: 2 })])
    const results: SurveyResults = await data(staff.get(`${path}/results`))
    expect(question(results, 'plan').values.map(({ value, count }) => [value, count])).toEqual([
      ['work', 1],
      ['unsure', 1],
      ['travel', 1],
      ['study', 2],
    ])
    expect(question(results, 'fields')).toMatchObject({ version: 1, answered: 3 })
    expect((await data(staff.get(`${path}/results?version=2`))).responses).toBe(1)
  })
})

describe('staff', () => {
  test('limited to some study programmes read and write no surveys', async () => {
    const { path, survey } = await anOpenSurvey(t, staff)
    const academic = await academicFixture(t.db)
    const limited = await asWithPermissions(
      t,
      ['', '-create', '-view'].map((end) => `marketing-data-survey-siswa${end}`),
      { programmeIds: [academic.programmes[0]!] },
    )
    const answers = await Promise.all([
      limited.get(base),
      limited.get(`${path}/results`),
      limited.get(`${path}/responses`),
      limited.get(`${path}/answers/export`),
      limited.post(`${path}/close`, { version: survey.version }),
    ])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
  })
})

test('staff who may not call leads see masked contacts, in a response and in the file', async () => {
  const { path, slug } = await anOpenSurvey(t, staff)
  const contact = { name: 'Kartika', phone: '+6281277001234', email: 'kartika@example.com', consent: true }
  const response = aResponse(t, { plan: 'work', contact })
  await sendResponses(t, slug, [response])
  const viewer = await asWithPermissions(t, ['marketing-data-survey-siswa-view'])
  for (const url of [`${path}/responses/${response.id}`, `${path}/answers/export?format=csv`]) {
    expect((await staff.get(url)).body).toContain('77001')
    const { body, statusCode } = await viewer.get(url)
    expect(statusCode, url).toBe(200)
    expect(body).toContain('Kartika')
    expect(body).not.toMatch(/77001|kartika@/)
  }
})

describe('a question', () => {
  test('whose key is a property of every object is refused', async () => {
    const draft = { ...everyKind, questions: [{ ...everyKind.questions[5]!, key: 'constructor' }] }
    const refused = await staff.post(base, { name: 'Minat', draft })
    expect(refused.statusCode).toBe(422)
    expect(JSON.stringify(refused.json().errors)).toContain('key')
  })

  test('keeps its kind, since earlier answers could not be read with another', async () => {
    const { survey, path, slug } = await anOpenSurvey(t, staff)
    await sendResponses(t, slug, [aResponse(t, { plan: 'study', why: 'Dekat rumah' })])
    const questions = everyKind.questions.map((one) =>
      one.key === 'why' ? { key: 'why', kind: 'school', label: one.label, required: false } : one,
    )
    const draft = { ...everyKind, questions }
    const saved = await data(staff.put(path, { name: survey.name, draft, version: survey.version }))
    const refused = await staff.post(`${path}/publish`, { version: saved.version })
    expect(refused.statusCode, refused.body).toBe(422)
    expect(Object.keys(refused.json().errors)).toEqual(['draft.questions.5.kind'])
    expect((await staff.get(`${path}/answers/export?format=csv`)).statusCode).toBe(200)
  })
})

test('a poster is drawn whatever characters the names of survey and school contain', async () => {
  const odd = `${'مرحبا 🎓 李 '.repeat(20)}<b>`
  const draft = { ...everyKind, title: { id: odd, en: odd } }
  const { linkId, path } = await anOpenSurvey(t, staff, { draft, link: { name: odd.slice(0, 149) } })
  const poster = await staff.get(`${path}/links/${linkId}/poster`)
  expect([poster.statusCode, poster.rawPayload.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
  for (const format of ['csv', 'xlsx'])
    expect((await staff.get(`${path}/answers/export?format=${format}`)).statusCode).toBe(200)
})

test('an answer that a spreadsheet would run as a formula is text in the file', async () => {
  const { path, slug } = await anOpenSurvey(t, staff)
  await sendResponses(t, slug, [
    aResponse(t, { plan: 'work', why: '=HYPERLINK("https://x.test")', school: { name: '@SUM(1)' } }),
    aResponse(t, { plan: 'work', contact: { name: '=cmd|x', phone: '081270009999', consent: true } }),
  ])
  const { body } = await staff.get(`${path}/answers/export?format=csv`)
  expect(body).not.toMatch(/(^|[,;"])[=@]/m)
  expect(body).toContain("'=cmd|x")
})
