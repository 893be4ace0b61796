import { runSeeds } from '#seeds/run-seeds.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { startServices } from '#server/platform/start-services.ts'
import { testConfig } from './test-config.ts'

/** Runs every migration on an empty database and adds the tests' reference data. */
export async function fillTemplate(connectionString: string): Promise<void> {
  await migrate(connectionString)
  const { services, owner, stop } = await startServices({ config: testConfig(), connectionString, passiveJobs: true })
  await runSeeds({ ...services, db: owner }, 'test')
  await stop()
}
