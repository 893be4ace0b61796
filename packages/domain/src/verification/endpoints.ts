import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'

/**
 * `expired` by date; `void` if the registration no longer allows the printed claim; `changed` if the registration's
 * data differ now.
 */
export const verificationStates = ['valid', 'replaced', 'withdrawn', 'expired', 'void', 'changed'] as const
export type VerificationState = (typeof verificationStates)[number]

/** Progress of a registration without its result: `announced` covers all results, `ended` all ends. */
export const publicStages = ['payment', 'documents', 'selection', 'announced', 'ended'] as const
export type PublicStage = (typeof publicStages)[number]

const shared = {
  state: z.enum(verificationStates),
  initials: z.string(),
  programme: z.string().nullable(),
}

const verifiedDocument = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('registration-card'),
    ...shared,
    code: z.string(),
    wave: z.string(),
    /** Null unless the university makes stages public. */
    stage: z.enum(publicStages).nullable(),
  }),
  z.object({
    kind: z.literal('letter'),
    ...shared,
    number: z.string(),
    title: z.string(),
    wave: z.string(),
    issuedAt: time,
    /** Last day; null if unlimited. */
    validUntil: z.string().nullable(),
  }),
  z.object({ kind: z.literal('student-card'), ...shared }),
])
export type VerifiedDocument = z.output<typeof verifiedDocument>

/**
 * Target of the QR code on registration cards, letters and student cards; the code is signed, so it cannot be guessed.
 */
export const verifyDocument = endpoint({
  method: 'GET',
  path: '/verifikasi/:code',
  access: 'public',
  summary: 'Check a registration card, a letter or a student card by the code printed on it',
  params: z.object({ code: z.string().min(8).max(80) }),
  response: z.object({ data: verifiedDocument }),
})
