import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { demoId, demoPassword } from '#seeds/demo/university.ts'
import { fillDatabase } from '#server/demo.ts'
import { startEmbeddedPostgres } from '#server/platform/postgres/embedded-postgres.ts'
import { nodeOptions } from '../scripts/steps.mjs'
import { processorMs } from './processor-time.ts'

export const seconds = 5
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
/** Number of registrations in the filled database; smaller numbers give a quick run whose figures mean nothing. */
const registrationsAsked = Number(process.env.BENCH_REGISTRATIONS ?? 200_000)

export type Figure = {
  case: string
  ours: number
  peer: number
  unit: string
  ratio: number
  goal: number
  /** Processor milliseconds per answer, of the product and of PostgreSQL; the same of the peer. */
  serverMs?: number
  postgresMs?: number
  peerServerMs?: number
  peerPostgresMs?: number
}

export type Bench = {
  url: string
  databaseUrl: string
  /** Signs in a demo account and returns its token. */
  token(email: string): Promise<string>
  ids: { wave: string; programme: string }
  /** Process id of the product, whose memory a case may watch. */
  pid: number
  postgresPid: number
  /** Data folder of the product. */
  dataDir: string
  close(): Promise<void>
}

type OnFilledDatabase = {
  ownDatabase?: undefined
  /** File in peers/ that prints the address it listens on; absent if the peer is PostgreSQL. */
  peer?: string
  ours(bench: Bench): Promise<number>
  theirs(bench: Bench & { peerUrl: string }): Promise<number>
}

/** A case that cannot use the filled database creates its own, the same for both sides. */
type OnOwnDatabase = { ownDatabase: true; ours(): Promise<number>; theirs(): Promise<number>; close(): Promise<void> }

export type Case = { goal: number; unit: string } & (OnFilledDatabase | OnOwnDatabase)

type Load = {
  url: string
  headers?: Record<string, string>
  connections?: number
  requests?: autocannon.Request[]
}

/** Headers that every request of a load sends besides its own. */
let commonHeaders: Record<string, string> = {}
export async function withHeaders<T>(headers: Record<string, string>, load: () => Promise<T>): Promise<T> {
  commonHeaders = headers
  return load().finally(() => {
    commonHeaders = {}
  })
}

/** Answers counted by all loads of this process. */
let answersOfLoads = 0

/** Called when the rows of a load are made and its requests begin. */
let onFirstRequest: (() => Promise<void> | void) | undefined

/** Answers with status 2xx per second. Any other answer fails the run, so that refusals are never counted as speed. */
export async function requestsPerSecond({ url, connections = 20, ...load }: Load): Promise<number> {
  let startedCount = 0
  await onFirstRequest?.()
  const headers = { ...load.headers, ...commonHeaders }
  const requests = load.requests?.map((request) => ({ ...request, headers: { ...request.headers, ...headers } }))
  const run = await autocannon({
    url,
    headers,
    connections,
    duration: seconds,
    // Every connection begins at a different index, so that no two send the same request at once.
    setupClient: (client) => {
      if (!requests) return
      const from = Math.floor((requests.length * startedCount++) / connections)
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)])
    },
  })
  if (run.non2xx > 0 || run.errors > 0) throw new Error(`${url}: ${run.non2xx} refused, ${run.errors} failed`)
  answersOfLoads += run.requests.total
  return run.requests.total / run.duration
}

