import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { languages } from '#entities/define/language.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { signedIn } from './endpoints.ts'
import { newAccountProblems } from './fields.ts'

/** Minutes until an address printed on the server expires. */
export const setupMinutes = 60

const inputText = z.string().max(1000)

export const checkSetup = endpoint({
  method: 'POST',
  path: '/auth/setup/check',
  access: 'public',
  reads: true,
  summary: 'Whom the address printed on the server makes an administrator',
  body: z.strictObject({ token: inputText }),
  response: z.object({
    data: z.object({
      /** Null for the first administrator, who types it. */
      email: z.string().nullable(),
      /** Name of the account that already has the e-mail address. */
      name: z.string().nullable(),
      expiresAt: time,
    }),
  }),
})

export const becomeAdministrator = endpoint({
  method: 'POST',
  path: '/auth/setup',
  access: 'public',
  summary: 'Become an administrator by the address printed on the server, and be signed in to set up the second factor',
  body: z.strictObject({
    token: inputText,
    name: typedLine().max(1000),
    email: inputText,
    password: inputText,
    password_confirmation: inputText,
    language: z.enum(languages),
  }),
  rules: newAccountProblems,
  response: signedIn,
})
