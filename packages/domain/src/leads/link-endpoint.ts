import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'

export const openLeadLink = endpoint({
  method: 'POST',
  path: '/marketing/prospek/link',
  access: 'public',
  summary:
    "Data behind a lead's link: the first name and, with the last four digits of the phone, what fills the sign-up form",
  body: z.strictObject({
    token: z.string().max(80),
    digits: z
      .string()
      .regex(/^\d{4}$/)
      .optional(),
  }),
  response: z.object({
    data: z.object({
      firstName: z.string(),
      /** Whether the page can ask for digits. */
      hasPhone: z.boolean(),
      /** Code of the affiliate who brought the person. */
      ref: z.string().nullable(),
      known: z.object({ name: z.string(), phone: z.string().nullable(), email: z.string().nullable() }).nullable(),
    }),
  }),
})
