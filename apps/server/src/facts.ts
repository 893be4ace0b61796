import { parseArgs } from 'node:util'
import { type InvariantName, invariantNames, invariants } from '#domain/ops/invariants.ts'
import { readConfig } from './config.ts'
import { checkInvariants } from './modules/ops/check-invariants.ts'
import { rebuildFacts } from './modules/reports/facts/rebuild-facts.ts'
import { requireMigrated } from './platform/database/migrate.ts'
import { openDatabase } from './platform/postgres/open-database.ts'
import { StartError } from './platform/postgres/start-error.ts'
import { startServices } from './platform/start-services.ts'

const checksOfFacts = invariantNames.filter((name): name is InvariantName => invariants[name].area === 'facts')
/** Registrations or payments named for each check. */
const maxNamed = 5

/**
 * `npm run facts` makes the rows that reports count again; `npm run facts -- --check` compares them with the
 * registrations, bills and payments they come from, and ends with exit code 1 if they differ.
 */
async function main() {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
  const config = { ...readConfig(process.env), runJobs: false }
  const { connectionString, stop: closeDatabase } = await openDatabase(config)
  try {
    await requireMigrated(connectionString)
    const { services, owner, stop } = await startServices({ config, connectionString })
    try {
      if (!values.check) {
        await rebuildFacts(owner)
        console.log('What reports count was made again.')
        return
      }
      const found = await checkInvariants(services, checksOfFacts)
      for (const name of checksOfFacts) {
        const labels = found.filter(({ check }) => check === name).map(({ label }) => label)
        const examples = labels.length > 0 ? `, for example ${labels.slice(0, maxNamed).join(', ')}` : ''
        console.log(`${name}: ${labels.length} differ${examples}`)
      }
      if (found.length > 0) process.exitCode = 1
    } finally {
      await stop()
    }
  } finally {
    await closeDatabase()
  }
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
