import type { ConnectionCheck, ResultCode } from '#domain/health/connection-checks.ts'
import type { CheckResult } from '#domain/health/endpoints.ts'
import { type HealthState, worstOf } from '#domain/health/lines.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'

export const resultOf = (
  code: ResultCode,
  state: HealthState,
  rest: Partial<Pick<CheckResult, 'facts' | 'answer' | 'record'>> = {},
): CheckResult => ({ code, state, facts: {}, answer: null, record: null, ...rest })

/** Stores a check's results in place of the previous ones and returns them as the page shows them. */
export const keepCheck = (services: Services, actor: Actor, name: ConnectionCheck, results: CheckResult[]) =>
  services.db.transaction().execute(async (tx) => {
    const state = worstOf(results.map((result) => result.state))
    const checkedAt = services.clock.now()
    const values = { state, results: JSON.stringify(results), checkedAt, checkedBy: actor.accountId }
    await tx
      .insertInto('connectionChecks')
      .values({ name, ...values })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(values))
      .execute()
    await recordAudit(tx, actor, { action: 'connection.check', on: { connection: name }, after: { state } })
    return { name, state, results, checkedAt: checkedAt.toISOString(), checkedBy: actor.name }
  })

/** The last results of each check that has run. */
export async function findChecks(db: Db) {
  const rows = await db
    .selectFrom('connectionChecks as c')
    .leftJoin('accounts as a', 'a.id', 'c.checkedBy')
    .select(['c.name', 'c.state', 'c.results', 'c.checkedAt', 'a.name as checkedBy'])
    .execute()
  return rows.map(({ name, state, results, checkedAt, checkedBy }) => ({
    name: name as ConnectionCheck,
    state: state as HealthState,
    results: results as CheckResult[],
    checkedAt: checkedAt.toISOString(),
    checkedBy,
  }))
}
