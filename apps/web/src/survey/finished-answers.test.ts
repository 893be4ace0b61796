import { beforeEach, expect, test, vi } from 'vitest'
import { responsesPerCall } from '#domain/surveys/surveys.ts'
import type { QueuedItem } from '#web/offline/queue.ts'
import { type FinishedAnswer, finishedAnswers } from './finished-answers.ts'

/** The device's queue in memory, because Node has no IndexedDB. */
const stored = vi.hoisted(() => new Map<string, QueuedItem<any>>())
vi.mock('#web/offline/queue.ts', () => ({
  addToQueue: async (item: QueuedItem<any>) => void stored.set(item.id, item),
  putInQueue: async (items: QueuedItem<any>[]) => void items.map((item) => stored.set(item.id, item)),
  findQueued: async (id: string) => stored.get(id),
  countQueued: async (_: string, topic: string) => [...stored.values()].filter((item) => item.topic === topic).length,
  queuedItems: async (_: string, topic: string) =>
    [...stored.values()].filter((item) => item.topic === topic).sort((a, b) => a.at.localeCompare(b.at)),
  removeFromQueue: async (ids: string[]) => void ids.map((id) => stored.delete(id)),
}))

type Sent = { id: string; answers: Record<string, unknown> }
/** Fake server. `judge`, `before` and `photo` decide its HTTP responses. */
const server = {
  responses: new Map<string, Sent>(),
  photos: new Set<string>(),
  batches: [] as number[],
  judge: (_: Sent): 'stored' | 'refused' | 'crash' | 'unreadable' => 'stored',
  before: (): Response | null => null,
  photo: (_: string): number => 200,
}
const json = (data: unknown, status = 200) => new Response(JSON.stringify(data), { status })

vi.stubGlobal('document', { documentElement: { lang: 'id' } })
vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
  const early = server.before()
  if (early) return early
  const photo = /\/photos\/(.+)$/.exec(url)?.[1]
  if (photo) {
    const status = server.photo(photo)
    if (status === 200) server.photos.add(photo)
    return json(status === 200 ? { data: { id: photo } } : { code: 'file_unreadable' }, status)
  }
  const { responses } = JSON.parse(body) as { responses: Sent[] }
  server.batches.push(responses.length)
  const verdicts = responses.map((response) => server.judge(response))
  if (verdicts.includes('crash')) return json({ code: 'internal' }, 500)
  if (verdicts.includes('unreadable')) return json({ code: 'validation_failed' }, 422)
  const data = responses.map((response, index) => {
    if (verdicts[index] === 'refused')
      return {
        id: response.id,
        outcome: 'refused',
        problems: [{ question: 'plan', part: null, code: 'survey_option_unknown', params: {} }],
      }
    const outcome = server.responses.has(response.id) ? 'known' : 'stored'
    server.responses.set(response.id, response)
    return { id: response.id, outcome, problems: [] }
  })
  return json({ data })
})

beforeEach(() => {
  stored.clear()
  server.responses.clear()
  server.photos.clear()
  server.batches = []
  server.judge = () => 'stored'
  server.before = () => null
  server.photo = () => 200
})

const survey = finishedAnswers('open-day')
const noProgress = () => {}
const add = (number: number, more: Partial<FinishedAnswer> = {}) =>
  survey.add(`r${number}`, {
    version: 1,
    language: 'id',
    startedAt: '2026-11-26T01:00:00.000Z',
    finishedAt: new Date(Date.UTC(2026, 10, 26, 1, 0, number)).toISOString(),
    answers: { number },
    photos: [],
    ...more,
  })
const photo = (id: string) => ({ id, photo: new Blob(['x'], { type: 'image/jpeg' }) })
const many = async (count: number) => {
  for (let number = 0; number < count; number++) await add(number)
}
const answerOf = (item: Sent) => item.answers.number as number

test('answers are sent in batches and leave the device once confirmed', async () => {
  await many(250)
  await survey.send(noProgress)
  expect(server.batches).toEqual([responsesPerCall, responsesPerCall, 50])
  expect(server.responses.size).toBe(250)
  expect(await survey.count()).toEqual({ waiting: 0, refused: 0 })
})

