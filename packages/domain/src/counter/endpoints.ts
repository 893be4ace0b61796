import { z } from 'zod'
import { emailProblem, nameProblem, phoneProblem, problemIfSent } from '#domain/accounts/fields.ts'
import { createRegistration } from '#domain/admissions/endpoints.ts'
import { profileProblems } from '#domain/applicants/profile-problems.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine } from '#entities/define/typed-text.ts'

const typed = typedLine().max(254)

const identity = {
  email: typed.nullable().default(null),
  phone: typed.nullable().default(null),
  nik: typed.nullable().default(null),
}

type Identity = { email?: string | null; phone?: string | null; nik?: string | null }

/** A person without an e-mail address is found again by phone. */
const identityProblems = ({ email, phone, nik }: Identity, now: Date): Problems => ({
  email: email ? emailProblem(email) : null,
  phone: phone || !email ? phoneProblem(phone ?? '') : null,
  ...profileProblems({ nik: nik ?? null }, now),
})

/** A person with the same e-mail address, phone or NIK. Contacts are masked. */
export const knownPerson = z.object({
  accountId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  matches: z.array(z.enum(['email', 'phone', 'nik'])),
  registrations: z.array(z.object({ id: z.uuid(), code: z.string(), wave: z.string(), track: z.string() })),
})
export type KnownPerson = z.output<typeof knownPerson>

export const registerAtCounter = endpoint({
  method: 'POST',
  path: '/pendaftaran/counter',
  access: 'pendaftaran-counter',
  summary: 'Open an account and a registration for somebody at the counter; 409 `person_known` names who it may be',
  body: z.strictObject({
    name: typed,
    ...identity,
    language: z.enum(languages).default('id'),
    /** Account of the known person named by the 409. */
    accountId: z.uuid().nullable().default(null),
    /** The clerk has checked the people with the same phone: none of them is this person. */
    isAnotherPerson: z.boolean().default(false),
    ...createRegistration.body.pick({
      waveId: true,
      trackId: true,
      entryLevelId: true,
      classProgrammeId: true,
      choices: true,
      donationAmount: true,
    }).shape,
  }),
  rules: ({ name, ...body }: Identity & { name?: string }, now) => ({
    name: problemIfSent(name, nameProblem),
    ...identityProblems(body, now),
  }),
  response: z.object({ data: z.object({ id: z.uuid() }) }),
})

export const downloadSheet = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/sheet.pdf',
  access: 'pendaftaran-counter',
  summary:
    'Registration sheet to sign (PDF); with a new link for choosing a password if the account has no e-mail address',
  params: z.object({ id: z.uuid() }),
  query: z.object({ language: z.enum(languages).optional() }),
  response: z.any(),
})
