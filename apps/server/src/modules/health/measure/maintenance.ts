import { sql } from 'kysely'
import type { HealthCode, HealthLineName } from '#domain/health/lines.ts'
import { theOnly } from '#domain/must.ts'
import type { MaintenanceRun } from '#server/platform/backup/maintenance-runs.ts'
import type { Services } from '#server/platform/services.ts'
import { above, dayMs, hourMs, type MeasuredLine } from './line.ts'

/** The last run of a kind, and the last successful one. */
export async function readLastRuns({ db }: Services, kind: MaintenanceRun['kind']) {
  const newest = db
    .selectFrom('maintenanceRuns')
    .selectAll()
    .where('kind', '=', kind)
    .orderBy('finishedAt', 'desc')
    .limit(1)
  const [last, good] = await Promise.all([newest.executeTakeFirst(), newest.where('ok', '=', true).executeTakeFirst()])
  return { last, good }
}

/** Error text of a failed run. */
export function problemOf({ detail }: { detail: unknown }): string | null {
  const { problem } = detail as { problem?: unknown }
  return typeof problem === 'string' ? problem : null
}

/** When this installation was set up: the time of its first migration. */
async function startOfInstallation({ db }: Services): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`SELECT min(applied_at) AS at FROM schema_migrations`.execute(db)
  return theOnly(rows).at
}

type Rule = {
  kind: 'backup' | 'restore_test'
  name: HealthLineName
  codes: Record<'done' | 'failed' | 'never', HealthCode>
  limitsMs: { soon: number; red: number }
}

const rules: readonly Rule[] = [
  {
    kind: 'backup',
    name: 'backup',
    codes: { done: 'backup-done', failed: 'backup-failed', never: 'backup-never' },
    // A nightly backup may finish two hours later than the night before.
    limitsMs: { soon: 26 * hourMs, red: 50 * hourMs },
  },
  {
    kind: 'restore_test',
    name: 'restore-test',
    codes: { done: 'restore-done', failed: 'restore-failed', never: 'restore-never' },
    limitsMs: { soon: 8 * dayMs, red: 15 * dayMs },
  },
]

async function measureRuns(services: Services, { kind, name, codes, limitsMs }: Rule): Promise<MeasuredLine> {
  const now = services.clock.now().getTime()
  const { last, good } = await readLastRuns(services, kind)
  if (last && !last.ok) {
    const facts = {
      at: last.finishedAt.toISOString(),
      goodAt: good?.finishedAt.toISOString() ?? null,
      problem: problemOf(last),
    }
    return { name, state: 'red', code: codes.failed, facts }
  }
  if (good) {
    const tookSeconds = Math.round((good.finishedAt.getTime() - good.startedAt.getTime()) / 1_000)
    const facts = { at: good.finishedAt.toISOString(), sizeBytes: good.size, tookSeconds }
    return { name, state: above(now - good.finishedAt.getTime(), limitsMs), code: codes.done, facts }
  }
  // A new installation has nothing to lose yet, and a demo never has.
  const isOld = now - (await startOfInstallation(services)).getTime() >= limitsMs.red
  return { name, state: isOld && !services.config.demo ? 'red' : 'soon', code: codes.never, facts: {} }
}

async function measureBooks({ db, clock }: Services): Promise<MeasuredLine> {
  const run = await db
    .selectFrom('invariantRuns')
    .select(['finishedAt', 'found'])
    .orderBy('finishedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!run) return { name: 'books', state: 'soon', code: 'books-never', facts: {} }
  const facts = { at: run.finishedAt.toISOString(), found: run.found }
  if (run.found > 0) return { name: 'books', state: 'red', code: 'books-differ', facts }
  const state = clock.now().getTime() - run.finishedAt.getTime() > 26 * hourMs ? 'soon' : 'ok'
  return { name: 'books', state, code: 'books-right', facts }
}

/** The last backup, the last restore test and the last check of the books. */
export const measureMaintenance = (services: Services) =>
  Promise.all([...rules.map((rule) => measureRuns(services, rule)), measureBooks(services)])
