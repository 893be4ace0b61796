import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedText } from '#entities/define/typed-text.ts'
import { requestStatuses } from './lists.ts'
import { programmeChangePreview, readChangeTargets } from './programme-change-endpoints.ts'

const byId = z.object({ id: z.uuid() })
const reason = typedText().min(5).max(500)
const target = { programmeId: z.uuid(), classProgrammeId: z.uuid() }
const requestId = z.object({ data: z.object({ id: z.uuid() }) })

export const readProgrammeRequest = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/programme-request',
  access: 'pindah-prodi-view',
  summary: 'Where an applicant could ask to move, and the last request',
  params: byId,
  response: z.object({
    data: readChangeTargets.response.shape.data.extend({
      /** Whether the university accepts requests. */
      open: z.boolean(),
      request: z
        .object({
          id: z.uuid(),
          programme: z.string(),
          classProgramme: z.string(),
          reason: z.string(),
          difference: z.int(),
          status: z.enum(requestStatuses),
          askedAt: time,
          answer: z.string().nullable(),
        })
        .nullable(),
    }),
  }),
})

export const previewProgrammeRequest = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/programme-request/preview',
  access: 'pindah-prodi-view',
  reads: true,
  summary: 'What a move to another study programme would do to the bill; changes nothing',
  params: byId,
  body: z.strictObject(target),
  response: z.object({ data: programmeChangePreview }),
})

export const askProgrammeChange = endpoint({
  method: 'POST',
  path: '/pendaftaran/:id/programme-request',
  access: 'pindah-prodi-view',
  summary: 'Ask to move to another study programme',
  params: byId,
  body: z.strictObject({ ...target, reason, seen: z.string().max(100) }),
  response: requestId,
})

export const withdrawProgrammeRequest = endpoint({
  method: 'POST',
  path: '/pindah-prodi/requests/:id/withdraw',
  access: 'pindah-prodi-view',
  summary: 'Take back a request that was not answered yet',
  params: byId,
  body: z.strictObject({}),
  response: requestId,
})

export const refuseProgrammeRequest = endpoint({
  method: 'POST',
  path: '/pindah-prodi/requests/:id/refuse',
  access: 'pindah-prodi-update',
  summary: 'Refuse a request for another study programme, with a reason the applicant reads',
  params: byId,
  body: z.strictObject({ reason }),
  response: requestId,
})
