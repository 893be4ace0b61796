import { letterBatchJob } from '#server/modules/letters/batches/letter-batch.job.ts'
import { systemClock } from '#server/platform/clock.ts'
import { connect } from '#server/platform/database/database.ts'
import { localStore } from '#server/platform/files/file-store.ts'
import type { Services } from '#server/platform/services.ts'
import { testConfig } from './test-config.ts'

/**
 * Works on a batch of letters in a separate process that a test may kill: `print-letters.ts <database> <files>
 * <batch>`.
 */
const [connectionString, folder, batchId] = process.argv.slice(2)
const { db } = connect(connectionString!, { max: 2 })
const log = console as unknown as Services['log']
const services = {
  db,
  log,
  clock: systemClock,
  config: testConfig(),
  files: localStore(folder!),
} as unknown as Services
process.stdout.write('started\n')
await letterBatchJob.run(services, { batchId: batchId! })
process.exit(0)
