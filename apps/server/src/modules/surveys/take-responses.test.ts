import crypto from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ResponseOutcome } from '#domain/surveys/public-endpoints.ts'
import { asStaff, multipartBody, type TestActor } from '#server-test/actors.ts'
import { countDeadlocks } from '#server-test/deadlocks.ts'
import { anAffiliate } from '#server-test/factories/affiliates.ts'
import { aPicture, aPlace } from '#server-test/factories/applicants.ts'
import { anOpenSurvey, aResponse, everyKind, sendResponses } from '#server-test/factories/surveys.ts'
import { raceBehind } from '#server-test/race-behind.ts'
import { type TestApp, testApp } from '#server-test/test-app.ts'

let t: TestApp
let staff: TestActor
beforeAll(async () => {
  t = await testApp()
  staff = await asStaff(t)
})
afterEach(() => t.clock.reset())
afterAll(() => t?.close())

const outcomes = async (slug: string, responses: readonly unknown[], sentAt?: Date): Promise<ResponseOutcome[]> => {
  const answer = await sendResponses(t, slug, responses, sentAt)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json().data
}
const words = (list: readonly ResponseOutcome[]) =>
  list.map(({ outcome, problems }) => [outcome, ...problems.map(({ code }) => code)].join(' '))
const stored = (id: string) => t.db.selectFrom('surveyResponses').selectAll().where('id', '=', id).executeTakeFirst()
const linkOf = (id: string) => t.db.selectFrom('surveyLinks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

let phones = 0
const aContact = (more = {}) => ({
  name: 'Ani Contoh',
  phone: `0812${String(70_000_000 + ++phones)}`,
  consent: true,
  ...more,
})

/** The stored counts, and the same counts computed from all responses. */
async function countsOf(surveyId: string) {
  const columns = sql`link_id, version, day, language, question, value`
  const keptCounts = await sql`SELECT ${columns}, count FROM survey_counts WHERE survey_id = ${surveyId} AND count > 0
    ORDER BY ${columns}`.execute(t.db)
  const anew = await sql`SELECT ${columns}, count(*)::int AS count FROM survey_counted WHERE survey_id = ${surveyId}
    GROUP BY ${columns} ORDER BY ${columns}`.execute(t.db)
  return { kept: keptCounts.rows, anew: anew.rows }
}

describe('a response', () => {
  test('sent again is known, even with other answers; the first is kept', async () => {
    const { survey, linkId, slug } = await anOpenSurvey(t, staff)
    const response = aResponse(t, { plan: 'study', fields: ['law', 'health'], sure: 4 })
    expect(words(await outcomes(slug, [response, response]))).toEqual(['stored', 'known'])
    expect(words(await outcomes(slug, [response]))).toEqual(['known'])
    expect(words(await outcomes(slug, [{ ...response, answers: { plan: 'work' } }]))).toEqual(['known'])
    expect(words(await outcomes(slug, [{ ...response, answers: { plan: 'no such option' } }]))).toEqual(['known'])
    expect(await stored(response.id)).toMatchObject({ answers: { plan: 'study', fields: ['law', 'health'], sure: 4 } })
    expect(await linkOf(linkId)).toMatchObject({ taken: 1 })
    const { kept, anew } = await countsOf(survey.id)
    expect(kept).toEqual(anew)
    expect(kept).toHaveLength(6)
  })

  test('with wrong answers is refused with every problem, and those around it are stored', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const wrong = aResponse(t, { fields: ['law'], sure: 9, siblings: -1, unknown: 1 })
    const shapeless = { id: crypto.randomUUID(), version: 1 }
    const unpublished = aResponse(t, { plan: 'work' }, { version: 7 })
    const all = await outcomes(slug, [aResponse(t), wrong, shapeless, unpublished, aResponse(t)])
    expect(words(all)).toEqual([
      'stored',
      'refused field_required survey_number_range survey_number_range survey_question_unknown',
      'refused survey_answer_unusable',
      'refused survey_version_unknown',
      'stored',
    ])
    expect(all[1]!.problems[1]).toEqual({
      question: 'sure',
      part: null,
      code: 'survey_number_range',
      params: { minimum: 1, maximum: 5 },
    })
  })

  test('keeps no answers to questions that were not asked', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const response = aResponse(t, { plan: 'work', fields: ['law'], why: '  ' })
    await outcomes(slug, [response])
    expect((await stored(response.id))?.answers).toEqual({ plan: 'work' })
  })

  test('from a device that was offline is checked against the version it was answered in', async () => {
    const { survey, path, slug } = await anOpenSurvey(t, staff)
    const draft = { ...everyKind, questions: everyKind.questions.slice(1).map((one) => ({ ...one, when: undefined })) }
    const saved = await staff.put(path, { name: survey.name, draft, version: survey.version })
    const published = await staff.post(`${path}/publish`, { version: saved.json().data.version })
    expect(published.json().data).toMatchObject({ published: 2, changed: false })
    const [old, newer, mixed] = [
      aResponse(t, { plan: 'study' }),
      aResponse(t, { fields: ['law'] }, { version: 2 }),
      aResponse(t, { plan: 'study' }, { version: 2 }),
    ]
    expect(words(await outcomes(slug, [old, newer, mixed]))).toEqual([
      'stored',
      'stored',
      'refused survey_question_unknown',
    ])
  })

  test("has times by the server's clock, however wrong the device's clock is", async () => {
    const { slug } = await anOpenSurvey(t, staff)
    t.clock.set('2026-11-20T03:00:00Z')
    const device = { startedAt: '2020-01-01T00:00:00Z', finishedAt: '2020-01-01T00:02:00Z' }
    const response = aResponse(t, { plan: 'study' }, device)
    await outcomes(slug, [response], new Date('2020-01-01T01:00:00Z'))
    expect(await stored(response.id)).toMatchObject({
      startedAt: new Date('2026-11-20T02:00:00Z'),
      finishedAt: new Date('2026-11-20T02:02:00Z'),
      day: '2026-11-20',
    })
  })

  test('belongs to the school it names, or to the one that school was merged into, otherwise to the school of its link', async () => {
    const place = await aPlace(t)
    const { id: type } = await t.db.selectFrom('schoolTypes').select('id').limit(1).executeTakeFirstOrThrow()
    const aSchool = async (npsn: string) =>
      (
        await t.db
          .insertInto('schools')
          .values({ npsn, name: `SMA ${npsn}`, schoolTypeId: type, cityId: place.cityId })
          .returning('id')
          .executeTakeFirstOrThrow()
      ).id
    const [ofLink, named, former] = [await aSchool('70000001'), await aSchool('70000002'), crypto.randomUUID()]
    await t.db
      .insertInto('schoolAliases')
      .values({ schoolId: named, npsn: '70000003', name: 'SMA Lama', formerId: former })
      .execute()
    const { slug } = await anOpenSurvey(t, staff, { link: { schoolId: ofLink } })
    const answers = [{}, { school: { id: named } }, { school: { id: former } }, { school: { name: 'SMA Jauh' } }]
    const responses = answers.map((more) => aResponse(t, { plan: 'study', ...more }))
    await outcomes(slug, responses)
    const schools = await Promise.all(responses.map(async ({ id }) => (await stored(id))?.schoolId))
    expect(schools).toEqual([ofLink, named, named, null])
  })
})

