import { callUnlessPaused } from '#server/modules/payments/providers/breaker.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { BankFailure } from '#server/modules/payments/providers/provider.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getProviderAccount, showProvider } from './find-providers.ts'

/** Asks the bank whether it accepts the portal's keys, and stores the result as the state of the connection. */
export async function checkProvider(services: Services, actor: Actor, id: string) {
  const { db, clock } = services
  const account = await getProviderAccount(db, id)
  const provider = await findProvider(services, account.code)
  const { check } = provider ?? {}
  if (!check) throw conflict('provider_nothing_to_ask')
  let failure: BankFailure | undefined
  try {
    await callUnlessPaused(services, account.code, () => check())
  } catch (error) {
    if (!(error instanceof BankFailure)) throw error
    failure = error
  }
  const now = clock.now()
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('providerAccounts')
      .set(
        failure
          ? { problem: failure.kind, problemDetail: failure.detail, problemAt: now }
          : { problem: null, problemDetail: null, problemAt: null, checkedAt: now },
      )
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, {
      action: 'provider.check',
      on: { provider: id },
      after: { works: failure === undefined },
    })
  })
  return showProvider(services, id)
}
