import crypto from 'node:crypto'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { type Bench, prepare, start, waitForExit } from './measure.ts'
import { memoryOf } from './watching-process.ts'

const streams = Number(process.env.BENCH_STREAMS ?? 2_000)
const messages = 300
/** Applicants who write in turn, because each may send only 30 messages a minute. */
const writers = 100
const staffCount = 20
const goals = { delayMs: 400, memoryMb: 150 }

type Reader = { token: string; number: number }
type OnEvents = (events: { conversation: string; kind: string; seq: number | null }[]) => void

const agent = new http.Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
const headersOf = ({ token, number }: Reader) => ({
  authorization: `Bearer ${token}`,
  'x-forwarded-for': `127.3.${number >> 8}.${number & 255}`,
})

/** Opens a stream and resolves at its first cursor. */
const listen = (url: string, reader: Reader, onEvents: OnEvents = () => {}) =>
  new Promise<http.ClientRequest>((resolve, reject) => {
    const request = http.get(`${url}/api/chat/stream`, { agent, headers: headersOf(reader) }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`A stream was answered ${response.statusCode}`))
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const parts = (rest + chunk).split('\n\n')
        rest = parts.pop()!
        for (const part of parts) {
          const data = /^data: (.*)$/m.exec(part)?.[1]
          if (data === undefined) continue
          resolve(request)
          if (data.startsWith('[')) onEvents(JSON.parse(data))
        }
      })
      response.on('error', () => {})
    })
    request.on('error', reject)
  })

async function call<T>(url: string, reader: Reader, address: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/api${address}`, {
    method: body ? 'POST' : 'GET',
    headers: { ...headersOf(reader), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${address}: ${await answer.text()}`)
  return answer.json() as Promise<T>
}

/** Sessions of applicants, or of new staff, inserted without signing in, which another case measures. */
async function signIn(
  db: pg.Client,
  role: 'Mahasiswa' | 'Panitia PMB',
  count: number,
  from: number,
): Promise<Reader[]> {
  const readers = Array.from({ length: count }, (_, index) => ({
    token: crypto.randomBytes(32).toString('base64url'),
    number: from + index,
  }))
  const { rows } = await db.query<{ id: string }>(
    `INSERT INTO accounts (name, email, role_id, email_verified_at)
     SELECT 'Pembaca ' || n, 'pembaca-' || n || '@demo.test', (SELECT id FROM roles WHERE name = $1), now()
     FROM generate_series($2::int, $3::int) n RETURNING id`,
    [role, from, from + count - 1],
  )
  await db.query(
    `INSERT INTO sessions (account_id, token_hash, created_at, last_seen_at, expires_at)
     SELECT a, t, now(), now(), now() + interval '1 day' FROM unnest($1::uuid[], $2::bytea[]) AS x (a, t)`,
    [rows.map(({ id }) => id), readers.map(({ token }) => crypto.createHash('sha256').update(token).digest())],
  )
  return readers
}

const quantile = (values: number[], share: number) =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/**
 * Applicants write at one server; a clerk at the other reads each message as soon as the stream announces it. Returns
 * the milliseconds from sending to the text on the clerk's screen.
 */
async function timeMessages([here, there]: [string, string], people: Reader[], clerk: Reader) {
  const arrivals = new Map<string, (at: number) => void>()
  const lastRead = new Map<string, number>()
  const stream = await listen(there, clerk, async (events) => {
    for (const { conversation, kind, seq } of events) {
      if (kind !== 'message' || seq === null || seq <= (lastRead.get(conversation) ?? 0)) continue
      const after = lastRead.get(conversation) ?? seq - 1
      lastRead.set(conversation, seq)
      const read = await call<{ data: { id: string }[] }>(
        there,
        clerk,
        `/chat/conversations/${conversation}/messages?after=${after}`,
      )
      for (const { id } of read.data) arrivals.get(id)?.(performance.now())
    }
  })
  const delays: number[] = []
  const send = async (index: number) => {
    const id = crypto.randomUUID()
    const startMs = performance.now()
    const arrived = new Promise<number>((resolve) => arrivals.set(id, resolve))
    await call(here, people[index % people.length]!, '/chat/own/messages', { id, body: `Pesan ${index}` })
    const at = await Promise.race([arrived, wait(10_000)])
    if (at === undefined) throw new Error(`Message ${index} did not arrive within ten seconds`)
    delays.push((at as number) - startMs)
  }
  const running: Promise<void>[] = []
  for (let index = 0; index < messages; index++) {
    running.push(send(index))
    // Twenty a second, as on a busy day.
    await wait(50)
  }
  await Promise.all(running)
  stream.destroy()
  return delays
}

async function measureOn(bench: Bench, secondUrl: string, db: pg.Client) {
  const people = await signIn(db, 'Mahasiswa', streams, 1)
  const staff = await signIn(db, 'Panitia PMB', staffCount + 1, 20_000)
  const warmUp = await Promise.all(people.slice(0, 50).map((person) => listen(bench.url, person)))
  await timeMessages([secondUrl, bench.url], people.slice(0, writers), staff[staffCount]!)
  for (const stream of warmUp) stream.destroy()
  await wait(3_000)
  const beforeMb = memoryOf(bench.pid)
  const open: http.ClientRequest[] = []
  for (let from = 0; from < streams - staffCount; from += 50)
    open.push(
      ...(await Promise.all(
        people.slice(from, Math.min(from + 50, streams - staffCount)).map((one) => listen(bench.url, one)),
      )),
    )
  open.push(...(await Promise.all(staff.slice(0, staffCount).map((one) => listen(bench.url, one)))))
  await wait(3_000)
  const openMb = memoryOf(bench.pid)
  // Waits until each sender's limit per minute has reset.
  await wait(30_000)
  const delays = await timeMessages([secondUrl, bench.url], people.slice(0, writers), staff[staffCount]!)
  const busyMb = memoryOf(bench.pid)
  for (const stream of open) stream.destroy()
  return { beforeMb, memoryMb: Math.max(openMb, busyMb) - beforeMb, delays }
}

/**
 * Two servers on one database: measures the delay to the other screen and the cost of open streams; returns whether
 * both goals are met.
 */
export async function chatTimes(): Promise<boolean> {
  const bench = await prepare({ registrations: 1_000 })
  const db = new pg.Client({ connectionString: bench.databaseUrl })
  await db.connect()
  const second = await start(path.resolve(import.meta.dirname, '../apps/server/src/main.mjs'), {
    DATABASE_URL: bench.databaseUrl,
    PMB_DATA_DIR: bench.dataDir,
    PORT: '0',
    HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    TRUST_PROXY: 'loopback',
    RUN_JOBS: 'false',
  })
  try {
    while (!(await fetch(`${second.url}/api/ready`)).ok) await wait(500)
    const { beforeMb, memoryMb, delays } = await measureOn(bench, second.url, db)
    const [p50, p95] = [quantile(delays, 0.5), quantile(delays, 0.95)]
    console.table([
      { figure: 'delay to the other screen, p50, ms', value: Math.round(p50), goal: '' },
      { figure: 'delay to the other screen, p95, ms', value: Math.round(p95), goal: goals.delayMs },
      {
        figure: `memory of ${streams} streams, MB above ${Math.round(beforeMb)}`,
        value: Math.round(memoryMb),
        goal: goals.memoryMb,
      },
    ])
    return p95 <= goals.delayMs && memoryMb <= goals.memoryMb
  } finally {
    await waitForExit(second.child)
    await db.end()
    await bench.close()
  }
}