describe('a link', () => {
  test('with a budget takes exactly that many responses from many senders at once', async () => {
    const { linkId, slug, survey } = await anOpenSurvey(t, staff, { link: { budget: 7 } })
    const batches = Array.from({ length: 5 }, () => [aResponse(t), aResponse(t)])
    const answers = await raceBehind(t, sql`SELECT FROM survey_links WHERE id = ${linkId} FOR UPDATE`, 4, () =>
      Promise.all(batches.map((batch) => outcomes(slug, batch))),
    )
    const all = words(answers.flat())
    expect(all.filter((word) => word === 'stored')).toHaveLength(7)
    expect(all.filter((word) => word === 'refused survey_link_full')).toHaveLength(3)
    expect(await linkOf(linkId)).toMatchObject({ taken: 7 })
    const { count } = await t.db
      .selectFrom('surveyResponses')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('surveyId', '=', survey.id)
      .executeTakeFirstOrThrow()
    expect(Number(count)).toBe(7)
  })

  test('that has ended takes what was answered before its end, and nothing later', async () => {
    t.clock.set('2026-11-20T10:00:00Z')
    const { slug } = await anOpenSurvey(t, staff, { link: { endsAt: new Date('2026-11-20T09:00:00Z') } })
    const at = (finishedAt: string) => aResponse(t, { plan: 'study' }, { startedAt: finishedAt, finishedAt })
    expect(words(await outcomes(slug, [at('2026-11-20T08:59:00Z'), at('2026-11-20T09:01:00Z')]))).toEqual([
      'stored',
      'refused survey_link_ended',
    ])
    const page = await t.app.inject({ url: `/api/survei/${slug}` })
    expect(page.json().data).toMatchObject({ refusal: 'survey_link_ended', version: 1 })
  })

  test('of a closed survey takes what was answered before', async () => {
    t.clock.set('2026-11-20T10:00:00Z')
    const { slug, survey, path } = await anOpenSurvey(t, staff)
    const before = aResponse(t)
    t.clock.set('2026-11-20T11:00:00Z')
    expect((await staff.post(`${path}/close`, { version: survey.version })).json().data.status).toBe('closed')
    t.clock.set('2026-11-20T12:00:00Z')
    expect(words(await outcomes(slug, [before, aResponse(t)]))).toEqual(['stored', 'refused survey_closed'])
  })

  test('that is unknown is not found', async () => {
    expect((await sendResponses(t, 'tidak-ada', [aResponse(t)])).statusCode).toBe(404)
    expect((await t.app.inject({ url: '/api/survei/tidak-ada' })).statusCode).toBe(404)
    expect((await t.app.inject({ url: '/api/survei/tidak-ada/schools?q=sma' })).statusCode).toBe(404)
  })
})

