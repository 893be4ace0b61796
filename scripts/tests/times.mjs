import fs from 'node:fs'
import path from 'node:path'
import { root } from '../steps.mjs'

/** Clock and CPU seconds of each test file's last run. */
const timesFile = path.join(root, '.data/test-times.json')
const slowestShown = 10
const mostSeconds = 30

/** Where test files add their times while running (see packages/testing/src/measure-file.ts). */
export function newTimesFile() {
  const file = path.join(root, '.data/test-times.new')
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.rmSync(file, { force: true })
  return file
}

/** Stores this run's times, prints the slowest files, and names those above 30 CPU seconds. */
export function keepTimes(newTimes) {
  const lines = fs.existsSync(newTimes) ? fs.readFileSync(newTimes, 'utf8').split('\n').filter(Boolean) : []
  const times = lines.map((line) => JSON.parse(line)).sort((a, b) => b.processor - a.processor)
  fs.rmSync(newTimes, { force: true })
  const earlier = fs.existsSync(timesFile) ? JSON.parse(fs.readFileSync(timesFile, 'utf8')) : {}
  for (const { file, ...time } of times) earlier[file] = time
  fs.writeFileSync(timesFile, JSON.stringify(earlier, null, 1))
  if (times.length < 2) return
  console.log('\nSlowest files, in seconds of the processor and on the clock:')
  for (const { file, processor, seconds } of times.slice(0, slowestShown)) console.log(lineOf(file, processor, seconds))
  const heavy = times.slice(slowestShown).filter(({ processor }) => processor > mostSeconds)
  if (heavy.length > 0) console.log(`Above ${mostSeconds} s of the processor besides:`)
  for (const { file, processor, seconds } of heavy) console.log(lineOf(file, processor, seconds))
}

const lineOf = (file, processor, seconds) =>
  `${processor.toFixed(1).padStart(8)}${seconds.toFixed(1).padStart(8)}  ${file}${processor > mostSeconds ? '  (too slow)' : ''}`
