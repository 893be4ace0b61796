import { parseArgs } from 'node:util'
import { fillRegistrations } from '#seeds/demo/registrations.ts'
import { runSeeds } from '#seeds/run-seeds.ts'
import { readConfig } from './config.ts'
import { lockDataDir } from './platform/database/data-lock.ts'
import { startDatabase } from './platform/postgres/start-database.ts'
import { StartError } from './platform/postgres/start-error.ts'
import { startServices } from './platform/start-services.ts'

type Options = { environment: Record<string, string | undefined>; registrations: number }

/** Migrates and seeds a database, then adds invented registrations until it has `registrations` of them. */
export async function fillDatabase({ environment, registrations }: Options): Promise<void> {
  const config = readConfig(environment)
  const unlock = config.demo ? lockDataDir(config.dataDir) : () => {}
  const database = await startDatabase(config, (_name, work) => work())
  const {
    services: runtimeServices,
    owner,
    stop,
  } = await startServices({ config, connectionString: database.connectionString })
  // Only the owner of the tables may drop and build indexes, which filling does.
  const services = { ...runtimeServices, db: owner }
  try {
    await runSeeds(services, 'reference')
    await runSeeds(services, 'demo')
    const { db, clock } = services
    const { passwordHash } = await db
      .selectFrom('accounts')
      .select('passwordHash')
      .where('email', '=', 'mahasiswa@demo.test')
      .executeTakeFirstOrThrow()
    const { there: existingCount } = await db
      .selectFrom('registrations')
      .select((query) => query.fn.countAll<number>().as('there'))
      .where('code', 'like', '%D%')
      .executeTakeFirstOrThrow()
    await fillRegistrations(db, {
      from: existingCount + 1,
      count: Math.max(registrations - existingCount, 0),
      now: clock.now(),
      passwordHash: passwordHash!,
      onProgress: (lastNumber) => console.log(`${lastNumber.toLocaleString('en')} registrations`),
    })
  } finally {
    await stop()
    await database.stop()
    unlock()
  }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { registrations: { type: 'string', default: '300' } } })
  const registrations = Number(values.registrations)
  try {
    if (!Number.isInteger(registrations) || registrations < 1)
      throw new StartError('--registrations wants a whole number, for example: npm run demo -- --registrations 200000')
    if (process.env.DATABASE_URL)
      throw new StartError('Invented applicants only go into the embedded database: unset DATABASE_URL first.')
    await fillDatabase({ environment: process.env, registrations })
  } catch (error) {
    console.error(error instanceof StartError ? error.message : error)
    process.exit(1)
  }
}
