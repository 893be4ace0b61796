import { newId } from '#web/offline/new-id.ts'
import { snapshotsIn } from '#web/offline/snapshots.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'
import { type AnswerSheet, emptySheet } from './form/answer-sheet.ts'

/**
 * Surveys and photos kept on the device. Signing out does not delete them, because the photos may be answers of other
 * people.
 */
export const surveySnapshots = snapshotsIn('pmb-survey')
const photoKey = (id: string) => `photo:${id}`

export type Draft = AnswerSheet & {
  /**
   * Becomes the id of the response if localStorage still holds this draft when the form is sent. Otherwise the response
   * gets a new id, because another tab may have finished the draft.
   */
  id: string
  startedAt: string
  /** Time of the last change, in milliseconds since 1970. 0 before the first. */
  touchedAt: number
}

export const photos = {
  async keep(photo: Blob) {
    const id = newId()
    await surveySnapshots.keep(photoKey(id), photo)
    return id
  },
  find: async (id: string) => (await surveySnapshots.find<Blob>(photoKey(id)))?.data,
  drop: (id: string) => void surveySnapshots.forget(photoKey(id)).catch(() => {}),
}

export const newDraft = (): Draft => ({ ...emptySheet, id: newId(), startedAt: new Date().toISOString(), touchedAt: 0 })

const isPhoto = (answer: unknown): answer is { id: string } =>
  typeof answer === 'object' && answer !== null && Object.keys(answer).join() === 'id'

/** Reads, writes and clears the unfinished answers of a survey, which survive a reload. */
export function draftOf(slug: string) {
  const key = `survey-draft:${slug}`
  return {
    read: (): Draft | null => readStored<Draft>('localStorage', key),
    write: (draft: Draft) => void writeStored('localStorage', key, draft),
    /** Deletes the draft and its photos. Finished answers have their own copies of the photos. */
    clear(draft: Draft) {
      writeStored('localStorage', key, null)
      for (const answer of Object.values(draft.answers)) if (isPhoto(answer)) photos.drop(answer.id)
    },
  }
}
