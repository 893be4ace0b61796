import module from 'node:module'
import net from 'node:net'
import type { SeedSet } from '#seeds/run-seeds.ts'
import { type Config, readConfig } from './config.ts'
import { mailNotice } from './mail-notice.ts'
import { lockDataDir } from './platform/database/data-lock.ts'
import { startDatabase } from './platform/postgres/start-database.ts'
import { exitWith, isDiskFull, StartError } from './platform/postgres/start-error.ts'
import { returnMemoryOfLoading } from './platform/return-memory.ts'
import type { Services } from './platform/services.ts'
import { showSourcesOfCrashes } from './platform/source-positions.ts'
import { stopOnSignal } from './platform/stop-on-signal.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

async function phase<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startMs = performance.now()
  const result = await work()
  say(`  ${name.padEnd(24)}${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  return result
}

async function requireFreePort({ host, port }: Config) {
  if (port === 0) return
  const probe = net.createServer()
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new StartError(`Port ${port} is already taken. Stop the other program, or start with PORT=${port + 1}.`))
      else if (error.code === 'EACCES')
        reject(new StartError(`Port ${port} may not be used by this user. Set PORT to another one.`))
      else reject(new StartError(`${host}:${port} cannot be listened on: ${error.message}`))
    })
    probe.listen(port, host, () => probe.close(() => resolve()))
  })
}

const demoAccounts = ['administrator', 'panitia', 'keuangan', 'marketing', 'pimpinan', 'afiliator', 'mahasiswa']

type RunningServer = { services: Services; port: number; close(): Promise<void> }

type Meanwhile = {
  /** Settles when the pages it serves are built. */
  webBuilt?: Promise<unknown> | undefined
}

/** What runs on the database; it takes seconds to load. */
async function loadProgram() {
  const parts = await Promise.all([
    import('./app.ts'),
    import('#seeds/run-seeds.ts'),
    import('./platform/database/claim-database.ts'),
    import('./platform/start-services.ts'),
    import('./modules/sending/sender.ts'),
    import('./modules/accounts/setup/setup-link.ts'),
  ])
  const [app, seeds, claim, services, sender, setup] = parts
  return { ...app, ...seeds, ...claim, ...services, ...sender, ...setup }
}

/** Starts the server; undefined if it was stopped meanwhile. */
export async function startServer(
  environment: NodeJS.ProcessEnv,
  { webBuilt }: Meanwhile = {},
): Promise<RunningServer | undefined> {
  const config = readConfig(environment)
  const closeSteps: (() => unknown)[] = []
  const close = async () => {
    for (const step of closeSteps.splice(0).reverse()) await step()
  }
  const isStopping = stopOnSignal(close)
  try {
    await requireFreePort(config)
    if (!config.databaseUrl) closeSteps.push(lockDataDir(config.dataDir))
    // An embedded database starts in processes of its own meanwhile. Loading keeps this process from answering, so a
    // connection to another server would time out.
    const loading = config.databaseUrl ? undefined : loadProgram()
    const database = await startDatabase(config, phase)
    closeSteps.push(database.stop)
    const program = await (loading ?? loadProgram())
    const { services, runner, owner, stop } = await phase('start services', () =>
      program.startServices({ config, connectionString: database.connectionString }),
    )
    closeSteps.push(stop)
    await program.claimDatabase(owner, config)
    await program.forgetSeedFailures(owner)
    const seed = (name: string, setName: SeedSet) =>
      phase(name, () => program.seedAtStart({ ...services, db: owner }, setName))
    const seedAll = async () => {
      // The reference data end with the regions: that seed waits for this one and finds its mark.
      const done = await Promise.all([seed('regions', 'regions'), seed('reference data', 'reference')])
      if (done.includes(false) || !config.demo) return
      if ((await seed('demo university', 'demo')) && config.demoHistory) await seed('earlier seasons', 'history')
    }
    // Building the server reads no rows, so it uses the time in which the database works.
    const [app] = await Promise.all([phase('build the server', () => program.buildApp(services)), seedAll(), webBuilt])
    closeSteps.push(() => app.close())
    if (config.runJobs) {
      await runner.work(services)
      closeSteps.push(program.startSending(services).stop)
    }
    await app.listen({ port: config.port, host: config.host })
    const address = app.server.address() as net.AddressInfo
    const url = config.publicUrl.replace(/:0$/, `:${address.port}`)
    // So that even a server that is killed later leaves compiled code for the next start; not now, because it takes
    // seconds on a busy disk.
    setTimeout(() => module.flushCompileCache(), 30_000).unref()
    returnMemoryOfLoading()
    say(`\nPMB Online is ready at ${url}`)
    const setup = config.runJobs && (await program.offerFirstSetup(services, url))
    if (setup) say(setup)
    if (config.demo) {
      say(`Demo accounts (password Demo-2026!): ${demoAccounts.map((name) => `${name}@demo.test`).join(', ')}`)
      say(`${mailNotice(config, url)} Ctrl-C stops everything.\n`)
    }
    return { services, port: address.port, close }
  } catch (error) {
    if (isStopping()) return undefined
    await close().catch(() => {})
    throw isDiskFull(error) ? new StartError('The disk is full. Free some space and start again.') : error
  }
}

/** Starts the server; if that fails, ends the process with a message. */
export function runServer(environment: NodeJS.ProcessEnv, meanwhile: Meanwhile) {
  showSourcesOfCrashes()
  return startServer(environment, meanwhile).catch(exitWith)
}
