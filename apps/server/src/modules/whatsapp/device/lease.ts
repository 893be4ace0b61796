import { sql, type Updateable } from 'kysely'
import type { Database } from '#server/platform/database/database.ts'
import type { Holder } from './held-device.ts'

/** Longer than several renewals, so that a busy process keeps its phone. */
export const leaseSeconds = 30

export const noProblem = { problem: null, problemDetail: null, problemAt: null }
export const noPairing = { pairingSealed: null, pairingUntil: null }
export const noLease = { ...noPairing, pairingPhone: null, leaseOwner: null, leaseUntil: null, retryAt: null }

/** Update of the phone's row that changes nothing if another process has the lease. */
export const updateOwnRow = ({ services, owner }: Holder, id: string) =>
  services.db.updateTable('whatsappConnections').where('id', '=', id).where('leaseOwner', '=', owner)

/** Writes to the phone's row if this process has the lease. */
export const writeOwnRow = (holder: Holder, id: string, change: Updateable<Database['whatsappConnections']>) =>
  updateOwnRow(holder, id).set(change).execute()

/** Takes the lease of a phone that should be connected; false if another process has it. */
export async function takeLease({ services, owner }: Holder, id: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    UPDATE whatsapp_connections
    SET lease_owner = ${owner}, lease_until = now() + make_interval(secs => ${leaseSeconds}),
      state = CASE WHEN state = 'retrying' THEN state ELSE 'connecting' END, pairing_sealed = NULL
    WHERE id = ${id} AND kind = 'device' AND active AND wish = 'on'
      AND (lease_owner IS NULL OR lease_until < now())
    RETURNING id`.execute(services.db)
  return rows.length > 0
}

/** Renews the lease and returns the requests in the row; undefined if another process has the lease. */
export async function renewLease({ services, owner }: Holder, id: string) {
  const { rows } = await sql<{ wish: 'off' | 'on' | 'log_out'; active: boolean; pairingPhone: string | null }>`
    UPDATE whatsapp_connections SET lease_until = now() + make_interval(secs => ${leaseSeconds})
    WHERE id = ${id} AND lease_owner = ${owner}
    RETURNING wish, active, pairing_phone`.execute(services.db)
  return rows[0]
}

/** Releases all leases of this process. A lease that cannot be released expires. */
export async function releaseLeases({ services, owner }: Holder) {
  await services.db
    .updateTable('whatsappConnections')
    .set({ ...noPairing, leaseOwner: null, leaseUntil: null })
    .where('leaseOwner', '=', owner)
    .execute()
    .catch(() => {})
}
