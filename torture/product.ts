import { type ChildProcess, spawn } from 'node:child_process'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { runningEmbeddedUrl } from '#server/platform/postgres/embedded-postgres.ts'

const main = path.resolve(import.meta.dirname, '../apps/server/src/main.mjs')
/** Longest wait for the server, generous for a machine under load. */
const patienceMs = 120_000

export type Product = {
  url: string
  databaseUrl: string
  secretKey: string
  dataDir: string
  /** Aborted if the server ends without being killed. */
  died: AbortSignal
  start(): Promise<void>
  /** SIGKILL, without a chance to clean up. */
  killServer(): Promise<void>
  /** SIGKILL to PostgreSQL's first process, while the server keeps running. */
  killDatabase(): Promise<void>
  /** Waits until requests can be answered. */
  ready(): Promise<void>
  stop(): Promise<void>
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })

const waitForExit = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode) resolve()
    else child.once('exit', () => resolve())
  })

/** Controls the real server with its embedded database in a separate data folder. */
export async function productIn(
  dataDir: string,
  secretKey: string,
  environment: Record<string, string> = {},
): Promise<Product> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const log = fs.openSync(path.join(dataDir, 'server.log'), 'a')
  let child: ChildProcess | undefined
  let isKilling = false
  const death = new AbortController()

  async function waitUntilReady() {
    const until = Date.now() + patienceMs
    while (Date.now() < until) {
      death.signal.throwIfAborted()
      const answer = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
      if (answer?.ok) return
      await wait(50)
    }
    throw new Error('the server was not ready within two minutes')
  }

  const postmaster = () =>
    Number(fs.readFileSync(path.join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8').split('\n')[0])

  return {
    url,
    databaseUrl: runningEmbeddedUrl(dataDir, 'pmb'),
    secretKey,
    dataDir,
    died: death.signal,
    async start() {
      isKilling = false
      child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main], {
        env: {
          PATH: process.env.PATH,
          PMB_DATA_DIR: dataDir,
          SECRET_KEY: secretKey,
          PORT: String(port),
          HOST: '127.0.0.1',
          LOG_LEVEL: 'error',
          ...environment,
        },
        stdio: ['ignore', log, log],
      })
      child.once('exit', (code, signal) => {
        if (!isKilling)
          death.abort(new Error(`The server ended by itself (${signal ?? code}); see ${dataDir}/server.log.`))
      })
      await waitUntilReady()
    },
    async killServer() {
      isKilling = true
      child!.kill('SIGKILL')
      await waitForExit(child!)
    },
    async killDatabase() {
      const pid = postmaster()
      process.kill(pid, 'SIGKILL')
      // The dead process's lock file remains until the next one writes its own.
      for (let waitedMs = 0; waitedMs < patienceMs && postmasterOr(pid, postmaster) === pid; waitedMs += 20)
        await wait(20)
    },
    ready: waitUntilReady,
    async stop() {
      if (!child) return
      isKilling = true
      child.kill('SIGTERM')
      const killTimer = setTimeout(() => child?.kill('SIGKILL'), 40_000)
      await waitForExit(child)
      clearTimeout(killTimer)
      fs.closeSync(log)
    },
  }
}

function postmasterOr(fallback: number, read: () => number) {
  try {
    return read() || fallback
  } catch {
    return fallback
  }
}
