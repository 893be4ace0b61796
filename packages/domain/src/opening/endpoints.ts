import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedText } from '#entities/define/typed-text.ts'
import { checklistLineNames, gapCodes, lineStates } from './checklist.ts'
import { startingKinds } from './starting-kinds.ts'

const reason = typedText().min(5).max(500)

const gap = z.object({
  code: z.enum(gapCodes),
  /** Placeholders of the code's sentence. */
  params: z.record(z.string(), z.string()),
  /** Page on which the gap can be closed; null if the setting has no page. */
  to: z.string().nullable(),
})
export type Gap = z.output<typeof gap>

const line = z.object({
  line: z.enum(checklistLineNames),
  state: z.enum(lineStates),
  /** At most `shownGaps`. */
  gaps: z.array(gap),
  gapCount: z.int(),
  waiver: z.object({ reason: z.string(), at: time, by: z.string() }).nullable(),
})
export type Line = z.output<typeof line>

/** Gaps of a line that are listed by name. */
export const shownGaps = 20

const opening = z.object({
  open: z.boolean(),
  opened: z.object({ at: time, by: z.string().nullable() }).nullable(),
  closed: z.object({ at: time, by: z.string(), reason: z.string() }).nullable(),
  lines: z.array(line),
})
export type Opening = z.output<typeof opening>
const openingAnswer = z.object({ data: opening })

export const readOpening = endpoint({
  method: 'GET',
  path: '/settings/opening',
  access: 'settings-opening-view',
  summary: 'Whether registration is open, and what the university lacks for it',
  response: openingAnswer,
})

export const openRegistration = endpoint({
  method: 'POST',
  path: '/settings/opening/open',
  access: 'settings-opening-update',
  summary: 'Open registration; refused while a line that must be there is missing',
  response: openingAnswer,
})

export const closeRegistration = endpoint({
  method: 'POST',
  path: '/settings/opening/close',
  access: 'settings-opening-update',
  summary: 'Close registration: nobody can sign up or apply until it is opened again',
  body: z.strictObject({ reason }),
  response: openingAnswer,
})

const lineName = z.enum(checklistLineNames)

export const waiveLine = endpoint({
  method: 'POST',
  path: '/settings/opening/waive',
  access: 'settings-opening-update',
  summary: 'Do without an advisable line, with a reason',
  body: z.strictObject({ line: lineName, reason }),
  response: openingAnswer,
})

export const unwaiveLine = endpoint({
  method: 'POST',
  path: '/settings/opening/unwaive',
  access: 'settings-opening-update',
  summary: 'Remove a waiver',
  body: z.strictObject({ line: lineName }),
  response: openingAnswer,
})

const text = z.object({ en: z.string(), id: z.string() })

const startingRow = z.object({
  key: z.string(),
  title: text,
  note: text.nullable(),
  exists: z.boolean(),
  /** Key of the row this one depends on, which must exist or be chosen too. */
  needs: z.string().nullable(),
})
export type StartingRow = z.output<typeof startingRow>

const startingSet = z.array(
  z.object({ kind: z.enum(startingKinds), missingPermission: z.string().nullable(), rows: z.array(startingRow) }),
)
export type StartingSection = z.output<typeof startingSet>[number]
const startingSetAnswer = z.object({ data: startingSet })

export const readStartingSet = endpoint({
  method: 'GET',
  path: '/settings/opening/starting-set',
  access: 'settings-opening-view',
  summary: 'Reference data an Indonesian university may begin with, and which of it exists',
  response: startingSetAnswer,
})

export const addStartingSet = endpoint({
  method: 'POST',
  path: '/settings/opening/starting-set',
  access: 'settings-opening-update',
  summary: 'Add chosen rows of the starting set; rows that exist are left as they are',
  body: z.strictObject({ keys: z.array(z.string().max(200)).min(1).max(500) }),
  response: z.object({ data: z.object({ added: z.int(), sections: startingSet }) }),
})
