import { z } from 'zod'
import { confirmedStatuses } from '#domain/admissions/registration-status.ts'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { backgrounds, photoSizeOf, photoStates, unknownTokens } from './photo-format.ts'

export const startPhotoDownload = endpoint({
  method: 'POST',
  path: '/download-foto-mahasiswa/photo-downloads',
  access: 'download-foto-mahasiswa',
  summary: 'Register a download of usable photos; answers the address the browser opens, valid for 10 minutes',
  body: z.strictObject({
    /** ZIP of single photos, or contact sheets as one PDF. */
    kind: z.enum(['zip', 'sheet']),
    state: z.enum([...photoStates, 'unusable']).nullable(),
    size: z.string().max(12),
    template: typedLine().min(1).max(100),
    wanted: z.enum(backgrounds).nullable(),
    waveId: z.uuid().nullable(),
    programmeId: z.uuid().nullable(),
    status: z.enum(confirmedStatuses).nullable(),
    q: typedLine().max(100).nullable(),
  }),
  rules: ({ size, template }: { size?: string; template?: string }): Problems => {
    const unknown = template === undefined ? [] : unknownTokens(template)
    return {
      size: size !== undefined && !photoSizeOf(size) ? 'photo_size' : null,
      template: unknown.length > 0 ? { code: 'photo_template', params: { unknown: unknown.join(', ') } } : null,
    }
  },
  response: z.object({ data: z.object({ id: z.uuid(), total: z.int(), url: z.string() }) }),
})

const params = z.object({ id: z.uuid() })

export const readPhotoDownload = endpoint({
  method: 'GET',
  path: '/download-foto-mahasiswa/photo-downloads/:id',
  access: 'download-foto-mahasiswa',
  summary: 'How far an own download of photos has come',
  params,
  response: z.object({
    data: z.object({
      status: z.enum(['ready', 'running', 'done', 'stopped']),
      done: z.int(),
      failed: z.int(),
      total: z.int(),
    }),
  }),
})

export const photoDownloadFile = endpoint({
  method: 'GET',
  path: '/photo-downloads/:id/file',
  access: 'public',
  summary: 'The photos of a registered download, once, for the reader the key was made for',
  params,
  query: z.object({ key: z.string().max(200) }),
  response: z.any(),
})
