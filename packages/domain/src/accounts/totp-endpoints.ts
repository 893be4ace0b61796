import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { codeProblems } from './fields.ts'

const inputText = z.string().max(1000)

const totpState = z.object({
  data: z.object({
    on: z.boolean(),
    since: time.nullable(),
    /** Required by the role or an administrator, so it cannot be turned off. */
    required: z.boolean(),
    recoveryCodesLeft: z.int(),
  }),
})

const recoveryCodes = z.object({ data: z.object({ recoveryCodes: z.array(z.string()) }) })

export const readTotp = endpoint({
  method: 'GET',
  path: '/account/totp',
  access: 'signed-in',
  summary: 'Whether signing in asks for a second factor',
  response: totpState,
})

export const startTotp = endpoint({
  method: 'POST',
  path: '/account/totp',
  access: 'signed-in',
  summary: 'Make a new key for an authenticator app; it counts once confirmed with a code within half an hour',
  response: z.object({
    data: z.object({
      /** Secret in groups of four, for typing. */
      key: z.string(),
      /** URI that opens an authenticator app on the same device. */
      uri: z.string(),
      /** The URI as a QR code of `size` × `size` modules, dark ones as an SVG path. */
      qr: z.object({ size: z.int(), path: z.string() }),
    }),
  }),
})

export const confirmTotp = endpoint({
  method: 'POST',
  path: '/account/totp/confirm',
  access: 'signed-in',
  summary: 'Turn two-factor sign-in on with a code of the new key; the recovery codes are shown this once',
  body: z.strictObject({ code: inputText }),
  rules: codeProblems,
  response: recoveryCodes,
})

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: '/account/totp/recovery-codes',
  access: 'signed-in',
  summary: 'Replace the recovery codes; the old ones stop working',
  body: z.strictObject({ password: inputText.optional(), code: inputText }),
  rules: codeProblems,
  response: recoveryCodes,
})

export const endTotp = endpoint({
  method: 'POST',
  path: '/account/totp/off',
  access: 'signed-in',
  summary: 'Turn two-factor sign-in off, with password and code',
  body: z.strictObject({ password: inputText.optional(), code: inputText }),
  rules: codeProblems,
  response: totpState,
})
