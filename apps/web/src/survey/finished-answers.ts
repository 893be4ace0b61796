import type { Answers } from '#domain/surveys/definition.ts'
import type { ResponseOutcome, ResponseProblem } from '#domain/surveys/public-endpoints.ts'
import { responsesPerCall } from '#domain/surveys/surveys.ts'
import type { Language } from '#entities/define/language.ts'
import {
  addToQueue,
  countQueued,
  findQueued,
  putInQueue,
  type QueuedItem,
  queuedItems,
  removeFromQueue,
} from '#web/offline/queue.ts'
import { sendQueue } from '#web/offline/send-queue.ts'
import { CallFailure, postPhoto, postResponses } from './api.ts'

/** A finished response kept on this device. */
export type FinishedAnswer = {
  version: number
  language: Language
  startedAt: string
  finishedAt: string
  answers: Answers
  /** Photos the server has not confirmed yet. */
  photos: { id: string; photo: Blob }[]
  /** Set once the server has confirmed the answers while photos are left to send. */
  stored?: boolean
  refusal?: Refusal
}
export type Refusal = { part: 'answers' | 'photo'; code: string; problems: ResponseProblem[] }
export type FinishedItem = QueuedItem<FinishedAnswer>

/** Owner of the queue. Replaces the account, because responses are sent without a session. */
const owner = 'survey'

/** After this many failures in a row, the server is assumed to be broken, not the responses. */
const failuresUntilPause = 10

/**
 * Queue of responses finished on this device through one survey link. A response leaves the queue once the server has
 * confirmed its answers and photos.
 */
export function finishedAnswers(slug: string) {
  const topic = `survey:${slug}`
  const refusedTopic = `survey-refused:${slug}`
  let failuresInRow = 0
  let lastFailure: CallFailure | undefined

  /**
   * Counts failures that may be due to the content of the request. Rethrows the one that makes `failuresUntilPause` in a
   * row. Rethrows all other failures at once.
   */
  function pass(failure: unknown) {
    const isOfRecord = failure instanceof CallFailure && (failure.isFinal || failure.isServerError)
    if (!isOfRecord || ++failuresInRow >= failuresUntilPause) throw failure
    if (!failure.isFinal) lastFailure = failure
  }

  const refuse = (item: FinishedItem, refusal: Refusal) =>
    putInQueue([{ ...item, topic: refusedTopic, data: { ...item.data, refusal } }])

  /** Sends responses and returns the ids that stay in the queue. */
  async function sendAnswers(items: readonly FinishedItem[]): Promise<string[]> {
    const unsent = items.filter(({ data }) => !data.stored)
    const photosOnly = items.filter(({ data }) => data.stored).map(({ id }) => id)
    const [first] = unsent
    if (!first) return photosOnly
    let outcomes: ResponseOutcome[]
    try {
      outcomes = await postResponses(slug, unsent.map(sentResponseOf))
      failuresInRow = 0
    } catch (failure) {
      pass(failure)
      // One response may have spoiled the batch, so send each half alone.
      if (unsent.length > 1) {
        const middle = Math.ceil(unsent.length / 2)
        const ofFirstHalf = await sendAnswers(unsent.slice(0, middle))
        return [...photosOnly, ...ofFirstHalf, ...(await sendAnswers(unsent.slice(middle)))]
      }
      const { isFinal, code } = failure as CallFailure
      if (isFinal) await refuse(first, { part: 'answers', code, problems: [] })
      return [...photosOnly, first.id]
    }
    const staying: string[] = []
    const withPhotos: FinishedItem[] = []
    for (const item of unsent) {
      const outcome = outcomes.find(({ id }) => id === item.id)
      const isStored = outcome?.outcome === 'stored' || outcome?.outcome === 'known'
      if (outcome?.outcome === 'refused')
        await refuse(item, { part: 'answers', code: outcome.problems[0]?.code ?? '', problems: outcome.problems })
      if (isStored && item.data.photos.length > 0) withPhotos.push({ ...item, data: { ...item.data, stored: true } })
      if (!isStored || item.data.photos.length > 0) staying.push(item.id)
    }
    if (withPhotos.length > 0) await putInQueue(withPhotos)
    return [...photosOnly, ...staying]
  }

  /** Sends the photos of a stored response and returns the ids that stay in the queue. */
  async function sendPhotos([item]: readonly FinishedItem[]): Promise<string[]> {
    if (!item?.data.stored) return item ? [item.id] : []
    let { photos } = item.data
    for (const { id, photo } of photos) {
      try {
        await postPhoto(slug, item.id, id, photo)
        failuresInRow = 0
      } catch (failure) {
        pass(failure)
        const { isFinal, code } = failure as CallFailure
        if (isFinal) await refuse({ ...item, data: { ...item.data, photos } }, { part: 'photo', code, problems: [] })
        return [item.id]
      }
      photos = photos.filter((one) => one.id !== id)
      if (photos.length > 0) await putInQueue([{ ...item, data: { ...item.data, photos } }])
    }
    return []
  }

  return {
    topic,
    add: (id: string, data: FinishedAnswer) => addToQueue({ id, topic, owner, at: data.finishedAt, data }),
    count: async () => ({ waiting: await countQueued(owner, topic), refused: await countQueued(owner, refusedTopic) }),
    find: (id: string) => findQueued<FinishedAnswer>(id),
    waiting: () => queuedItems<FinishedAnswer>(owner, topic),
    refused: () => queuedItems<FinishedAnswer>(owner, refusedTopic),
    remove: (id: string) => removeFromQueue([id]),
    tryAgain: ({ data: { refusal: _, ...data }, ...item }: FinishedItem) => putInQueue([{ ...item, topic, data }]),
    /**
     * Sends waiting responses, then their photos. Rejects after a failure that is not final, or after
     * `failuresUntilPause` failures in a row.
     */
    async send(onProgress: () => void) {
      failuresInRow = 0
      lastFailure = undefined
      const part = { topic, owner, onRead: onProgress }
      const reporting = (send: typeof sendAnswers) => (items: readonly FinishedItem[]) =>
        send(items).finally(onProgress)
      await sendQueue<FinishedAnswer>({ ...part, batchSize: responsesPerCall, lanes: 2, send: reporting(sendAnswers) })
      await sendQueue<FinishedAnswer>({ ...part, batchSize: 1, send: reporting(sendPhotos) })
      onProgress()
      if (lastFailure) throw lastFailure
    },
  }
}
export type FinishedAnswers = ReturnType<typeof finishedAnswers>

const sentResponseOf = ({ id, data: { version, language, startedAt, finishedAt, answers } }: FinishedItem) => ({
  id,
  version,
  language,
  startedAt,
  finishedAt,
  answers,
})
