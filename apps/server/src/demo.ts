import { once } from 'node:events'
import readline from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { fillSeasons } from '#seeds/demo/seasons/fill-seasons.ts'
import { keepSeasonsAnew } from '#seeds/demo/seasons/keep-days.ts'
import { runSeeds } from '#seeds/run-seeds.ts'
import { clearDemo } from './clear-demo.ts'
import { readConfig } from './config.ts'
import { claimDatabase } from './platform/database/claim-database.ts'
import { lockDataDir } from './platform/database/data-lock.ts'
import { startDatabase } from './platform/postgres/start-database.ts'
import { StartError } from './platform/postgres/start-error.ts'
import { startServices } from './platform/start-services.ts'

type Options = { environment: Record<string, string | undefined>; registrations: number }

/** Migrates and seeds a database, then adds invented registrations of five years until it has `registrations` of them. */
export async function fillDatabase({ environment, registrations }: Options): Promise<void> {
  const config = readConfig(environment)
  const unlock = !config.databaseUrl ? lockDataDir(config.dataDir) : () => {}
  const database = await startDatabase(config, (_name, work) => work())
  const {
    services: runtimeServices,
    owner,
    stop,
  } = await startServices({ config, connectionString: database.connectionString })
  // Only the owner of the tables may drop and build indexes, as filling does.
  const services = { ...runtimeServices, db: owner }
  try {
    if (config.demo) await claimDatabase(owner, config)
    await runSeeds(services, 'reference')
    await runSeeds(services, 'demo')
    if (config.demo && config.demoHistory) await runSeeds(services, 'history')
    await fillSeasons(services, {
      upTo: registrations,
      onProgress: (lastNumber) => console.log(`${lastNumber.toLocaleString('en')} registrations`),
    })
    await keepSeasonsAnew(services)
  } finally {
    await stop()
    await database.stop()
    unlock()
  }
}

const usage =
  '--registrations wants a whole number, for example: npm run demo -- --registrations 200000; --clear removes the demo.'

async function askBeforeClearing(dataDir: string) {
  const terminal = readline.createInterface({ input: process.stdin, output: process.stdout })
  try {
    const question = `This removes the demo's database and files in ${dataDir} for good. Type "clear" to go on: `
    // Without a terminal the input ends before an answer.
    const noAnswer = once(terminal, 'close').then(() => '')
    const answer = await Promise.race([terminal.question(question), noAnswer])
    if (answer.trim() !== 'clear')
      throw new StartError('Nothing was removed. Without a terminal, --yes answers the question.')
  } finally {
    terminal.close()
  }
}

/** `npm run demo -- --registrations 200000` fills the demo; `--clear [--yes]` removes its database and files. */
async function main() {
  const { values } = parseArgs({
    options: { registrations: { type: 'string' }, clear: { type: 'boolean' }, yes: { type: 'boolean' } },
  })
  const config = readConfig(process.env)
  if (values.clear) {
    if (!values.yes) await askBeforeClearing(config.dataDir)
    await clearDemo(config)
    console.log('The demo is removed. DEMO=false npm start begins with an empty database.')
    return
  }
  const registrations = Number(values.registrations ?? 300)
  if (!Number.isInteger(registrations) || registrations < 1) throw new StartError(usage)
  if (!config.demo)
    throw new StartError('Invented applicants only go into a demo: unset DATABASE_URL, or set DEMO=true.')
  await fillDatabase({ environment: process.env, registrations })
}

if (import.meta.main)
  main().catch((error) => {
    console.error(error instanceof StartError ? error.message : error)
    process.exitCode = 1
  })
