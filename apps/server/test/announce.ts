import { announceResultsJob } from '#server/modules/admissions/results/announce-results.job.ts'
import { systemClock } from '#server/platform/clock.ts'
import { connect } from '#server/platform/database/database.ts'
import { createJobRunner } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { testConfig } from './test-config.ts'

/** Announces results in a separate process that a test may kill: `announce.ts <database> <job data>`. */
const [connectionString, data] = process.argv.slice(2)
const { db } = connect(connectionString!, { max: 2 })
const log = console as unknown as Services['log']
const jobs = createJobRunner({ connectionString: connectionString!, jobs: [], log, passive: db })
await jobs.start()
const services = { db, jobs, log, clock: systemClock, config: testConfig() } as unknown as Services
process.stdout.write('started\n')
await announceResultsJob.run(services, announceResultsJob.data.parse(JSON.parse(data!)))
process.exit(0)