test('without network everything stays, and an answer whose confirmation was lost is known the second time', async () => {
  await many(3)
  server.before = () => {
    throw new TypeError('Failed to fetch')
  }
  await expect(survey.send(noProgress)).rejects.toMatchObject({ status: 0 })
  expect(await survey.count()).toEqual({ waiting: 3, refused: 0 })
  // The server stores the response, but its confirmation is lost.
  server.before = () => {
    server.responses.set('r0', { id: 'r0', answers: {} })
    throw new TypeError('network lost')
  }
  await expect(survey.send(noProgress)).rejects.toBeDefined()
  server.before = () => null
  await survey.send(noProgress)
  expect(server.responses.size).toBe(3)
  expect(await survey.count()).toEqual({ waiting: 0, refused: 0 })
})

test.each([401, 404, 408, 425, 429, 502, 503])('status %s keeps everything for later', async (status) => {
  await many(2)
  server.before = () => json({ code: 'later' }, status)
  await expect(survey.send(noProgress)).rejects.toMatchObject({ status })
  expect(await survey.count()).toEqual({ waiting: 2, refused: 0 })
})

test("a hotspot's login page does not count as an answer of the server", async () => {
  await many(1)
  server.before = () => new Response('<html>Please sign in</html>', { status: 200 })
  await expect(survey.send(noProgress)).rejects.toMatchObject({ status: 0 })
  expect(await survey.count()).toEqual({ waiting: 1, refused: 0 })
})

test('a refused answer is kept with its reason, and the others arrive', async () => {
  await many(5)
  server.judge = (item) => (answerOf(item) === 2 ? 'refused' : 'stored')
  await survey.send(noProgress)
  expect([...server.responses.keys()]).toEqual(['r0', 'r1', 'r3', 'r4'])
  const [refused] = await survey.refused()
  expect(refused).toMatchObject({ id: 'r2', data: { refusal: { part: 'answers', code: 'survey_option_unknown' } } })
  server.judge = () => 'stored'
  await survey.tryAgain(refused!)
  await survey.send(noProgress)
  expect(server.responses.get('r2')).toMatchObject({ answers: { number: 2 } })
  expect(await survey.count()).toEqual({ waiting: 0, refused: 0 })
})

test('an answer that makes the server refuse the whole request is found by halving the batch', async () => {
  await many(100)
  server.judge = (item) => (answerOf(item) === 63 ? 'unreadable' : 'stored')
  await survey.send(noProgress)
  expect(server.responses.size).toBe(99)
  expect((await survey.refused()).map(({ id }) => id)).toEqual(['r63'])
})

test('an answer that makes the server fail delays no others, and waits for another attempt', async () => {
  await many(100)
  server.judge = (item) => (answerOf(item) === 63 ? 'crash' : 'stored')
  await expect(survey.send(noProgress)).rejects.toMatchObject({ status: 500 })
  expect(server.responses.size).toBe(99)
  expect((await survey.waiting()).map(({ id }) => id)).toEqual(['r63'])
})

test('a server that fails at everything is left alone after a few attempts', async () => {
  await many(300)
  server.judge = () => 'crash'
  await expect(survey.send(noProgress)).rejects.toMatchObject({ status: 500 })
  expect(server.batches.length).toBeLessThanOrEqual(11)
  expect(await survey.count()).toEqual({ waiting: 300, refused: 0 })
})

test('an answer stays until each of its photos is confirmed, and photos wait for other answers', async () => {
  await add(0, { photos: [photo('p1'), photo('p2')] })
  await add(1)
  server.photo = (id) => (id === 'p2' ? 503 : 200)
  await expect(survey.send(noProgress)).rejects.toMatchObject({ status: 503 })
  expect([...server.responses.keys()]).toEqual(['r0', 'r1'])
  const [item] = await survey.waiting()
  expect(item!.data).toMatchObject({ stored: true, photos: [{ id: 'p2' }] })
  server.photo = () => 200
  await survey.send(noProgress)
  expect([...server.photos]).toEqual(['p1', 'p2'])
  expect(server.batches).toEqual([2])
  expect(await survey.count()).toEqual({ waiting: 0, refused: 0 })
})

test('a photo the server refuses is kept with its answer, and the photos of others arrive', async () => {
  await add(0, { photos: [photo('bad')] })
  await add(1, { photos: [photo('good')] })
  server.photo = (id) => (id === 'bad' ? 422 : 200)
  await survey.send(noProgress)
  expect([...server.photos]).toEqual(['good'])
  expect((await survey.refused())[0]!.data).toMatchObject({ refusal: { part: 'photo' }, photos: [{ id: 'bad' }] })
})

test('two senders of one device send each answer once', async () => {
  await many(120)
  await Promise.all([survey.send(noProgress), survey.send(noProgress)])
  expect(server.batches).toEqual([responsesPerCall, 20])
})
