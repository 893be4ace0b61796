import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely'
import { conflict } from '#server/platform/errors.ts'

/** Right of one request to carry out the write named by its idempotency key. */
export type WriteClaim = {
  id: string
  accountId: string
  key: string
  /** A transaction of the request has committed, so the write must never be carried out again. */
  committed: boolean
  /** The request has been answered; work it left behind commits without checking the claim. */
  answered: boolean
}

/** Claim of the request the running code belongs to. */
export const currentClaim = new AsyncLocalStorage<WriteClaim>()

/**
 * The first transaction a request commits also sets `committed` on its claim, so that a crash leaves both or neither. A
 * request whose claim was taken over by a later request throws 409 instead of committing.
 */
export function committingClaims(driver: Driver): Driver {
  const begin = driver.beginTransaction.bind(driver)
  const commit = driver.commitTransaction.bind(driver)
  const readOnly = new WeakSet<DatabaseConnection>()
  driver.beginTransaction = (connection, settings) => {
    if (settings.accessMode === 'read only') readOnly.add(connection)
    else readOnly.delete(connection)
    return begin(connection, settings)
  }
  driver.commitTransaction = async (connection) => {
    const claim = currentClaim.getStore()
    if (!claim || claim.committed || claim.answered || readOnly.has(connection)) return commit(connection)
    const { numAffectedRows } = await connection.executeQuery(
      CompiledQuery.raw(
        'UPDATE idempotency_keys SET committed = true WHERE account_id = $1 AND key = $2 AND claim = $3',
        [claim.accountId, claim.key, claim.id],
      ),
    )
    if (numAffectedRows !== 1n) throw conflict('still_working')
    await commit(connection)
    claim.committed = true
  }
  return driver
}
