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
    /** Random id made by the browser. */
    device: z.uuid(),
  }),
  response: z.object({
    data: z.object({
      /** Name of an affiliate with a public page; null for others and unknown codes. */
      name: z.string().nullable(),
      /** Code the device signs up with: first or last visit, by the setting. */
      ref: z.string().nullable(),
    }),
  }),
})
