import { useCallback, useLayoutEffect, useMemo, useReducer } from 'preact/hooks'
import type { Answers } from '#domain/surveys/definition.ts'
import type { OpenSurvey } from '#domain/surveys/public-endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { newId } from '#web/offline/new-id.ts'
import { CallFailure, fetchSurvey } from './api.ts'
import { draftOf, newDraft, photos, surveySnapshots } from './draft.ts'
import type { FinishedAnswers } from './finished-answers.ts'
import type { OnAnswer } from './form/survey-form.tsx'
import { kioskTimes } from './kiosk.tsx'
import { nextState, startState } from './page-state.ts'

/** How long to wait for the newest version if the device already has a copy of the survey. */
const maxWaitMs = 4_000

/** State of the public page, with functions that change it. */
export function useSurvey(slug: string, finished: FinishedAnswers, isKiosk: boolean) {
  const drafts = useMemo(() => draftOf(slug), [slug])
  const [state, dispatch] = useReducer(nextState, isKiosk, (startsAsKiosk) => {
    const stored = drafts.read()
    const isForgotten = stored && startsAsKiosk && Date.now() - stored.touchedAt > kioskTimes.idle
    if (isForgotten) drafts.clear(stored)
    return startState(stored && !isForgotten ? stored : newDraft())
  })
  const { survey, draft } = state

  // Store the draft before painting, because the page may be closed right after a key press.
  useLayoutEffect(() => {
    if (draft.touchedAt > 0) drafts.write(draft)
  }, [drafts, draft])

  /** Reads the survey. Falls back to the copy on this device, but not after a 404. */
  const read = useCallback(async () => {
    const key = `survey:${slug}`
    const snapshot = await surveySnapshots.find<OpenSurvey>(key).catch(() => undefined)
    try {
      const atMs = Date.now()
      const newest = await fetchSurvey(slug, snapshot ? maxWaitMs : 30_000)
      dispatch({ type: 'read', survey: newest, atMs })
      await surveySnapshots.keep(key, newest).catch(() => {})
    } catch (error) {
      const status = error instanceof CallFailure ? error.status : undefined
      const [isMissing, isCutOff] = [status === 404, status === 0]
      dispatch({ type: 'unread', isMissing, isCutOff, storedSurvey: snapshot?.data, atMs: Date.now() })
    }
  }, [slug])

  const answer = useCallback<OnAnswer>((...change) => dispatch({ type: 'answered', change, atMs: Date.now() }), [])
  const connected = useCallback(() => dispatch({ type: 'connected' }), [])

  /**
   * Stores the finished response on the device, to be sent later. Returns false if the device could not store the
   * response.
   */
  async function finish(answers: Answers, language: Language): Promise<boolean> {
    const { version, definition } = survey!
    // If another tab has finished this draft, that response already has the draft's id.
    const id = drafts.read()?.id === draft.id ? draft.id : newId()
    const photoIds = definition.questions
      .filter(({ kind, key }) => kind === 'photo' && answers[key])
      .map(({ key }) => (answers[key] as { id: string }).id)
    try {
      const found = await Promise.all(
        photoIds.map(async (photoId) => ({ id: photoId, photo: await photos.find(photoId) })),
      )
      await finished.add(id, {
        version: version ?? 1,
        language,
        startedAt: draft.startedAt,
        finishedAt: new Date().toISOString(),
        answers,
        photos: found.filter((one): one is { id: string; photo: Blob } => one.photo !== undefined),
      })
    } catch {
      dispatch({ type: 'not-kept' })
      return false
    }
    drafts.clear(draft)
    dispatch({ type: 'finished', id, nextDraft: newDraft() })
    return true
  }

  /** Shows an empty form and reads the newest version of the survey. */
  const startOver = useCallback(() => {
    drafts.clear(draft)
    dispatch({ type: 'restarted', nextDraft: newDraft(), atMs: Date.now() })
    void read()
  }, [drafts, draft, read])

  return { state, read, answer, connected, finish, startOver }
}
