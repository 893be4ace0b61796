import fs from 'node:fs'
import path from 'node:path'
import { buildApp } from '#server/app.ts'
import { systemClock } from '#server/platform/clock.ts'
import { connect } from '#server/platform/database/database.ts'
import { answerTimes } from '#server/platform/http/answer-times.ts'
import { outboxTransport } from '#server/platform/mail.ts'
import type { Services } from '#server/platform/services.ts'
import { createLog } from '#server/platform/start-services.ts'
import { testConfig } from '#server-test/test-config.ts'

/** Writes docs/openapi.json from the declared endpoints; needs no database. */
const target = path.resolve(import.meta.dirname, '../docs/openapi.json')
const config = testConfig({ publicUrl: 'http://localhost:3000' })
const { db } = connect('postgresql://nobody@127.0.0.1:1/none')
const absent = () => Promise.reject(new Error('not available while the API is described'))
const services: Services = {
  db,
  config,
  clock: systemClock,
  files: { put: absent, read: absent, bytes: absent, remove: absent },
  uploads: new Map(),
  pictures: absent,
  threads: absent,
  mail: outboxTransport,
  jobs: { enqueue: absent, enqueueMany: absent, publish: absent, publishMany: absent },
  sessions: { find: () => null, forget: () => {}, start: absent, stop: absent },
  answerTimes: answerTimes(),
  log: createLog(config),
  connectTrial: absent,
}
const app = await buildApp(services)
const { paths, ...rest } = (app as unknown as { swagger(): { paths: Record<string, object> } }).swagger()
// One line per path: short to read when comparing versions, and half the size.
const lines = Object.entries(paths).map(([name, operations]) => `${JSON.stringify(name)}:${JSON.stringify(operations)}`)
const text = `${JSON.stringify(rest).slice(0, -1)},"paths":{\n${lines.join(',\n')}\n}}\n`
await app.close()
await db.destroy()
if (process.argv.includes('--check')) {
  if (!fs.existsSync(target) || fs.readFileSync(target, 'utf8') !== text) {
    console.error('docs/openapi.json is out of date: run npm run openapi')
    process.exitCode = 1
  }
} else fs.writeFileSync(target, text)
