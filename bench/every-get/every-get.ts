import fs from 'node:fs/promises'
import path from 'node:path'
import { type Call, callsOf, withAddress } from './calls.ts'
import { type Reader, type Reply, signIn } from './reader.ts'
import { type FoundValues, type Get, type Parameter, valuesFor } from './values.ts'

/** Longest time an answer may take for one reader. */
const limitMs = 50
const shownCount = 30
const applicants = [1000, 1003, 1010, 1021].map((number) => `camaba${number}@demo.test`)

/** A slow call is repeated this often in a row, in so many rows at most, until a row is within the limit. */
const repetitions = 5
const rowsAtMost = 3

/**
 * `ms` is the better of two calls, or what a slow call takes when repeated; `firstMs` is the first call,
 * before the total was cached.
 */
type Timed = { reader: string; route: string; address: string; ms: number; firstMs: number; apart: boolean }
type Problem = { reader: string; route: string; reason: string }

/** Calls that need something only an outside system has, by path. */
const uncallable: Record<string, string> = {
  '/api/auth/google/start': 'leads to Google, and is open only where Google is set up',
  '/api/auth/google/callback': 'needs a code from Google',
  '/api/auth/verify-email': 'needs the key in a mail',
  '/api/verifikasi/{code}': 'needs the code printed on a card',
  '/api/verifikasi-kuitansi/{code}': 'needs the code printed on a receipt',
  '/api/whatsapp/webhook/{id}': 'needs the word agreed with WhatsApp',
  '/api/chat/stream': 'never ends; the run chat measures it',
}

type Operation = { summary?: string; description?: string; parameters?: Parameter[] }

/** Routes to call, as a regular expression of their paths; all by default. */
const chosenRoutes = new RegExp(process.env.BENCH_ROUTES ?? '')

