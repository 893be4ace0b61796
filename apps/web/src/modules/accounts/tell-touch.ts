import type { z } from 'zod'
import { recordTouch } from '#domain/affiliates/touch-endpoint.ts'
import { sendOnce } from '#web/api/send.ts'

/** Tells the server of a visit by an affiliate; returns the code with which the device signs up. */
export const tellTouch = async (body: z.input<typeof recordTouch.body>) =>
  (await sendOnce(recordTouch, { body })).data.ref