describe('a deleted response', () => {
  test('leaves counts and budget, and its device cannot send it again', async () => {
    const { survey, linkId, slug, path } = await anOpenSurvey(t, staff, { link: { budget: 1 } })
    const response = aResponse(t, { plan: 'study', fields: ['law'] })
    await outcomes(slug, [response])
    const removed = await staff.post(`${path}/responses/${response.id}/remove`, { reason: 'Percobaan petugas' })
    expect(removed.statusCode, removed.body).toBe(200)
    expect(await linkOf(linkId)).toMatchObject({ taken: 0 })
    expect(await countsOf(survey.id)).toEqual({ kept: [], anew: [] })
    expect(words(await outcomes(slug, [response]))).toEqual(['known'])
    expect(await stored(response.id)).toBeUndefined()
    const entry = await t.db
      .selectFrom('auditLog')
      .select(['reason', 'before'])
      .where('action', '=', 'survey.remove')
      .where('subjectId', '=', survey.id)
      .executeTakeFirstOrThrow()
    expect(entry).toMatchObject({ reason: 'Percobaan petugas', before: { responseId: response.id } })
  })
})

describe('a contact with consent', () => {
  test('becomes one lead with the consent text of its version, its school and affiliate', async () => {
    const affiliate = await anAffiliate(t)
    const { slug } = await anOpenSurvey(t, staff, { link: { affiliateId: affiliate.id } })
    const contact = aContact({ email: 'ani@example.com', birthDate: '2008-05-01' })
    const response = aResponse(t, { plan: 'study', school: { name: 'SMA Jauh' }, contact }, { language: 'en' })
    await outcomes(slug, [response])
    await outcomes(slug, [response])
    const { leadId } = (await stored(response.id))!
    const lead = await t.db.selectFrom('leads').selectAll().where('id', '=', leadId!).executeTakeFirstOrThrow()
    expect(lead).toMatchObject({ name: 'Ani Contoh', email: 'ani@example.com', schoolName: 'SMA Jauh' })
    expect(await t.db.selectFrom('leadOrigins').selectAll().where('leadId', '=', leadId!).execute()).toMatchObject([
      {
        kind: 'survey',
        surveyResponseId: response.id,
        affiliateId: affiliate.id,
        consentText: 'Saya bersedia dihubungi kampus. (en)',
        consentLanguage: 'en',
      },
    ])
  })

  test('given without consent is refused', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const response = aResponse(t, { plan: 'study', contact: aContact({ consent: false }) })
    expect(words(await outcomes(slug, [response]))).toEqual(['refused survey_consent_required'])
  })

  test('is erased with its photos when the lead is deleted, and the answers stay counted', async () => {
    const { survey, slug } = await anOpenSurvey(t, staff)
    const photoId = crypto.randomUUID()
    const answers = { plan: 'study', contact: aContact(), selfie: { id: photoId } }
    const response = aResponse(t, answers)
    await outcomes(slug, [response])
    expect((await sendPhoto(slug, response.id, photoId)).statusCode).toBe(200)
    const before = await countsOf(survey.id)
    await t.db
      .deleteFrom('leads')
      .where('id', '=', (await stored(response.id))!.leadId!)
      .execute()
    expect(await stored(response.id)).toMatchObject({
      answers: { plan: 'study' },
      leadId: null,
      erasedAt: expect.any(Date),
    })
    expect(await countsOf(survey.id)).toEqual(before)
    expect(await photosOf(response.id)).toEqual([])
    expect((await sendPhoto(slug, response.id, photoId)).statusCode).toBe(404)
    expect(words(await outcomes(slug, [response]))).toEqual(['known'])
    expect((await stored(response.id))?.answers).toEqual({ plan: 'study' })
  })
})

