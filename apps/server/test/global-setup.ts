import type { TestProject } from 'vitest/node'
import { asOwner, demoName, dropDatabase, lentPrefix, startTestServer, templateName } from './database.ts'

/** Once per run: a server, and a template database with every migration and the reference data. */
export default async function setup(project: TestProject) {
  const server = await startTestServer()
  const templateUrl = server.url(templateName)
  if (!server.isFilled) {
    await dropDatabase(templateUrl, templateName)
    await asOwner(server.url('postgres'), (client) => client.query(`CREATE DATABASE ${templateName}`))
    // Imported here, so that a run on a kept cluster does not wait for the whole server to load.
    const { fillTemplate } = await import('./fill-template.ts')
    await fillTemplate(templateUrl)
    await server.keep()
  }
  project.provide('templateUrl', templateUrl)
  return async () => {
    for (const name of [demoName, templateName, ...(await namesOfLent(server.url('postgres')))])
      await dropDatabase(templateUrl, name)
    await server.stop()
  }
}

const namesOfLent = (url: string) =>
  asOwner(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [lentPrefix],
    )
    return rows.map(({ name }) => name)
  })
