import { AsyncLocalStorage } from 'node:async_hooks'
import { CompiledQuery, type DatabaseConnection, type Driver } from 'kysely'
import { conflict } from '#server/platform/errors.ts'

/** The right of one request to carry out the write that its idempotency key names. */
export type WriteClaim = {
  id: string
  accountId: string
  key: string
  /** A transaction of the request has committed: the write must never be carried out a second time. */
  committed: boolean
  /** The request has its answer; work it left behind commits without looking at the claim. */
  answered: boolean
}

/** The claim of the request that the running code works for. */
export const currentClaim = new AsyncLocalStorage<WriteClaim>()

/**
 * Makes the first transaction that a request commits set `committed` on its claim, so that a crash leaves both or neither.
 * A request whose claim a later request has taken throws 409 instead of committing.
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
