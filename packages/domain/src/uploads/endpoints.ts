import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { highestUploadBytes } from './pieces.ts'

const byId = z.object({ id: z.uuid() })
const uploadState = z.object({ id: z.uuid(), bytes: z.int(), received: z.int() })
const uploadAnswer = z.object({ data: uploadState })

/**
 * Begins an upload in pieces. The calls that take a file accept `{"upload": id}` as JSON instead of a form once every
 * piece has arrived, and check it like the file of a form.
 */
export const beginUpload = endpoint({
  method: 'POST',
  path: '/uploads',
  access: 'signed-in',
  summary: 'Begin an upload in pieces; it is forgotten after a day',
  body: z.strictObject({
    name: typedLine().min(1).max(200),
    bytes: z.int().min(1).max(highestUploadBytes),
    /** Hexadecimal SHA-256 of the whole file, compared before the file is used. */
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional(),
  }),
  response: uploadAnswer,
})

export const readUpload = endpoint({
  method: 'GET',
  path: '/uploads/:id',
  access: 'signed-in',
  summary: 'How many bytes of an own upload have arrived',
  params: byId,
  response: uploadAnswer,
})

export const sendPiece = endpoint({
  method: 'POST',
  path: '/uploads/:id/pieces',
  access: 'signed-in',
  summary: 'Send the next piece (raw bytes): 262,144 bytes, or what is left; 409 with `received` at another place',
  params: byId,
  query: z.object({ from: z.coerce.number().int().min(0) }),
  response: uploadAnswer,
})