const sendPhoto = async (slug: string, responseId: string, photoId: string, bytes?: Buffer) => {
  const { body, contentType } = multipartBody({
    name: 'foto.jpg',
    type: 'image/jpeg',
    bytes: bytes ?? (await aPicture()),
  })
  const url = `/api/survei/${slug}/responses/${responseId}/photos/${photoId}`
  return t.app.inject({ method: 'POST', url, payload: body, headers: { 'content-type': contentType } })
}
const photosOf = (responseId: string) =>
  t.db
    .selectFrom('surveyPhotos as p')
    .innerJoin('files as f', 'f.id', 'p.fileId')
    .select(['p.question', 'f.mime', 'f.deletedAt'])
    .where('p.responseId', '=', responseId)
    .execute()

describe('a photo', () => {
  test('is stored once, re-encoded, however often it is sent', async () => {
    const { slug, path } = await anOpenSurvey(t, staff)
    const photoId = crypto.randomUUID()
    const response = aResponse(t, { plan: 'study', selfie: { id: photoId } })
    await outcomes(slug, [response])
    const png = await aPicture('png')
    const first = await sendPhoto(slug, response.id, photoId, png)
    expect([first.statusCode, first.json().data.outcome]).toEqual([200, 'stored'])
    const again = await Promise.all([1, 2].map(() => sendPhoto(slug, response.id, photoId, png)))
    expect(again.map((answer) => answer.json().data.outcome)).toEqual(['known', 'known'])
    expect(await photosOf(response.id)).toEqual([{ question: 'selfie', mime: 'image/jpeg', deletedAt: null }])
    const photos = await staff.get(`${path}/photos?question=selfie`)
    expect(photos.json().meta.total).toBe(1)
    const picture = await staff.get(photos.json().data[0].thumbnail)
    expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp'])
  })

  test('sent by several tabs at once is stored once', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const photoId = crypto.randomUUID()
    const response = aResponse(t, { plan: 'study', selfie: { id: photoId } })
    await outcomes(slug, [response])
    const lock = sql`SELECT FROM survey_responses WHERE id = ${response.id} FOR UPDATE`
    const answers = await raceBehind(t, lock, 3, () =>
      Promise.all([1, 2, 3].map(() => sendPhoto(slug, response.id, photoId))),
    )
    expect(answers.map((answer) => answer.json().data.outcome).sort()).toEqual(['known', 'known', 'stored'])
    expect(await photosOf(response.id)).toHaveLength(1)
  })

  test('that belongs to no stored answer is refused', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const response = aResponse(t, { plan: 'study', selfie: { id: crypto.randomUUID() } })
    await outcomes(slug, [response])
    expect((await sendPhoto(slug, response.id, crypto.randomUUID())).statusCode).toBe(404)
    expect((await sendPhoto(slug, crypto.randomUUID(), crypto.randomUUID())).statusCode).toBe(404)
    const other = await anOpenSurvey(t, staff)
    expect((await sendPhoto(other.slug, response.id, crypto.randomUUID())).statusCode).toBe(404)
  })

  test('that is not a picture is refused beside its field', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const photoId = crypto.randomUUID()
    const response = aResponse(t, { plan: 'study', selfie: { id: photoId } })
    await outcomes(slug, [response])
    const refused = await sendPhoto(slug, response.id, photoId, Buffer.from('<script>'))
    expect([refused.statusCode, Object.keys(refused.json().errors)]).toEqual([422, ['file']])
  })
})

