import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import { tendDevices } from './device-keeper.ts'

/** Runs every minute and after every request about a phone. */
export const keepDevicesJob = defineJob({
  name: 'keep-whatsapp-devices',
  schedule: '* * * * *',
  data: z.object({}),
  run: tendDevices,
})
