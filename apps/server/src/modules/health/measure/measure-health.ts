import { healthLineNames } from '#domain/health/lines.ts'
import type { Services } from '#server/platform/services.ts'
import { measureAnswers } from './answers.ts'
import { measureDatabase } from './database.ts'
import { measureJobs } from './jobs.ts'
import type { MeasuredLine } from './line.ts'
import { measureMachine } from './machine.ts'
import { measureMaintenance } from './maintenance.ts'
import { measureTraffic } from './traffic.ts'
import { measureWhatsapp } from './whatsapp.ts'

/** Every line of /settings/health, measured now, in display order. */
export async function measureHealth(services: Services): Promise<MeasuredLine[]> {
  const machine = await measureMachine(services)
  const freeBytes = machine.find(({ name }) => name === 'data-disk')?.facts.freeBytes
  const growsHere = services.config.databaseUrl === undefined && typeof freeBytes === 'number'
  const lines = [
    ...measureAnswers(services),
    ...(await measureTraffic(services)),
    await measureWhatsapp(services),
    ...(await measureJobs(services)),
    ...(await measureMaintenance(services)),
    await measureSeeds(services),
    ...(await measureDatabase(services, growsHere ? freeBytes : null)),
    ...machine,
  ]
  return lines.toSorted((a, b) => healthLineNames.indexOf(a.name) - healthLineNames.indexOf(b.name))
}

async function measureSeeds({ db }: Pick<Services, 'db'>): Promise<MeasuredLine> {
  const failure = await db.selectFrom('seedFailures').selectAll().orderBy('failedAt').limit(1).executeTakeFirst()
  if (!failure) return { name: 'seeds', state: 'ok', code: 'seeds-done', facts: {} }
  const facts = { seed: failure.name, problem: failure.problem, at: failure.failedAt.toISOString() }
  return { name: 'seeds', state: 'red', code: 'seeds-failed', facts }
}
