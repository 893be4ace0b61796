import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'

const ofBank = { params: z.object({ code: z.string().max(20) }), response: z.any() }

export const askToken = endpoint({
  method: 'POST',
  path: '/snap/:code/v1.0/access-token/b2b',
  access: 'public',
  summary: 'SNAP 73: a bank asks for a token, with a request signed by its private key',
  ...ofBank,
})

export const inquireNumber = endpoint({
  method: 'POST',
  path: '/snap/:code/v1.0/transfer-va/inquiry',
  access: 'public',
  summary: 'SNAP 24: a bank asks about a virtual account, signed',
  ...ofBank,
})

export const reportPayment = endpoint({
  method: 'POST',
  path: '/snap/:code/v1.0/transfer-va/payment',
  access: 'public',
  summary: 'SNAP 25: a bank reports a payment, signed',
  ...ofBank,
})
