import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { reportSlugs } from '#domain/reports/report-names.ts'
import { statementsOf } from './captured-sql.ts'
import type { Bench } from './measure.ts'

/** Goals: ratio of a report's time to that of its own statements, and 95th percentile in milliseconds. */
const goalRatio = 1.2
const goalMs = 300
/** All reports, unless `BENCH_REPORTS` names some, separated by commas. */
const reportsAsked = process.env.BENCH_REPORTS?.split(',') ?? reportSlugs
const roundsAtMost = Number(process.env.BENCH_ROUNDS ?? 7)
const secondsPerReport = 20
const megabytesOfFile = 200
/** Cells per second, which are 25,000 rows of 12 columns. */
const cellsPerSecondOfFile = 300_000
const columnsOfFile = 14

const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.ceil(values.length * share) - 1)]!

async function timed(work: () => Promise<unknown>) {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

/**
 * Compares every report with the statements it runs, repeated by hand on one connection as prepared statements, and
 * measures the file of the list behind a figure. Returns whether all goals are met.
 */
export async function reportTimes(bench: Bench): Promise<boolean> {
  const authorization = `Bearer ${await bench.token('administrator@demo.test')}`
  const owner = new pg.Client({ connectionString: bench.databaseUrl })
  await owner.connect()
  const logFile = path.join(bench.dataDir, 'postgres/postgres.log')
  const call = async (slug: string, query = '') => {
    const answer = await fetch(`${bench.url}/api/reports/${slug}/figures?${query}`, {
      headers: { authorization, 'cache-control': 'no-cache' },
    })
    if (!answer.ok) throw new Error(`${slug}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const rows = []
  const failed: string[] = []
  const figuresOf = async (slug: string) => {
    await call(slug)
    const statements = await statementsOf(owner, logFile, async () => void (await call(slug)))
    const prepared = statements.filter((text) => /^(WITH|SELECT)/i.test(text))
    const runByHand = async () => {
      for (const [index, text] of prepared.entries()) await owner.query({ name: `${slug}-${index}`, text })
    }
    await runByHand()
    const [ours, byHand]: [number[], number[]] = [[], []]
    const untilMs = performance.now() + secondsPerReport * 1_000
    while (ours.length < roundsAtMost && (ours.length < 2 || performance.now() < untilMs)) {
      byHand.push(await timed(runByHand))
      ours.push(await timed(() => call(slug)))
    }
    return {
      report: slug,
      'by hand ms': Math.round(percentile(byHand, 0.5)),
      'ours ms': Math.round(percentile(ours, 0.5)),
      ratio: Math.round((percentile(ours, 0.5) / percentile(byHand, 0.5)) * 100) / 100,
      'p95 ms': Math.round(percentile(ours, 0.95)),
    }
  }
  // A report that cannot be measured fails the run, but the others still get their figures.
  for (const slug of reportsAsked) {
    try {
      const row = await figuresOf(slug)
      console.log(JSON.stringify(row))
      rows.push(row)
    } catch (error) {
      console.error(slug, error)
      failed.push(slug)
    }
  }
  await owner.end()
  console.table(rows)
  const file = await fileOfRows(bench, authorization)
  console.table([file])
  return (
    failed.length === 0 &&
    rows.every((row) => row.ratio <= goalRatio && row['p95 ms'] <= goalMs) &&
    file['more MB'] <= megabytesOfFile &&
    file['rows per second'] * columnsOfFile >= cellsPerSecondOfFile
  )
}

const megabytesOf = (pid: number) => {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** All prospective students as XLSX with 14 columns: measures the speed and the server's additional memory. */
async function fileOfRows(bench: Bench, authorization: string) {
  const before = megabytesOf(bench.pid)
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, megabytesOf(bench.pid))
  }, 100)
  const target = path.join(os.tmpdir(), `pmb-rows-${process.pid}.xlsx`)
  const startMs = performance.now()
  const answer = await fetch(
    `${bench.url}/api/reports/camaba/rows/export?year=all&figure=submitted&format=xlsx&compare=no`,
    { headers: { authorization } },
  )
  if (!answer.ok || !answer.body) throw new Error(`export: ${answer.status}`)
  const sink = fs.createWriteStream(target)
  for await (const piece of answer.body) sink.write(piece)
  await new Promise((resolve) => sink.end(resolve))
  clearInterval(watch)
  const seconds = (performance.now() - startMs) / 1000
  const bytes = fs.statSync(target).size
  fs.rmSync(target)
  const rows = await countSubmitted(bench)
  return {
    file: `XLSX of ${rows.toLocaleString('en')} rows`,
    'MB of file': Math.round(bytes / 1e6),
    seconds: Math.round(seconds * 10) / 10,
    'rows per second': Math.round(rows / seconds),
    'more MB': Math.round(most - before),
  }
}

async function countSubmitted(bench: Bench) {
  const client = new pg.Client({ connectionString: bench.databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ count: string }>(
    'SELECT count(*) FROM registrations WHERE submitted_at IS NOT NULL',
  )
  await client.end()
  return Number(rows[0]!.count)
}