export async function start(
  file: string,
  env: Record<string, string>,
  nodeArguments: string[] = [],
): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [...nodeOptions, ...process.execArgv, ...nodeArguments, file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout!.on('data', (chunk) => {
      output += chunk
      const address = /http:\/\/[\w.]+:\d+/.exec(output)
      if (address) resolve(address[0].replace('0.0.0.0', '127.0.0.1'))
    })
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}: ${output}`)))
  })
  return { child, url }
}

export const waitForExit = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })

/** A folder whose filled database the next run uses again, which saves filling a large one. */
const keptFolder = process.env.BENCH_DATA

type Preparation = {
  registrations?: number
  /** Further options of Node and environment of the product. */
  nodeArguments?: string[]
  environment?: Record<string, string>
  /** Called with PostgreSQL's address before the product starts; may change settings that need a restart. */
  configure?: (databaseUrl: string) => Promise<void>
}

/** Fills a separate database, unless the kept folder has one, and starts the product on it. */
export async function prepare({
  registrations = registrationsAsked,
  nodeArguments,
  environment,
  configure,
}: Preparation = {}): Promise<Bench> {
  const dataDir = keptFolder ?? (await fs.mkdtemp(path.join(os.tmpdir(), 'pmb-bench-')))
  const filledMark = path.join(dataDir, 'filled')
  const isFilled = await fs.access(filledMark).then(
    () => true,
    () => false,
  )
  let postgres = await startEmbeddedPostgres({ dataDir })
  const databaseUrl = postgres.url('postgres')
  if (!isFilled) {
    console.log(`Filling a database with ${registrations.toLocaleString('en')} registrations …`)
    const startMs = performance.now()
    await fillDatabase({
      environment: { DATABASE_URL: databaseUrl, PMB_DATA_DIR: dataDir, LOG_LEVEL: 'error' },
      registrations,
    })
    await fs.writeFile(filledMark, '')
    console.log(`Filled in ${((performance.now() - startMs) / 1000).toFixed(1)} s`)
  }
  if (configure) {
    await configure(databaseUrl)
    await postgres.stop()
    postgres = await startEmbeddedPostgres({ dataDir })
  }
  const productEnvironment = {
    DATABASE_URL: databaseUrl,
    PMB_DATA_DIR: dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    TRUST_PROXY: 'loopback',
    // Reports are computed on every call, never cached.
    KEEP_REPORTS_FROM: String(Number.MAX_SAFE_INTEGER),
    ...environment,
  }
  const main = path.resolve(import.meta.dirname, '../apps/server/src/main.mjs')
  const { child, url } = await start(main, productEnvironment, nodeArguments)
  // On a busy machine the first answers are 503.
  while (!(await fetch(`${url}/api/ready`)).ok) await wait(500)
  return {
    url,
    databaseUrl,
    pid: child.pid!,
    dataDir,
    postgresPid: await postmasterOf(databaseUrl),
    ids: { wave: demoId('waves:G1'), programme: demoId('studyProgrammes:IF') },
    async token(email) {
      const answer = await fetch(`${url}/api/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: demoPassword }),
      })
      if (!answer.ok) throw new Error(`${email} could not sign in: ${await answer.text()}`)
      return ((await answer.json()) as { access_token: string }).access_token
    },
    async close() {
      await waitForExit(child)
      await postgres.stop()
      if (!keptFolder) await fs.rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Process id of the PostgreSQL server, whose child processes answer the connections. */
async function postmasterOf(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder")
  await client.end()
  return Number((await fs.readFile(path.join(rows[0]!.folder, 'postmaster.pid'), 'utf8')).split('\n')[0])
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Runs a case and its peer in turn; the figure is the median of the rounds' ratios. */
export async function measure(name: string, benchCase: Case, filled: () => Promise<Bench>): Promise<Figure> {
  const { goal, unit } = benchCase
  const { ours, theirs, close, processes, peerProcesses } = await sidesOf(benchCase, filled)
  try {
    const results: { peer: Cost; ours: Cost }[] = []
    for (let round = 0; round < rounds; round++)
      results.push({ peer: await costOf(theirs, peerProcesses), ours: await costOf(ours, processes) })
    const round2 = (value: number) => Math.round(value * 100) / 100
    const of = (figure: (result: (typeof results)[number]) => number) => round2(median(results.map(figure)))
    return {
      case: name,
      ours: Math.round(of(({ ours }) => ours.rate)),
      peer: Math.round(of(({ peer }) => peer.rate)),
      unit,
      ratio: of(({ ours, peer }) => ours.rate / peer.rate),
      goal,
      ...(processes && { serverMs: of(({ ours }) => ours.serverMs), postgresMs: of(({ ours }) => ours.postgresMs) }),
      ...(peerProcesses && {
        peerServerMs: of(({ peer }) => peer.serverMs),
        peerPostgresMs: of(({ peer }) => peer.postgresMs),
      }),
    }
  } finally {
    await close()
  }
}

type Cost = { rate: number; serverMs: number; postgresMs: number }

/**
 * Answers per second of one side, and processor time per answer of its process and of PostgreSQL, without what the load
 * prepares. `onStart` runs when the requests begin.
 */
export async function costOf(
  load: () => Promise<number>,
  processes: Pick<Bench, 'pid' | 'postgresPid'> | undefined,
  onStart?: () => Promise<void>,
): Promise<Cost & { answers: number }> {
  const read = () => ({
    atMs: performance.now(),
    answers: answersOfLoads,
    serverMs: processes ? processorMs(processes.pid) : 0,
    postgresMs: processes ? processorMs(processes.postgresPid, { withChildren: true }) : 0,
  })
  let before = read()
  onFirstRequest = async () => {
    onFirstRequest = undefined
    await onStart?.()
    before = read()
  }
  const rate = await load()
  const after = read()
  // A case that sends its requests itself is not counted.
  const answers = after.answers - before.answers || (rate * (after.atMs - before.atMs)) / 1000
  return {
    rate,
    answers,
    serverMs: (after.serverMs - before.serverMs) / answers,
    postgresMs: (after.postgresMs - before.postgresMs) / answers,
  }
}

async function sidesOf(benchCase: Case, filled: () => Promise<Bench>) {
  if (benchCase.ownDatabase) return { ...benchCase, processes: undefined, peerProcesses: undefined }
  const bench = await filled()
  const peerProcess = benchCase.peer
    ? await start(path.resolve(import.meta.dirname, 'peers', benchCase.peer), { DATABASE_URL: bench.databaseUrl })
    : undefined
  return {
    processes: bench,
    peerProcesses: peerProcess && { pid: peerProcess.child.pid!, postgresPid: bench.postgresPid },
    ours: () => benchCase.ours(bench),
    theirs: () => benchCase.theirs({ ...bench, peerUrl: peerProcess?.url ?? '' }),
    close: async () => {
      if (peerProcess) await waitForExit(peerProcess.child)
    },
  }
}
