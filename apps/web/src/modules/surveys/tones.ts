import type { LinkState, SurveyState } from '#domain/surveys/surveys.ts'
import type { Tone } from '#web/ui/text/status-dot.tsx'

export const surveyTones: Record<SurveyState, Tone> = { draft: 'waiting', open: 'progress', closed: 'done' }
export const linkTones: Record<LinkState, Tone> = { open: 'progress', full: 'done', ended: 'done', closed: 'stopped' }
