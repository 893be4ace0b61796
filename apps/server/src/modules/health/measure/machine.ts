import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import tls from 'node:tls'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import type { HealthState } from '#domain/health/lines.ts'
import { theOnly } from '#domain/must.ts'
import type { Config } from '#server/config.ts'
import type { Services } from '#server/platform/services.ts'
import { readConnections } from './database.ts'
import { dayMs, hourMs, type MeasuredLine } from './line.ts'
import { problemOf, readLastRuns } from './maintenance.ts'

const gigabyte = 1e9

export type Disk = { freeBytes: number; sizeBytes: number }

/** Free space on the disk of a folder, or of its nearest existing parent. */
export async function readDisk(folder: string): Promise<Disk> {
  const existing = fs.existsSync(folder) || path.dirname(folder) === folder
  if (!existing) return readDisk(path.dirname(folder))
  const { bavail, blocks, bsize } = await fs.promises.statfs(folder)
  return { freeBytes: bavail * bsize, sizeBytes: blocks * bsize }
}

/**
 * Red below 1 GB or 3 %, soon below 5 GB or 10 %. A share counts only below 20 GB, because a large disk still has room.
 */
export function stateOfDisk({ freeBytes, sizeBytes }: Disk): HealthState {
  const below = (bytes: number, share: number) =>
    freeBytes < bytes || (freeBytes < 20 * gigabyte && freeBytes / sizeBytes < share)
  return below(gigabyte, 0.03) ? 'red' : below(5 * gigabyte, 0.1) ? 'soon' : 'ok'
}

async function measureDisk(name: 'data-disk' | 'backup-disk', folder: string): Promise<MeasuredLine> {
  try {
    const disk = await readDisk(folder)
    const facts = { ...disk, freeShare: disk.freeBytes / disk.sizeBytes, folder }
    return { name, state: stateOfDisk(disk), code: 'disk', facts }
  } catch (error) {
    return { name, state: 'soon', code: 'disk-unreadable', facts: { folder, problem: (error as Error).message } }
  }
}

export type Certificate =
  | { kind: 'valid'; expiresAt: Date }
  | { kind: 'refused'; expiresAt: Date | null; problem: string }
  | { kind: 'unreachable'; problem: string }

/** The TLS certificate that visitors of an https address receive. */
const fetchCertificate = (address: URL): Promise<Certificate> =>
  new Promise((resolve) => {
    const host = address.hostname.replace(/^\[|\]$/g, '')
    const isName = !/^[\d.]+$|:/.test(host)
    const socket = tls.connect({
      host,
      port: Number(address.port || 443),
      ...(isName && { servername: host }),
      // Reads refused certificates too: the page says why they are refused.
      rejectUnauthorized: false,
      timeout: 10_000,
    })
    const end = (certificate: Certificate) => {
      socket.destroy()
      resolve(certificate)
    }
    socket.once('timeout', () => end({ kind: 'unreachable', problem: 'no answer in 10 seconds' }))
    socket.once('error', (error) => end({ kind: 'unreachable', problem: error.message }))
    socket.once('secureConnect', () => {
      const { valid_to: validTo } = socket.getPeerCertificate()
      const expiresAt = validTo ? new Date(validTo) : null
      if (socket.authorized && expiresAt) end({ kind: 'valid', expiresAt })
      else end({ kind: 'refused', expiresAt, problem: String(socket.authorizationError ?? 'no certificate') })
    })
  })

const certificates = new WeakMap<Config, { at: number; certificate: Certificate }>()

/** `fetchCertificate`, at most once a day, or once an hour after a failure. Null if visitors come without TLS. */
export async function readCertificate({ config, clock }: Services): Promise<Certificate | null> {
  const address = new URL(config.publicUrl)
  if (address.protocol !== 'https:') return null
  const now = clock.now().getTime()
  const known = certificates.get(config)
  if (known && now - known.at < (known.certificate.kind === 'valid' ? dayMs : hourMs)) return known.certificate
  const certificate = await fetchCertificate(address)
  certificates.set(config, { at: now, certificate })
  return certificate
}

