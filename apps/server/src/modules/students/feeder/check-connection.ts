import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { noteConnection, readAccess, showConnection } from './connection.ts'
import { feederClient } from './register/feeder-client.ts'
import { FeederFailure } from './register/protocol.ts'
import { sendToFeederJob } from './send-to-feeder.job.ts'

/**
 * Signs in, reads the university and stores the outcome. On success, enqueues the job that sends waiting students. 409
 * without complete settings.
 */
export async function checkConnection(services: Services, actor: Actor) {
  const { db, clock, jobs } = services
  const access = await readAccess(services)
  if (access.target !== 'demo' && !(access.address && access.username && access.password))
    throw conflict('feeder_not_set_up')
  const client = feederClient(services, access)
  let failure: FeederFailure | undefined
  let university = ''
  try {
    await client.signIn()
    university = (await client.readUniversity()).name
  } catch (error) {
    if (!(error instanceof FeederFailure)) throw error
    failure = error
  }
  await db.transaction().execute(async (tx) => {
    const outcome = failure
      ? { problem: failure.isSignIn ? ('sign_in' as const) : failure.kind, detail: failure.detail }
      : { university }
    // The built-in register works before the settings are saved for the first time.
    await tx
      .insertInto('feederConnection')
      .values({ target: access.target, updatedAt: clock.now(), updatedBy: actor.accountId })
      .onConflict((existing) => existing.doNothing())
      .execute()
    await noteConnection(tx, { ...access, version: access.version || 1 }, outcome, clock.now())
    await recordAudit(tx, actor, {
      action: 'feeder.check',
      on: { feeder: 'connection' },
      after: { target: access.target, works: failure === undefined },
    })
    if (!failure) await jobs.enqueue(tx, sendToFeederJob, {}, { singletonKey: 'all' })
  })
  return showConnection(services)
}
