import type { Services } from '#server/platform/services.ts'
import type { MeasuredLine } from './line.ts'

export async function measureSeeds({ db }: Pick<Services, 'db'>): Promise<MeasuredLine> {
  const failure = await db.selectFrom('seedFailures').selectAll().orderBy('failedAt').limit(1).executeTakeFirst()
  if (!failure) return { name: 'seeds', state: 'ok', code: 'seeds-done', facts: {} }
  const facts = { seed: failure.name, problem: failure.problem, at: failure.failedAt.toISOString() }
  return { name: 'seeds', state: 'red', code: 'seeds-failed', facts }
}
