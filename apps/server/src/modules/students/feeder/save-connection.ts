import type { z } from 'zod'
import type { saveFeederConnection as saveCall } from '#domain/students/feeder/endpoints.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict, invalid } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { readRow, sealSecret, showConnection, targetsOf } from './connection.ts'
import { sendToFeederJob } from './send-to-feeder.job.ts'

type Content = z.output<(typeof saveCall)['body']>

/**
 * Saves the connection; 409 if it was changed meanwhile, 422 if address or user name changed without entering the
 * password again. Clears the stored outcome and enqueues the job that sends waiting students.
 */
export function saveConnection(services: Services, actor: Actor, { version, password, ...content }: Content) {
  const { db, clock } = services
  return db.transaction().execute(async (tx) => {
    const row = await readRow(tx)
    if ((row?.version ?? 0) !== version) throw conflict('stale_version')
    if (!targetsOf(services).includes(content.target)) throw invalid({ target: 'invalid_input' })
    const before = await showConnection(services, tx)
    const address = content.address?.replace(/\/+$/, '') ?? null
    const isMoved =
      before.passwordSetAt !== null && (before.address !== address || before.username !== content.username)
    const needsPassword = content.target !== 'demo' && password === undefined
    if (needsPassword && isMoved) throw invalid({ password: 'feeder_password_again' })
    if (needsPassword && !before.passwordSetAt) throw invalid({ password: 'field_required' })
    const now = clock.now()
    const values = {
      target: content.target,
      addressSealed: address === null ? null : sealSecret(services, 'address', address),
      username: content.username,
      ...(password !== undefined
        ? { passwordSealed: sealSecret(services, 'password', password), passwordSetAt: now }
        : isMoved
          ? { passwordSealed: null, passwordSetAt: null }
          : {}),
      ...{ checkedAt: null, university: null, problem: null, problemDetail: null, problemAt: null },
      updatedAt: now,
      updatedBy: actor.accountId,
    }
    const saved = await tx
      .insertInto('feederConnection')
      .values(values)
      .onConflict((conflicting) =>
        conflicting
          .column('id')
          .doUpdateSet({ ...values, version: version + 1 })
          .where('feederConnection.version', '=', version),
      )
      .returning('version')
      .executeTakeFirst()
    if (saved?.version !== version + 1) throw conflict('stale_version')
    await recordAudit(tx, actor, {
      action: 'feeder.settings',
      on: { feeder: 'connection' },
      before: { target: before.target, address: before.address, username: before.username },
      after: { target: content.target, address, username: content.username, replaced: password !== undefined },
    })
    await services.jobs.enqueue(tx, sendToFeederJob, {}, { singletonKey: 'all' })
    return showConnection(services, tx)
  })
}
