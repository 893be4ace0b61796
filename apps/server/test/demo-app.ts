import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { runSeeds } from '#seeds/run-seeds.ts'
import { asOwner, createDatabase, demoName, dropDatabase, templateName } from './database.ts'
import { type TestApp, testApp } from './test-app.ts'
import { testConfig } from './test-config.ts'

const urlOf = (name: string) => inject('templateUrl').replace(`/${templateName}`, `/${name}`)
const appOn = (name: string, dataDir?: string) =>
  testApp({
    sameDatabaseAs: { connectionString: urlOf(name) },
    // Connections that end with the application, because a database can be copied only while nobody else uses it.
    ownDatabase: true,
    ...(dataDir !== undefined && { config: { dataDir } }),
  })

let copies = 0

/** The application on a copy of the demo university, which the first file to request it seeds for the whole run. */
export async function demoApp(): Promise<TestApp> {
  const pictures = await seedDemoOnce()
  const name = `pmb_test_demo_${process.pid}_${copies++}`
  await createDatabase(urlOf(demoName), name, demoName)
  const t = await appOn(name)
  linkFiles(pictures, path.join(t.services.config.dataDir, 'files'))
  const { close } = t
  t.close = async () => {
    try {
      await close()
    } finally {
      await dropDatabase(urlOf(name), name)
    }
  }
  return t
}

/** Returns the pictures' folder. An earlier run's demo is made again, because its template had another id. */
const seedDemoOnce = () =>
  asOwner(urlOf('postgres'), async (client) => {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [demoName])
    const { rows } = await client.query<{ template: string; made: string | null }>(
      `SELECT (SELECT oid::text FROM pg_database WHERE datname = $1) AS template,
         (SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = $2) AS made`,
      [templateName, demoName],
    )
    const { template, made } = rows[0]!
    const [ofTemplate, madeFolder = ''] = (made ?? '').split(' ', 2)
    if (ofTemplate === template && fs.existsSync(madeFolder)) return madeFolder
    await dropDatabase(urlOf(demoName), demoName)
    await createDatabase(urlOf(demoName), demoName, templateName)
    const dataDir = path.join(testConfig().dataDir, 'demo-university')
    const t = await appOn(demoName, dataDir)
    try {
      await runSeeds({ ...t.services, db: t.owner }, 'reference')
      await runSeeds({ ...t.services, db: t.owner }, 'demo')
    } finally {
      await t.close()
    }
    const folder = path.join(dataDir, 'files')
    await client.query(
      `COMMENT ON DATABASE ${pg.escapeIdentifier(demoName)} IS ${pg.escapeLiteral(`${template} ${folder}`)}`,
    )
    return folder
  })

/** Hard-links every file of a folder into another: a store replaces files and never writes into them. */
function linkFiles(from: string, to: string) {
  for (const name of fs.readdirSync(from, { recursive: true, encoding: 'utf8' })) {
    const [source, target] = [path.join(from, name), path.join(to, name)]
    if (fs.statSync(source).isDirectory()) continue
    fs.mkdirSync(path.dirname(target), { recursive: true })
    fs.rmSync(target, { force: true })
    fs.linkSync(source, target)
  }
}