/** Every GET in the API description, which is generated from the declared endpoints. */
async function describedGets(reader: Reader): Promise<Get[]> {
  const { body } = await reader.get('/api/docs/json')
  return Object.entries<Record<string, Operation>>(body.paths).flatMap(([path, { get }]) =>
    get
      ? [
          {
            path,
            summary: get.summary ?? '',
            permissions: [...(get.description ?? '').matchAll(/`([^`]+)`/g)].map(([, slug]) => slug!),
            parameters: get.parameters ?? [],
          },
        ]
      : [],
  )
}

const isApart = ({ path }: Get) =>
  /\/export$|\.pdf$|\/api\/reports\/|\/(?:content|template|download|file)$|getImage/.test(path)

const codeOf = ({ status, body }: Reply) => `${status} ${body?.code ?? ''} ${body?.message ?? ''}`.trim()

/** Milliseconds of processor used so far by the product and its PostgreSQL; undefined for a server elsewhere. */
type UsedMs = () => number | undefined

/**
 * Milliseconds of a repeated call: the best median of a row, or the processor time of a call if that is less, since a
 * busy machine lets a call wait. Jobs of the product count as part of the call.
 */
async function repeatedMs(reader: Reader, address: string, usedMs: UsedMs): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let row = 0; row < rowsAtMost && best > limitMs; row += 1) {
    const times: number[] = []
    const usedBefore = usedMs()
    for (let call = 0; call < repetitions; call += 1) times.push((await reader.get(address)).ms)
    const used = usedMs()
    if (used && usedBefore && used > usedBefore) best = Math.min(best, (used - usedBefore) / repetitions)
    best = Math.min(best, times.toSorted((a, b) => a - b)[Math.floor(repetitions / 2)]!)
  }
  return best
}

async function timeCall(
  reader: Reader,
  { get, path, query }: Call,
  { earlierMs, usedMs }: { earlierMs: number | undefined; usedMs: UsedMs },
): Promise<Timed | string> {
  const address = withAddress(path, query)
  const first = await reader.get(address)
  if (first.status >= 300) return codeOf(first)
  const apart = isApart(get) || !first.isJson
  const second = apart ? first : await reader.get(address)
  const better = Math.min(first.ms, second.ms)
  const ms = apart || better <= limitMs ? better : await repeatedMs(reader, address, usedMs)
  return { reader: reader.name, route: get.path, address, ms, firstMs: earlierMs ?? first.ms, apart }
}

type Reading = { reader: Reader; gets: Get[]; values: FoundValues }

/** A reader and the GETs it may call. */
async function readingOf(url: string, email: string): Promise<Reading> {
  const reader = await signIn(url, email)
  const allGets = await describedGets(reader)
  const permissions: { slug: string }[] = (await reader.get('/api/auth/permissions')).body.data
  const own = new Set(permissions.map(({ slug }) => slug))
  const gets = allGets.filter((get) => get.permissions.length === 0 || get.permissions.some((slug) => own.has(slug)))
  return { reader, gets, values: await valuesFor(reader, gets) }
}

async function timeGets({ reader, gets, values }: Reading, chosen: (get: Get) => boolean, usedMs: UsedMs) {
  const timed: Timed[] = []
  const problems: Problem[] = []
  const leave = (get: Get, reason: string) => problems.push({ reader: reader.name, route: get.path, reason })
  for (const get of gets.filter((get) => chosen(get) && chosenRoutes.test(get.path))) {
    const known = uncallable[get.path]
    const calls = known
      ? { reason: known }
      : await callsOf(get, values).catch((error: unknown) => ({ reason: String(error) }))
    if ('reason' in calls) {
      leave(get, calls.reason)
      continue
    }
    const refusals = new Map<string, number>()
    let answered = false
    for (const call of calls) {
      const earlierMs = values.firstMsOf(withAddress(call.path, call.query))
      const result = await timeCall(reader, call, { earlierMs, usedMs }).catch(String)
      if (typeof result === 'string') {
        refusals.set(result, (refusals.get(result) ?? 0) + 1)
        continue
      }
      timed.push(result)
      answered = true
      // A long run says at once which calls are slow.
      if (!result.apart && result.ms > limitMs) console.log(rowOf(result))
    }
    const said = [...refusals].map(([refusal, count]) => `${count} × ${refusal}`).join('; ')
    // Rows of some statuses lack this part. Only failures, and routes without any answer, are reported.
    if (!answered || /\b(?:5\d\d|422|429)\b|Error/.test(said)) leave(get, said)
  }
  return { timed, problems }
}

const rowOf = ({ reader, address, ms, firstMs }: Timed) =>
  `${ms.toFixed(1).padStart(9)}  ${firstMs.toFixed(1).padStart(9)}  ${reader.padEnd(13)}  ${decodeURIComponent(address)}`

/** The slowest call of each route, with the number of its calls above the limit. */
function slowestByRoute(timed: readonly Timed[]): string[] {
  const byRoute = Map.groupBy(timed, ({ reader, route }) => `${reader.replace(/\d+/, '')} ${route}`)
  return [...byRoute.values()]
    .map((calls) => calls.toSorted((a, b) => b.ms - a.ms))
    .toSorted(([a], [b]) => b!.ms - a!.ms)
    .slice(0, shownCount)
    .map((calls) => {
      const slowCount = calls.filter(({ ms }) => ms > limitMs).length
      return `${rowOf(calls[0]!)}${slowCount > 1 ? `  (${slowCount} of ${calls.length} calls of the route)` : ''}`
    })
}

const head = '       ms      first  reader         call'

/**
 * Calls every GET of the product with every order, filter and page, and prints the slowest; returns whether each
 * answers one reader in time. Files and reports come last and have no limit.
 */
export async function everyGet(url: string, usedMs: UsedMs): Promise<boolean> {
  const timed: Timed[] = []
  const problems: Problem[] = []
  const readings: Reading[] = []
  for (const email of ['administrator@demo.test', ...applicants]) readings.push(await readingOf(url, email))
  const timeAll = async (chosen: (get: Get) => boolean) => {
    for (const reading of readings) {
      const found = await timeGets(reading, chosen, usedMs)
      console.log(
        `${reading.reader.name}: ${reading.gets.filter(chosen).length} routes, ${found.timed.length} calls answered`,
      )
      timed.push(...found.timed)
      problems.push(...found.problems)
    }
  }
  await timeAll((get) => !isApart(get))
  const limited = timed.filter(({ apart }) => !apart)
  const slow = limited.filter(({ ms }) => ms > limitMs)
  console.log(`\n${limited.length} calls, ${slow.length} above ${limitMs} ms; the slowest of each route\n${head}`)
  for (const row of slowestByRoute(limited)) console.log(row)
  console.log('\nFiles and reports')
  await timeAll(isApart)
  console.log(head)
  for (const row of slowestByRoute(timed.filter(({ apart }) => apart))) console.log(row)
  console.log('\nNot called, or refused')
  const byReason = Map.groupBy(problems, ({ route, reason }) => `${route}: ${reason}`)
  for (const [reason, { length }] of byReason) console.log(`  ${reason}${length > 1 ? ` (${length} readers)` : ''}`)
  const file = path.resolve('.data/bench-every-get.json')
  await fs.mkdir(path.dirname(file), { recursive: true })
  await fs.writeFile(file, `${JSON.stringify({ timed: timed.toSorted((a, b) => b.ms - a.ms), problems }, null, 2)}\n`)
  return slow.length === 0
}