describe('a phone that was offline for a long time', () => {
  test('sends 5,000 responses from three tabs in shuffled batches with repeats, and each is stored once', async () => {
    const { survey, linkId, slug } = await anOpenSurvey(t, staff)
    const plans = ['study', 'work', 'unsure']
    const responses = Array.from({ length: 5000 }, (_, index) =>
      aResponse(t, { plan: plans[index % 3], sure: (index % 5) + 1, why: `Alasan ${index}` }),
    )
    const batchesOf = (list: readonly unknown[]) =>
      Array.from({ length: list.length / 100 }, (_, index) => list.slice(index * 100, index * 100 + 100))
    const shuffled = () => responses.toSorted(() => Math.random() - 0.5)
    const tab = async (list: readonly unknown[]) => {
      let storedCount = 0
      for (const batch of batchesOf(list))
        storedCount += (await outcomes(slug, batch)).filter(({ outcome }) => outcome === 'stored').length
      return storedCount
    }
    const stores = await Promise.all([tab(responses), tab(shuffled()), tab(shuffled())])
    expect(stores.reduce((sum, count) => sum + count)).toBe(5000)
    expect(await linkOf(linkId)).toMatchObject({ taken: 5000 })
    const { kept, anew } = await countsOf(survey.id)
    expect(kept).toEqual(anew)
  }, 120_000)

  test('sends the same responses by two links at once, and each is stored once', async () => {
    const [one, two] = [await anOpenSurvey(t, staff), await anOpenSurvey(t, staff)]
    const responses = Array.from({ length: 20 }, () => aResponse(t))
    const lock = sql`SELECT FROM survey_links WHERE id IN (${one.linkId}, ${two.linkId}) FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all([outcomes(one.slug, responses), outcomes(two.slug, responses.toReversed())]),
    )
    expect(words(answers.flat()).filter((word) => word === 'stored')).toHaveLength(20)
    const links = await Promise.all([one.linkId, two.linkId].map(linkOf))
    expect(links[0]!.taken + links[1]!.taken).toBe(20)
  })
})

describe('contacts sent by two links at once', () => {
  test('wait for each other without a deadlock, however numbers are written and people are ordered', async () => {
    const [one, two] = [await anOpenSurvey(t, staff), await anOpenSurvey(t, staff)]
    const people = Array.from({ length: 10 }, (_, index) => ({
      digits: 80_000_000 + index,
      born: `2008-05-${10 + index}`,
    }))
    const responsesOf = (start: string) =>
      people.map(({ digits }, index) => {
        // Shares the number with one person of the other link, and name and birth date with another.
        const birthDate = people[start === '0' ? index : people.length - 1 - index]!.born
        return aResponse(t, { plan: 'study', contact: aContact({ phone: `${start}812${digits}`, birthDate }) })
      })
    const deadlocksBefore = await countDeadlocks(t)
    const lock = sql`SELECT FROM survey_links WHERE id IN (${one.linkId}, ${two.linkId}) FOR UPDATE`
    const answers = await raceBehind(t, lock, 2, () =>
      Promise.all([outcomes(one.slug, responsesOf('0')), outcomes(two.slug, responsesOf('+62'))]),
    )
    expect(words(answers.flat())).toEqual(Array(20).fill('stored'))
    expect(await countDeadlocks(t)).toBe(deadlocksBefore)
  })
})

describe('the database', () => {
  test('refuses to change or delete a version, and to change what a device sent', async () => {
    const { survey, slug } = await anOpenSurvey(t, staff)
    const response = aResponse(t)
    await outcomes(slug, [response])
    const changes = [
      sql`UPDATE survey_versions SET definition = '{}' WHERE survey_id = ${survey.id}`,
      sql`DELETE FROM survey_versions WHERE survey_id = ${survey.id}`,
      sql`UPDATE survey_responses SET day = '2020-01-01' WHERE id = ${response.id}`,
      sql`UPDATE survey_links SET budget = 1, taken = 2 WHERE survey_id = ${survey.id}`,
    ]
    for (const change of changes)
      await expect(change.execute(t.db)).rejects.toThrow(/permission denied|keeps what|budget/)
  })
})

describe('an odd response', () => {
  /** Sends an odd response between two good ones; returns the outcome of the odd response. */
  const between = async (slug: string, odd: Record<string, unknown>, more = {}, sentAt?: Date) => {
    const all = [aResponse(t), aResponse(t, { plan: 'work', ...odd }, more), aResponse(t)]
    const answer = await sendResponses(t, slug, all, sentAt)
    return answer.statusCode === 200 ? words(answer.json().data)[1] : answer.body
  }

  test('with a contact part that is not text is refused, and those around it are stored', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    expect.soft(await between(slug, { contact: aContact({ email: [] }) })).toBe('refused email_invalid')
    expect.soft(await between(slug, { contact: aContact({ birthDate: [] }) })).toBe('refused survey_answer_unusable')
    expect.soft(await between(slug, { contact: aContact({ birthDate: ' ', email: ' ' }) })).toBe('stored')
  })

  test('with a name that grows when cleaned, or is cut inside a character, is stored', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const odd = [
      { name: `${'a'.repeat(119)}🎓🎓` },
      { name: 'ﷺ'.repeat(40), birthDate: '2008-01-01' },
      { email: `${'İ'.repeat(200)}@example.com` },
      { name: '=HYPERLINK("x")<b>مرحبا</b>' },
    ]
    for (const contact of odd) expect.soft(await between(slug, { contact: aContact(contact) })).toBe('stored')
  })

  test('by two people whose names contain no letters does not make them one lead', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const [first, second] = ['🎓🎓', '!!'].map((name) =>
      aResponse(t, { plan: 'work', contact: aContact({ name, birthDate: '2008-03-03' }) }),
    )
    await outcomes(slug, [first, second])
    expect((await stored(first!.id))!.leadId).not.toBe((await stored(second!.id))!.leadId)
  })

  test('with prototype property names as keys is refused', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    for (const key of ['constructor', 'toString', 'hasOwnProperty'])
      expect.soft(await between(slug, { [key]: 'x' })).toBe('refused survey_question_unknown')
  })

  test('with times at the ends of the calendar is stored', async () => {
    const { slug } = await anOpenSurvey(t, staff)
    const at = (time: string) => ({ startedAt: time, finishedAt: time })
    const [first, last] = ['1900-01-01T00:00:00Z', '2199-12-31T00:00:00Z']
    expect.soft(await between(slug, {}, at(first!), new Date(last!))).toBe('stored')
    expect.soft(await between(slug, {}, at(last!), new Date(first!))).toBe('stored')
  })
})

test('a response whose lead is being deleted makes a new lead and keeps its contact', async () => {
  const { slug } = await anOpenSurvey(t, staff)
  const contact = aContact({ birthDate: '2008-05-05' })
  const [first, second] = [aResponse(t, { plan: 'work', contact }), aResponse(t, { plan: 'work', contact })]
  await outcomes(slug, [first])
  const { leadId } = (await stored(first!.id))!
  await raceBehind(t, sql`DELETE FROM leads WHERE id = ${leadId}`, 1, () => outcomes(slug, [second]))
  expect(await stored(first!.id)).toMatchObject({ leadId: null, answers: { plan: 'work' } })
  const later = (await stored(second!.id))!
  expect(later).toMatchObject({ erasedAt: null, answers: { contact: { name: contact.name } } })
  expect(later.leadId).toEqual(expect.any(String))
})
