import { z } from 'zod'
import { time } from '#entities/define/answer-time.ts'

const text = z.string().nullable()
const when = time.nullable()
const rupiah = z.int()
const named = z.object({ id: z.uuid(), code: z.string(), name: z.string() })

/** Whether registration is possible later, now, or no longer. */
export const windowStates = ['upcoming', 'open', 'closed'] as const
export type WindowState = (typeof windowStates)[number]

export const windowDates = {
  opensAt: time,
  closesAt: time,
  paymentDueAt: when,
  resultsAt: when,
  confirmationDueAt: when,
}

export const requirement = z.object({
  id: z.uuid(),
  name: z.string(),
  required: z.boolean(),
  acceptedTypes: z.array(z.string()),
  maxMb: z.int(),
  mayDefer: z.boolean(),
})

export const donationRule = z.object({
  required: z.boolean(),
  minimumAmount: rupiah,
  suggestedAmounts: z.array(rupiah),
})

/** A study programme in one wave, class programme and entry level. */
export const offeredProgramme = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  nameEn: text,
  facultyName: z.string(),
  degreeLevel: z.string(),
  accreditation: text,
  entryLevelId: z.uuid(),
  capacity: z.int(),
  /** Free seats; accepted, confirmed and enrolled applicants occupy one. */
  placesLeft: z.int(),
})

export const intakeTrack = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  kind: z.string(),
  description: text,
  hasTest: z.boolean(),
  freeOfFee: z.boolean(),
  maxChoices: z.int(),
  asksDonation: z.boolean(),
  state: z.enum(windowStates),
  /** One row per entry level of the track. */
  windows: z.array(
    z.object({ entryLevelId: z.uuid(), entryLevelName: z.string(), state: z.enum(windowStates), ...windowDates }),
  ),
  /** Lowest and highest registration fee over entry levels and class programmes. */
  fee: z.object({ minimum: rupiah, maximum: rupiah }),
  requirements: z.array(requirement),
  tests: z.array(z.object({ id: z.uuid(), name: z.string(), kind: z.string() })),
})
export type IntakeTrack = z.output<typeof intakeTrack>

export const intakeWave = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  academicYear: z.string(),
  opensAt: time,
  closesAt: time,
  resultsAt: when,
  confirmationDueAt: when,
  state: z.enum(windowStates),
  tracks: z.array(intakeTrack),
  classProgrammes: z.array(
    z.object({
      id: z.uuid(),
      code: z.string(),
      name: z.string(),
      description: text,
      programmes: z.array(offeredProgramme),
    }),
  ),
})
export type IntakeWave = z.output<typeof intakeWave>

/** Everything the form of a new registration offers for one wave and track. */
export const intakeChoices = z.object({
  wave: named.extend({ academicYear: z.string() }),
  track: named.extend({
    kind: z.string(),
    description: text,
    hasTest: z.boolean(),
    maxChoices: z.int(),
    asksDonation: z.boolean(),
  }),
  requirements: z.array(requirement),
  entryLevels: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      state: z.enum(windowStates),
      ...windowDates,
      classProgrammes: z.array(
        z.object({
          id: z.uuid(),
          code: z.string(),
          name: z.string(),
          description: text,
          fee: rupiah,
          programmes: z.array(offeredProgramme.extend({ donation: donationRule.nullable() })),
        }),
      ),
    }),
  ),
})
export type IntakeChoices = z.output<typeof intakeChoices>
