import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { touchSources } from './affiliates.ts'

export const recordTouch = endpoint({
  method: 'POST',
  path: '/afiliator/touches',
  access: 'public',
  summary:
    'A visit by the link or voucher of an affiliate; one a day counts for a device. Unknown codes are not stored',
  body: z.strictObject({
    code: typedLine().min(1).max(60),
    source: z.enum(touchSources),
    /** Random number that the browser made. */
    device: z.uuid(),
  }),
  response: z.object({
    data: z.object({
      /** Name of the affiliate with a public page; null for others and for unknown codes. */
      name: z.string().nullable(),
      /** Code with which the device signs up: of the first or of the last touch, as the settings say. */
      ref: z.string().nullable(),
    }),
  }),
})
