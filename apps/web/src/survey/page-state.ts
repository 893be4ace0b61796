import type { OpenSurvey } from '#domain/surveys/public-endpoints.ts'
import type { Draft } from './draft.ts'
import { withAnswer } from './form/answer-sheet.ts'

export type PageState = {
  survey: OpenSurvey | null
  /** Why the last read failed. Not shown if the page already has a survey. */
  failure: 'missing' | 'unreachable' | null
  /** Why the survey takes no responses. Decided when a form opens, because a form in use must stay open. */
  refusal: OpenSurvey['refusal']
  /** Milliseconds by which the server's clock is ahead of the device's clock. */
  offsetMs: number
  /**
   * Whether the server seems out of reach. `navigator.onLine` is not enough, because a network may have no internet.
   */
  isCutOff: boolean
  draft: Draft
  /** Whether the device failed to store the finished response. */
  isNotKept: boolean
  /** Id of the response just finished, while the thank-you screen is shown. */
  thankedFor: string | null
}

/** `atMs` comes from the device's clock. */
export type PageEvent =
  | { type: 'read'; survey: OpenSurvey; atMs: number }
  | { type: 'unread'; isMissing: boolean; isCutOff: boolean; storedSurvey: OpenSurvey | undefined; atMs: number }
  | { type: 'connected' }
  | { type: 'answered'; change: [question: string, answer: unknown, schoolName?: string]; atMs: number }
  | { type: 'not-kept' }
  | { type: 'finished'; id: string; nextDraft: Draft }
  | { type: 'restarted'; nextDraft: Draft; atMs: number }

export const startState = (draft: Draft): PageState => ({
  survey: null,
  failure: null,
  refusal: null,
  offsetMs: 0,
  isCutOff: false,
  draft,
  isNotKept: false,
  thankedFor: null,
})

/** Whether the form on the screen has answers. */
export const hasAnswers = ({ draft, thankedFor }: PageState) => !thankedFor && Object.keys(draft.answers).length > 0

export function nextState(state: PageState, event: PageEvent): PageState {
  switch (event.type) {
    case 'read': {
      const read = { ...state, offsetMs: Date.parse(event.survey.now) - event.atMs, failure: null, isCutOff: false }
      // Questions must not change while someone answers them.
      return state.survey && hasAnswers(state) ? read : opened({ ...read, survey: event.survey }, event.atMs)
    }
    case 'unread': {
      const { isMissing, isCutOff, storedSurvey = null, atMs } = event
      const unread = { ...state, failure: isMissing ? 'missing' : 'unreachable', isCutOff } as const
      return state.survey || isMissing ? unread : opened({ ...unread, survey: storedSurvey }, atMs)
    }
    case 'connected':
      return { ...state, isCutOff: false }
    case 'answered':
      return {
        ...state,
        draft: { ...withAnswer(state.draft, ...event.change), touchedAt: event.atMs },
        isNotKept: false,
      }
    case 'not-kept':
      return { ...state, isNotKept: true }
    case 'finished':
      return { ...state, draft: event.nextDraft, isNotKept: false, thankedFor: event.id }
    case 'restarted':
      return opened({ ...state, draft: event.nextDraft, isNotKept: false, thankedFor: null }, event.atMs)
  }
}

/**
 * Opens a form and decides whether the survey takes responses. Checks the link's end here because `refusal` may be
 * outdated on an offline device.
 */
function opened(state: PageState, nowMs: number): PageState {
  const { refusal = null, endsAt = null } = state.survey ?? {}
  const hasEnded = endsAt !== null && nowMs + state.offsetMs > Date.parse(endsAt)
  return { ...state, refusal: refusal ?? (hasEnded ? 'survey_link_ended' : null) }
}
