import { newId } from '#web/offline/new-id.ts'
import { snapshotsIn } from '#web/offline/snapshots.ts'
import { readStored, writeStored } from '#web/ui/stored.ts'

/** Data the page keeps on the device. Signing out does not delete it: the answers belong to other people. */
export const surveySnapshots = snapshotsIn('pmb-survey')
const photoKey = (id: string) => `photo:${id}`

export type Draft = {
  /** Id of the future response. */
  id: string
  startedAt: string
  /** Time of the last change, in milliseconds since 1970. */
  touchedAt: number
  answers: Record<string, unknown>
  schoolNames: Record<string, string>
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

/** Unfinished answers of a survey, kept across reloads. */
export function draftOf(slug: string) {
  const key = `survey-draft:${slug}`
  const isPhoto = (answer: unknown): answer is { id: string } =>
    typeof answer === 'object' && answer !== null && Object.keys(answer).join() === 'id'
  return {
    read: (): Draft | null => readStored<Draft>('localStorage', key),
    start: (): Draft => ({
      id: newId(),
      startedAt: new Date().toISOString(),
      touchedAt: Date.now(),
      answers: {},
      schoolNames: {},
    }),
    write: (draft: Draft) => void writeStored('localStorage', key, draft),
    /** Deletes the draft and its photos; finished answers have their own copies. */
    clear(draft: Draft) {
      writeStored('localStorage', key, null)
      for (const answer of Object.values(draft.answers)) if (isPhoto(answer)) photos.drop(answer.id)
    },
  }
}
