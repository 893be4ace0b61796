import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'

export const readOwnLead = endpoint({
  method: 'GET',
  path: '/account/prospek',
  access: 'signed-in',
  summary: "The reader's data as a lead, to fill an empty profile; null for accounts without a lead",
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