async function measureCertificate(services: Services): Promise<MeasuredLine> {
  const name = 'certificate'
  const certificate = await readCertificate(services)
  if (!certificate) {
    const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(new URL(services.config.publicUrl).hostname)
    return { name, state: isLocal ? 'ok' : 'soon', code: 'certificate-none', facts: {} }
  }
  if (certificate.kind === 'unreachable')
    return { name, state: 'soon', code: 'certificate-unreachable', facts: { problem: certificate.problem } }
  if (certificate.kind === 'refused')
    return { name, state: 'red', code: 'certificate-refused', facts: { problem: certificate.problem } }
  const days = Math.floor((certificate.expiresAt.getTime() - services.clock.now().getTime()) / dayMs)
  // Let's Encrypt renews 30 days before the end.
  const state = days < 7 ? 'red' : days < 21 ? 'soon' : 'ok'
  return { name, state, code: 'certificate-days', facts: { days, expiresAt: certificate.expiresAt.toISOString() } }
}

const run = promisify(execFile)

/** Whether NTP synchronises the machine's clock; null if `timedatectl` cannot tell. */
async function readSynchronised(): Promise<boolean | null> {
  try {
    const { stdout } = await run('timedatectl', ['show', '-p', 'NTPSynchronized', '--value'], { timeout: 2_000 })
    return stdout.trim() === 'yes' ? true : stdout.trim() === 'no' ? false : null
  } catch {
    return null
  }
}

/** Seconds this server's clock is ahead of the database's, and whether NTP synchronises it. */
export async function readClock({ db, clock }: Services) {
  const before = clock.now().getTime()
  const { rows } = await sql<{ at: Date }>`SELECT clock_timestamp() AS at`.execute(db)
  const after = clock.now().getTime()
  const aheadSeconds = ((before + after) / 2 - theOnly(rows).at.getTime()) / 1_000
  return { aheadSeconds: Math.round(aheadSeconds * 10) / 10, synchronised: await readSynchronised() }
}

/** Two-factor codes tolerate 30 seconds, and banks refuse signatures whose time is minutes off. */
export const stateOfClock = (aheadSeconds: number): HealthState =>
  Math.abs(aheadSeconds) >= 20 ? 'red' : Math.abs(aheadSeconds) >= 2 ? 'soon' : 'ok'

async function measureClock(services: Services): Promise<MeasuredLine> {
  const { aheadSeconds, synchronised } = await readClock(services)
  const state = stateOfClock(aheadSeconds)
  const isDrifting = synchronised === false
  return {
    name: 'clock',
    state: isDrifting && state === 'ok' ? 'soon' : state,
    code: isDrifting ? 'clock-unsynchronised' : 'clock',
    facts: { aheadSeconds },
  }
}

const root = path.resolve(import.meta.dirname, '../../../../../..')

/** Start of the checkout's commit hash; empty if the files came without Git. */
function readCommit(): string {
  try {
    const git = path.join(root, '.git')
    const head = fs.readFileSync(path.join(git, 'HEAD'), 'utf8').trim()
    if (!head.startsWith('ref: ')) return head.slice(0, 8)
    const ref = head.slice(5)
    const loose = path.join(git, ref)
    if (fs.existsSync(loose)) return fs.readFileSync(loose, 'utf8').slice(0, 8)
    const packed = fs.readFileSync(path.join(git, 'packed-refs'), 'utf8')
    return (
      packed
        .split('\n')
        .find((line) => line.endsWith(` ${ref}`))
        ?.slice(0, 8) ?? ''
    )
  } catch {
    return ''
  }
}

/** Read once at the start: files on disk may change while the old code still runs. */
export const runningVersion = {
  version: String(JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version),
  commit: readCommit(),
}

async function measureVersion(services: Services): Promise<MeasuredLine> {
  const { server: postgres } = await readConnections(services)
  const facts = {
    ...runningVersion,
    node: process.versions.node,
    postgres,
    startedAt: new Date(Date.now() - process.uptime() * 1_000).toISOString(),
  }
  const { last } = await readLastRuns(services, 'update')
  if (!last) return { name: 'version', state: 'ok', code: 'version', facts }
  const at = last.finishedAt.toISOString()
  if (last.ok) return { name: 'version', state: 'ok', code: 'version-updated', facts: { ...facts, updatedAt: at } }
  const failed = { triedAt: at, problem: problemOf(last) }
  return { name: 'version', state: 'ok', code: 'version-update-failed', facts: { ...facts, ...failed } }
}

/** Disks, certificate, clock and version, measured on this server. */
export const measureMachine = async (services: Services) =>
  Promise.all([
    measureDisk('data-disk', services.config.dataDir),
    measureDisk('backup-disk', services.config.backupDir),
    measureCertificate(services),
    measureClock(services),
    measureVersion(services),
  ])
