import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/**
 * One statement with `:names` for the values that vary between repetitions; `keep` names its result for later
 * statements.
 */
export type Step = { text: string; keep?: string }

const mark = '@capture@'
/** Names the log shows for connections without an application name, such as those that serve requests. */
const unnamedApplications = new Set(['', '[unknown]'])

/**
 * Statements the product sends while `work` runs, in order and with their values, read from PostgreSQL's log. Listeners
 * and the job queue's housekeeping, which have application names, are left out.
 */
export async function statementsOf(owner: pg.Client, logFile: string, work: () => Promise<void>): Promise<string[]> {
  const setting = (text: string) => owner.query(`ALTER SYSTEM ${text}`)
  const logSizeBefore = fs.statSync(logFile).size
  await setting(`SET log_line_prefix = '${mark}%p %a|'`)
  await setting("SET log_statement = 'all'")
  await owner.query('SELECT pg_reload_conf()')
  await wait(500)
  await work()
  await setting('RESET log_statement')
  await setting('RESET log_line_prefix')
  await owner.query('SELECT pg_reload_conf()')
  await wait(500)
  const text = fs.readFileSync(logFile).subarray(logSizeBefore).toString('utf8')
  const { rows } = await owner.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const ownPid = String(rows[0]!.pid)
  const statements: string[] = []
  for (const entry of text.split(mark).slice(1)) {
    const [, pid, application, kind, rest] = /^(\d+) ([^|]*)\|(\w+): {2}([\s\S]*)$/.exec(entry) ?? []
    if (pid === ownPid || !unnamedApplications.has(application!) || rest === undefined) continue
    const [, statement] = /^(?:statement|execute [^:]*): ([\s\S]*)$/.exec(rest) ?? []
    if (kind === 'LOG' && statement !== undefined) statements.push(statement.trim())
    const [, values] = /^Parameters: ([\s\S]*)$/.exec(rest) ?? []
    if (kind === 'DETAIL' && values !== undefined) statements.push(withValues(statements.pop()!, values))
  }
  return statements
}

/** Replaces `$1` and so on by the literals in the log. */
function withValues(statement: string, values: string): string {
  const literals = new Map<string, string>()
  for (const [, name, literal] of values.matchAll(/\$(\d+) = (NULL|'(?:[^']|'')*')/g)) literals.set(name!, literal!)
  return statement.replace(/\$(\d+)/g, (whole, name) => literals.get(name) ?? whole)
}

/** The statements as a pgbench script, one per line. */
const scriptOf = (steps: readonly Step[]) =>
  steps.map(({ text, keep }) => `${text.replace(/\s*\n\s*/g, ' ').trim()}${keep ? ` \\aset ${keep}_` : ';'}`).join('\n')

type Run = {
  databaseUrl: string
  steps: readonly Step[]
  connections: number
  seconds: number
  /** `:number` in a connection's nth repetition is `from + connection × apart + n`. */
  from: number
  apart: number
}

export type Rate = { perSecond: number; transactions: number; by: string }

/** Repeats the steps on this many connections: with pgbench if installed, otherwise from this process. */
export const repeated = (run: Run): Promise<Rate> => {
  const program = findPgbench()
  return program ? byPgbench(program, run) : runFromHere(run)
}

function findPgbench(): string | undefined {
  const homes = fs.existsSync('/usr/lib/postgresql')
    ? fs.readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`)
    : []
  return [...homes.toSorted().reverse(), 'pgbench'].find(
    (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
  )
}

async function byPgbench(
  program: string,
  { databaseUrl, steps, connections, seconds, from, apart }: Run,
): Promise<Rate> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-pgbench-'))
  const file = path.join(folder, 'script.sql')
  fs.writeFileSync(
    file,
    `\\set turn :turn + 1\n\\set number ${from} + :client_id * ${apart} + :turn\n${scriptOf(steps)}\n`,
  )
  try {
    const args = ['-n', '-M', 'simple', '-f', file, '-D', 'turn=0']
    const child = spawn(program, [...args, '-c', `${connections}`, '-j', '2', '-T', `${seconds}`, databaseUrl])
    let output = ''
    child.stdout.on('data', (piece) => {
      output += piece
    })
    child.stderr.on('data', (piece) => {
      output += piece
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    const [, perSecond] = /tps = ([\d.]+)/.exec(output) ?? []
    const [, transactions] = /actually processed: (\d+)/.exec(output) ?? []
    if (code !== 0 || !perSecond || /number of failed transactions: [1-9]|ERROR/.test(output))
      throw new Error(`pgbench: ${output}`)
    return { perSecond: Number(perSecond), transactions: Number(transactions), by: path.basename(program) }
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

async function runFromHere({ databaseUrl, steps, connections, seconds, from, apart }: Run): Promise<Rate> {
  const startMs = performance.now()
  let transactions = 0
  const work = async (_: unknown, connection: number) => {
    const client = new pg.Client({ connectionString: databaseUrl })
    await client.connect()
    for (let turn = 1; performance.now() - startMs < seconds * 1_000; turn++) {
      const values: Record<string, unknown> = { number: from + connection * apart + turn }
      for (const { text, keep } of steps) {
        const textWithValues = text.replace(/(?<!:):([a-z]\w*)/gi, (whole, name) => String(values[name] ?? whole))
        const { rows } = await client.query(textWithValues)
        if (keep) for (const [column, value] of Object.entries(rows.at(-1) ?? {})) values[`${keep}_${column}`] = value
      }
      transactions++
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: connections }, work))
  return { perSecond: transactions / ((performance.now() - startMs) / 1_000), transactions, by: 'node-postgres' }
}
