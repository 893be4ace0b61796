import type { Selectable } from 'kysely'
import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { unseal } from '#server/modules/whatsapp/connections/secrets.ts'
import { deviceKeeperOf } from '#server/modules/whatsapp/device/device-keeper.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { type CloudAccess, cloudProvider } from './cloud.ts'
import { deviceProvider } from './device.ts'
import type { WhatsappProvider } from './provider.ts'

type Connection = Selectable<Database['whatsappConnections']>

/** Another process holds the phone's lease. */
export type HeldElsewhere = { elsewhere: true }
type ProviderProblem = { problem: WhatsappProblem }

/** Sends nothing: messages stay in the built-in outbox, for demonstrations and tests. */
const logProvider: WhatsappProvider = { send: async () => ({ providerMessageId: null }) }

/** Number and opened token of a Cloud API connection, or the problem. */
export function accessOf(services: Services, connection: Connection): CloudAccess | ProviderProblem {
  const { id, graphUrl, graphVersion, phoneNumberId, accessTokenSealed } = connection
  if (!accessTokenSealed || !phoneNumberId) return { problem: 'credentials_missing' }
  const accessToken = unseal(services, id, 'accessToken', accessTokenSealed)
  return accessToken ? { graphUrl, graphVersion, phoneNumberId, accessToken } : { problem: 'credentials_unreadable' }
}

/** Provider of a connection, or why there is none. */
export function findProvider(
  services: Services,
  connection: Connection,
): WhatsappProvider | ProviderProblem | HeldElsewhere {
  switch (connection.kind) {
    case 'log':
      return logProvider
    case 'cloud': {
      const access = accessOf(services, connection)
      return 'problem' in access ? access : cloudProvider(access)
    }
    case 'device': {
      const keeper = deviceKeeperOf(services)
      const socket = keeper.socketOf(connection.id)
      if (socket) return deviceProvider(socket)
      const { leaseOwner, leaseUntil } = connection
      // Leases use the machine's clock, because tests move the application's clock.
      const isHeldElsewhere = leaseOwner !== keeper.owner && (leaseUntil?.getTime() ?? 0) > Date.now()
      return isHeldElsewhere ? { elsewhere: true } : { problem: 'not_connected' }
    }
  }
}
