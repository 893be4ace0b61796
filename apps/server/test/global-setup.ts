import type { TestProject } from 'vitest/node'
import { runSeeds } from '#seeds/run-seeds.ts'
import { migrate } from '#server/platform/database/migrate.ts'
import { startServices } from '#server/platform/start-services.ts'
import { asOwner, dropDatabase, startTestServer, templateName } from './database.ts'
import { testConfig } from './test-config.ts'

/** Once per run: a server, and a template database with every migration and the reference data. */
export default async function setup(project: TestProject) {
  const server = await startTestServer()
  const templateUrl = server.url(templateName)
  await dropDatabase(templateUrl, templateName)
  await asOwner(server.url('postgres'), (client) => client.query(`CREATE DATABASE ${templateName}`))
  await migrate(templateUrl)
  const { services, owner, stop } = await startServices({
    config: testConfig(),
    connectionString: templateUrl,
    passiveJobs: true,
  })
  await runSeeds({ ...services, db: owner }, 'test')
  await stop()
  project.provide('templateUrl', templateUrl)
  return async () => {
    await dropDatabase(templateUrl, templateName)
    await server.stop()
  }
}
