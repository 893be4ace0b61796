import { readConnection } from '#domain/whatsapp/endpoints.ts'
import { listConnections, listDeliveries } from '#domain/whatsapp/lists.ts'
import { keyOf } from '#web/api/query.ts'
import { useAction } from '#web/api/use-action.ts'

/** Runs an action on a connection and refetches its status at once. */
export const useConnectionActions = (id: string) =>
  useAction(keyOf(readConnection, { params: { id } }), keyOf(listConnections), keyOf(listDeliveries))
