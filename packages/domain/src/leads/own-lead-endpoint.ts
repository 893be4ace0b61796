import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'

export const readOwnLead = endpoint({
  method: 'GET',
  path: '/account/prospek',
  access: 'signed-in',
  summary: 'What the reader gave as a lead, for a profile that is still empty; null for accounts without a lead',
  response: z.object({
    data: z
      .object({
        birthDate: z.string().nullable(),
        school: z
          .object({
            id: z.uuid(),
            name: z.string(),
            npsn: z.string(),
            city: z.string(),
            verified: z.boolean(),
            schoolTypeId: z.uuid(),
          })
          .nullable(),
      })
      .nullable(),
  }),
})
