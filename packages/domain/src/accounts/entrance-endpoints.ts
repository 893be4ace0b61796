import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { signedIn } from './endpoints.ts'
import { newPasswordProblems } from './fields.ts'

const inputText = z.string().max(1000)

export const checkInvitation = endpoint({
  method: 'POST',
  path: '/auth/invitation/check',
  access: 'public',
  reads: true,
  summary: 'Whom the link of an invitation is for',
  body: z.strictObject({ token: inputText }),
  response: z.object({
    data: z.object({ name: z.string(), email: z.string(), role: z.string(), expiresAt: time }),
  }),
})

export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/auth/invitation',
  access: 'public',
  summary: 'Choose a password by the link of an invitation, and be signed in',
  body: z.strictObject({ token: inputText, password: inputText, password_confirmation: inputText }),
  rules: newPasswordProblems,
  response: signedIn,
})

export const endSeeAs = endpoint({
  method: 'POST',
  path: '/auth/see-as/end',
  access: 'signed-in',
  summary: 'Stop seeing the product as somebody else',
  response: z.object({ data: z.object({ accountId: z.uuid() }) }),
})
