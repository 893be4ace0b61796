import fs from 'node:fs'
import { Session } from 'node:inspector/promises'

/*
 * Imported before the product (`node --import`): the first SIGUSR2 starts a processor profile, the second writes it to
 * the file named by `BENCH_PROFILE`.
 */
const session = new Session()
session.connect()
let isRunning = false

process.on('SIGUSR2', async () => {
  if (!isRunning) {
    isRunning = true
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 200 })
    await session.post('Profiler.start')
    return
  }
  const { profile } = await session.post('Profiler.stop')
  isRunning = false
  const file = process.env.BENCH_PROFILE!
  fs.writeFileSync(`${file}.part`, JSON.stringify(profile))
  fs.renameSync(`${file}.part`, file)
})
