import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { deviceKeeperOf } from './device-keeper.ts'

/** Connects phones that should be connected and have no lease, and releases phones that should not. */
export async function tendDevices(services: Services) {
  const connections = await services.db
    .selectFrom('whatsappConnections')
    .select('id')
    .where('kind', '=', 'device')
    .where((eb) => eb.or([eb('wish', '!=', 'off'), eb('leaseOwner', 'is not', null)]))
    .execute()
  for (const { id } of connections) await deviceKeeperOf(services).tend(id)
}

/** Runs every minute and after every request about a phone. */
export const keepDevicesJob = defineJob({
  name: 'keep-whatsapp-devices',
  schedule: '* * * * *',
  data: z.object({}),
  run: tendDevices,
})
