import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import { selectionRules } from '#domain/selection/rules.ts'
import { type VerifierRule, verifierRules } from '#domain/selection/verifier.ts'
import { lockRun } from '#server/modules/selection/runs/change-run.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { type Fault, verifierQueries } from './verifier-rules.ts'

/** SQLSTATE for a row that another transaction has locked. */
const lockNotAvailable = '55P03'

/** Number of labels stored per broken rule. */
const exampleCount = 5

/**
 * Checks the stored output of a computed run rule by rule. Marks the run as verified, for the hash of this output only,
 * if no rule is broken. 409 if the run is not computed or another verification holds it.
 */
export const verifyRun = (services: Services, actor: Actor, id: string) =>
  services.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const { status, waveId, scoreRunId, ...run } = await lockRun(tx, actor, id, undefined, { noWait: true })
      if (status !== 'computed') throw conflict('selection_not_computed')
      const rules = selectionRules.parse(run.rules)
      const now = services.clock.now()
      const trackIds = rules.tracks.map(({ trackId }) => trackId)
      const facts = { runId: id, waveId, scoreRunId, trackIds, settings: await getSettings(tx), now }
      const checks: { rule: VerifierRule; faults: number; examples: string[] }[] = []
      for (const rule of verifierRules) {
        const { rows } = await sql<Fault & { count: number }>`
          SELECT f.label, (count(*) OVER ())::int AS count FROM (${verifierQueries[rule](facts)}) f
          ORDER BY f.label LIMIT ${exampleCount}`.execute(tx)
        checks.push({ rule, faults: rows[0]?.count ?? 0, examples: rows.map(({ label }) => label) })
      }
      const isRight = checks.every(({ faults }) => faults === 0)
      const { rows } = await sql<{ hash: string }>`SELECT selection_output_hash(${id}) AS hash`.execute(tx)
      const outputHash = theOnly(rows).hash
      await tx
        .updateTable('selectionRuns')
        .set({
          outputHash,
          checks: JSON.stringify(checks),
          verifiedAt: isRight ? now : null,
          verifiedHash: isRight ? outputHash : null,
        })
        .where('id', '=', id)
        .execute()
      const faults = Object.fromEntries(checks.map(({ rule, faults }) => [rule, faults]))
      await recordAudit(tx, actor, { action: 'selection.verify', on: { selection: id }, after: { outputHash, faults } })
    })
    .catch((error) => {
      throw (error as { code?: unknown }).code === lockNotAvailable ? conflict('selection_busy') : error
    })
