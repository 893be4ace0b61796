import { z } from 'zod'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { deviceKeeperOf } from './device-keeper.ts'

/** Connects every phone that is meant to be connected and that no process speaks for; lets go of those that are not. */
export async function tendDevices(services: Services) {
  const wanted = await services.db
    .selectFrom('whatsappConnections')
    .select('id')
    .where('kind', '=', 'device')
    .where((eb) => eb.or([eb('wish', '!=', 'off'), eb('leaseOwner', 'is not', null)]))
    .execute()
  for (const { id } of wanted) await deviceKeeperOf(services).tend(id)
}

/** Every minute, and whenever somebody wants something of a phone. */
export const keepDevices = defineJob({
  name: 'keep-whatsapp-devices',
  schedule: '* * * * *',
  data: z.object({}),
  run: tendDevices,
})
