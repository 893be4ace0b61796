import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bundleServer } from '#server/bundle.mjs'
import { type Case, start, waitForExit } from '../measure.ts'

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'pmb-bench-start-'))
const product = path.resolve(import.meta.dirname, '../../apps/server/src/main.mjs')
const peer = path.resolve(import.meta.dirname, '../peers/hello.ts')
const environment = { PMB_DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error' }

/** Whole megabytes of memory a process uses; 0 without /proc. */
function residentMb(pid: number): number {
  const status = fs.existsSync(`/proc/${pid}/status`) ? fs.readFileSync(`/proc/${pid}/status`, 'utf8') : ''
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
}

/** Starts per second, from starting Node to the first answer; prints the memory of the process. */
async function startOnce(name: string, file: string, env: Record<string, string>, address: string): Promise<number> {
  const startMs = performance.now()
  const { child, url } = await start(file, env)
  try {
    // On a loaded machine the start itself counts as pressure for a second, and the first answers are 503.
    while (!(await fetch(`${url}${address}`)).ok) await wait(20)
    const ms = performance.now() - startMs
    console.log(`${name}: first answer after ${Math.round(ms)} ms, ${residentMb(child.pid!)} MB`)
    return 1000 / ms
  } finally {
    await waitForExit(child)
  }
}

let isPrepared = false

/** The product with embedded PostgreSQL on existing data, against a minimal Fastify server. */
export const startCase: Case = {
  ownDatabase: true,
  goal: 0.15,
  unit: 'starts/s',
  async ours() {
    // The first start creates the data. It and `npm start` leave what later starts load: compiled code and the bundle.
    if (!isPrepared) {
      await bundleServer()
      await startOnce('preparing', product, environment, '/api/health')
    }
    isPrepared = true
    return startOnce('product', product, environment, '/api/health')
  },
  theirs: () => startOnce('peer', peer, {}, '/'),
  close: async () => fs.rmSync(dataDir, { recursive: true, force: true }),
}
