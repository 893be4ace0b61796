import { readConfig } from './config.ts'
import { offerFirstSetup } from './modules/accounts/setup/setup-link.ts'
import { startSending } from './modules/sending/sender.ts'
import { deviceKeeperOf } from './modules/whatsapp/device/device-keeper.ts'
import { mustAnswer } from './platform/postgres/start-database.ts'
import { exitWith, StartError } from './platform/postgres/start-error.ts'
import { returnMemoryOfLoading } from './platform/return-memory.ts'
import { showSourcesOfCrashes } from './platform/source-positions.ts'
import { startServices } from './platform/start-services.ts'
import { stopOnSignal } from './platform/stop-on-signal.ts'

/** Runs jobs instead of serving HTTP, beside servers with RUN_JOBS=false. If that fails, ends the process. */
export function runWorker(environment: NodeJS.ProcessEnv): Promise<void> {
  showSourcesOfCrashes()
  return startWorker(environment).catch(exitWith)
}

async function startWorker(environment: NodeJS.ProcessEnv) {
  const config = readConfig(environment)
  if (!config.databaseUrl)
    throw new StartError('A worker of its own needs DATABASE_URL: the embedded database belongs to npm start.')
  await mustAnswer(config.databaseUrl)
  const { services, runner, stop } = await startServices({ config, connectionString: config.databaseUrl })
  let sending: ReturnType<typeof startSending> | undefined
  stopOnSignal(async () => {
    await sending?.stop()
    await deviceKeeperOf(services).stop()
    await stop()
  })
  await runner.work(services)
  sending = startSending(services)
  services.log.info('worker is running')
  returnMemoryOfLoading()
  const setup = await offerFirstSetup(services, config.publicUrl)
  if (setup) process.stdout.write(`${setup}\n`)
}
