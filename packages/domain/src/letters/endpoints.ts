import { z } from 'zod'
import { endpoint, type Problem } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import {
  factsIn,
  type LetterAudience,
  letterAudiences,
  letterNumberProblem,
  letterStates,
  unknownInLetter,
} from './letter-texts.ts'

const byId = z.object({ id: z.uuid() })
const line = (max: number) => typedLine().min(1).max(max)
const optionalLine = (max: number) => typedLine().max(max)

const content = {
  nameEn: line(120),
  nameId: line(120),
  /** Cannot change after creation. */
  audience: z.enum(letterAudiences),
  active: z.boolean(),
  /** Whether applicants issue letters of the kind themselves. */
  selfService: z.boolean(),
  titleEn: line(120),
  titleId: line(120),
  bodyEn: line(8000),
  bodyId: line(8000),
  numberTemplate: line(60),
  /** Empty: the signatory from the settings. */
  signatoryName: optionalLine(100),
  signatoryTitle: optionalLine(100),
  /** Null: never expires. */
  validDays: z.int().min(1).max(3650).nullable(),
}

/** Facts that only accepted applicants have. */
const afterAcceptance: readonly string[] = ['programme', 'faculty', 'confirmation']

function problemOfText(text: string | undefined, audience: LetterAudience | undefined): Problem | null {
  if (text === undefined) return null
  const unknown = unknownInLetter(text)
  if (unknown) return { code: 'letter_placeholder_unknown', params: { placeholder: unknown } }
  const early = audience === 'registered' && factsIn(text).find((name) => afterAcceptance.includes(name))
  return early ? { code: 'placeholder_too_early', params: { placeholder: `{{${early}}}` } } : null
}

type Typed = Partial<Record<'titleEn' | 'titleId' | 'bodyEn' | 'bodyId' | 'numberTemplate', string>> & {
  audience?: LetterAudience
}

const rules = ({ titleEn, titleId, bodyEn, bodyId, numberTemplate, audience }: Typed) => ({
  titleEn: problemOfText(titleEn, audience),
  titleId: problemOfText(titleId, audience),
  bodyEn: problemOfText(bodyEn, audience),
  bodyId: problemOfText(bodyId, audience),
  numberTemplate: numberTemplate === undefined ? null : (letterNumberProblem(numberTemplate) ?? null),
})

const letterKind = z.object({
  id: z.uuid(),
  version: z.int(),
  code: z.string(),
  ...content,
  /** URL of the signature's picture, for this reader. */
  signatureUrl: z.string().nullable(),
  /** Current version of the text, and when it was saved. */
  templateVersion: z.int(),
  templateAt: time,
  letters: z.int(),
})
export type LetterKind = z.output<typeof letterKind>
const kindAnswer = z.object({ data: letterKind })

export const readLetterKind = endpoint({
  method: 'GET',
  path: '/surat/:id',
  access: 'surat-view',
  summary: 'A kind of letter with its current text',
  params: byId,
  response: kindAnswer,
})

export const createLetterKind = endpoint({
  method: 'POST',
  path: '/surat',
  access: 'surat-create',
  shared: 'shared_needs_whole_view',
  summary: 'Add a kind of letter',
  body: z.strictObject({
    code: typedLine()
      .max(20)
      .regex(/^[a-z0-9][a-z0-9-]*$/),
    ...content,
  }),
  rules,
  response: kindAnswer,
})

export const updateLetterKind = endpoint({
  method: 'PUT',
  path: '/surat/:id',
  access: 'surat-update',
  shared: 'shared_needs_whole_view',
  summary: 'Change a kind of letter; issued letters keep their text',
  params: byId,
  body: z.strictObject({ version: z.int().min(1), ...content }),
  rules,
  response: kindAnswer,
})

export const uploadLetterSignature = endpoint({
  method: 'POST',
  path: '/surat/:id/signature',
  access: 'surat-update',
  shared: 'shared_needs_whole_view',
  summary: 'Send the picture of the signature (multipart, field `file`)',
  params: byId,
  upload: true,
  response: kindAnswer,
})

export const removeLetterSignature = endpoint({
  method: 'DELETE',
  path: '/surat/:id/signature',
  access: 'surat-update',
  shared: 'shared_needs_whole_view',
  summary: 'Remove the picture of the signature',
  params: byId,
  response: kindAnswer,
})

const letter = z.object({
  id: z.uuid(),
  number: z.string(),
  language: z.enum(languages),
  state: z.enum(letterStates),
  issuedAt: time,
  validUntil: z.string().nullable(),
  withdrawnReason: z.string().nullable(),
})

const lettersOfRegistration = z.object({
  kinds: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      selfService: z.boolean(),
      /** Why no letter of the kind can be issued now; null if one can. */
      refusal: z.string().nullable(),
      letters: z.array(letter),
    }),
  ),
})
export type LettersOfRegistration = z.output<typeof lettersOfRegistration>

export const listLettersOfRegistration = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/surat',
  access: 'surat-view',
  summary: 'Letters of a registration, and the kinds that can be issued',
  params: byId,
  response: z.object({ data: lettersOfRegistration }),
})

export const issueLetter = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/surat',
  access: 'surat-create',
  summary: 'Issue a letter; a valid one with the same facts and text is returned instead',
  params: byId,
  body: z.strictObject({ kindId: z.uuid(), language: z.enum(languages) }),
  response: z.object({ data: letter }),
})

export const listOwnLetters = endpoint({
  method: 'GET',
  path: '/account/letters/:id',
  access: 'signed-in',
  summary: "The applicant's valid letters, and the kinds they can issue themselves",
  params: byId,
  response: z.object({ data: lettersOfRegistration }),
})

export const takeOwnLetter = endpoint({
  method: 'POST',
  path: '/account/letters/:id',
  access: 'signed-in',
  summary: 'Issue a letter as the applicant, if its kind allows it',
  params: byId,
  body: z.strictObject({ kindId: z.uuid(), language: z.enum(languages) }),
  response: z.object({ data: letter }),
})

export const downloadOwnLetter = endpoint({
  method: 'GET',
  path: '/account/letters/:id/:letterId/file.pdf',
  access: 'signed-in',
  summary: "File of the applicant's own valid letter (PDF), the same bytes every time",
  params: z.object({ id: z.uuid(), letterId: z.uuid() }),
  response: z.any(),
})

export const downloadLetter = endpoint({
  method: 'GET',
  path: '/surat/terbit/:id/file.pdf',
  access: 'surat-view',
  summary: 'File of a letter (PDF), the same bytes every time',
  params: byId,
  response: z.any(),
})

export const withdrawLetter = endpoint({
  method: 'POST',
  path: '/surat/terbit/:id/withdraw',
  access: 'surat-update',
  summary: 'Withdraw a letter; its number is never used again',
  params: byId,
  body: z.strictObject({ reason: typedText().min(3).max(500) }),
  response: z.object({ data: letter }),
})
