import { countedOutcomes } from '#domain/door/attendance.ts'

export const eventKinds = ['school_visit', 'open_day', 'try_out', 'other'] as const
export type EventKind = (typeof eventKinds)[number]

export const eventStatuses = ['draft', 'published', 'closed', 'cancelled'] as const
export type EventStatus = (typeof eventStatuses)[number]

export const eventSteps = ['publish', 'close', 'cancel'] as const
export type EventStep = (typeof eventSteps)[number]

/** From which statuses each step is allowed, and the status it leads to. */
export const eventTransitions = {
  publish: { from: ['draft', 'closed'], to: 'published' },
  close: { from: ['published'], to: 'closed' },
  cancel: { from: ['draft', 'published', 'closed'], to: 'cancelled' },
} as const satisfies Record<EventStep, { from: readonly EventStatus[]; to: EventStatus }>

export const visitorStates = ['registered', 'waiting', 'cancelled'] as const
export type VisitorState = (typeof visitorStates)[number]

export const grades = ['X', 'XI', 'XII', 'graduate', 'other'] as const

export const materialAudiences = ['visitors', 'staff'] as const

/** Last part of a public page's URL. */
export const slugPattern = /^[a-z0-9]+(-[a-z0-9]+)*$/

/** Whether visitors can register now, or why not. */
export const registrationStates = ['open', 'not_yet', 'closed', 'over', 'cancelled'] as const
export type RegistrationState = (typeof registrationStates)[number]

type Window = {
  status: EventStatus
  registrationOpens: Date
  registrationCloses: Date
  sessions: readonly { startsAt: Date; endsAt: Date }[]
}

export function registrationStateOf(
  { status, registrationOpens, registrationCloses, sessions }: Window,
  now: Date,
): RegistrationState {
  if (status === 'cancelled') return 'cancelled'
  if (sessions.every(({ endsAt }) => endsAt <= now)) return 'over'
  if (status !== 'published' || registrationCloses <= now) return 'closed'
  if (sessions.every(({ startsAt }) => startsAt <= now)) return 'closed'
  return registrationOpens > now ? 'not_yet' : 'open'
}

/** Steps of an event's funnel, from invitation to enrolment. */
export const funnelSteps = [
  'invited',
  'registered',
  'attended',
  'lead',
  'account',
  'registration',
  'paid',
  'enrolled',
] as const
export type FunnelStep = (typeof funnelSteps)[number]

export const scanKinds = ['arrive', 'cancel'] as const

/** Results of a scan; only the counted ones are a check-in. */
export const scanOutcomes = [...countedOutcomes, 'other_session', 'cancelled', 'unknown_ticket'] as const
export type ScanOutcome = (typeof scanOutcomes)[number]

/** Hours before the start when visitors are reminded. */
export const reminderHours = 24
