import type { Selectable } from 'kysely'
import type { WhatsappProblem } from '#domain/whatsapp/problems.ts'
import { unseal } from '#server/modules/whatsapp/connections/secrets.ts'
import { deviceKeeperOf } from '#server/modules/whatsapp/device/device-keeper.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { type CloudAccess, cloudProvider } from './cloud.ts'
import { deviceProvider } from './device.ts'
import { logProvider } from './log.ts'
import type { WhatsappProvider } from './provider.ts'

type Connection = Selectable<Database['whatsappConnections']>

/** Another process speaks for the phone. */
export type Elsewhere = { elsewhere: true }
type Refused = { problem: WhatsappProblem }

/** Number and opened token of a Cloud API connection, or what is missing. */
export function accessOf(services: Services, connection: Connection): CloudAccess | Refused {
  const { id, graphUrl, graphVersion, phoneNumberId, accessTokenSealed } = connection
  if (!accessTokenSealed || !phoneNumberId) return { problem: 'credentials_missing' }
  const accessToken = unseal(services, id, 'accessToken', accessTokenSealed)
  return accessToken ? { graphUrl, graphVersion, phoneNumberId, accessToken } : { problem: 'credentials_unreadable' }
}

/** Who carries messages for a connection, or why nobody does. */
export function findProvider(services: Services, connection: Connection): WhatsappProvider | Refused | Elsewhere {
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
      // Leases run by the clock of the machines, not by the one a test may set.
      const byOther = leaseOwner !== keeper.owner && (leaseUntil?.getTime() ?? 0) > Date.now()
      return byOther ? { elsewhere: true } : { problem: 'not_connected' }
    }
  }
}
