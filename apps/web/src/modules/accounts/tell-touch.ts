import type { z } from 'zod'
import { recordTouch } from '#domain/affiliates/touch-endpoint.ts'
import { sendOnce } from '#web/api/send.ts'

/** Reports a visit through an affiliate; returns the code the device signs up with. */
export const tellTouch = async (body: z.input<typeof recordTouch.body>) =>
  (await sendOnce(recordTouch, { body })).data.ref
