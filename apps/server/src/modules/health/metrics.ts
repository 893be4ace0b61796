import { healthStates } from '#domain/health/lines.ts'
import { binLimitsMs } from '#server/platform/http/answer-times.ts'
import type { Services } from '#server/platform/services.ts'
import { sameText } from '#server/platform/signed-text.ts'
import { readConnections, readDatabaseSize } from './measure/database.ts'
import { readQueues } from './measure/jobs.ts'
import { readCertificate, readClock, readDisk, runningVersion } from './measure/machine.ts'
import { readLastRuns } from './measure/maintenance.ts'
import { readBankRates, readMailRates } from './measure/traffic.ts'

type Sample = { value: number; labels?: Record<string, string>; suffix?: string }

/** Whether a bearer token is METRICS_TOKEN, compared in constant time. */
export const isMetricsToken = (token: string | undefined, metricsToken: string) => sameText(token ?? '', metricsToken)

const escapeLabel = (text: string) => text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/"/g, '\\"')

const labelsOf = (labels: Record<string, string> = {}) => {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}="${escapeLabel(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(',')}}` : ''
}

/** A metric in text format 0.0.4; empty if there is no sample. */
function metric(
  type: 'gauge' | 'counter' | 'histogram',
  name: string,
  help: string,
  samples: readonly Sample[],
): string {
  if (samples.length === 0) return ''
  const lines = samples.map(({ value, labels, suffix = '' }) => `pmb_${name}${suffix}${labelsOf(labels)} ${value}`)
  return `# HELP pmb_${name} ${help}\n# TYPE pmb_${name} ${type}\n${lines.join('\n')}\n`
}

/** All metrics. Line states are those last stored by the job, so that a scrape stays cheap. */
export async function writeMetrics(services: Services): Promise<string> {
  const { db, config, answerTimes } = services
  const [size, connections, queues, backups, restores, mails, banks, clock, certificate, lines, books] =
    await Promise.all([
      readDatabaseSize(services),
      readConnections(services),
      readQueues(services),
      readLastRuns(services, 'backup'),
      readLastRuns(services, 'restore_test'),
      readMailRates(services),
      readBankRates(services),
      readClock(services),
      readCertificate(services),
      db.selectFrom('healthLines').select(['name', 'server', 'state']).execute(),
      db.selectFrom('invariantRuns').select('found').orderBy('finishedAt', 'desc').limit(1).executeTakeFirst(),
    ])
  const disks = await Promise.all(
    Object.entries({ data: config.dataDir, backup: config.backupDir }).map(async ([name, path]) => ({
      name,
      disk: await readDisk(path).catch(() => null),
    })),
  )
  const now = services.clock.now().getTime()
  const ofDisks = (pick: 'freeBytes' | 'sizeBytes') =>
    disks.flatMap(({ name, disk }) => (disk ? [{ labels: { folder: name }, value: disk[pick] }] : []))
  const at = (date: Date | null | undefined) => (date ? [{ value: date.getTime() / 1_000 }] : [])
  const expiresAt = certificate && certificate.kind !== 'unreachable' ? certificate.expiresAt : null
  return [
    metric('gauge', 'build_info', 'Version and commit that run; always 1.', [{ labels: runningVersion, value: 1 }]),
    metric('gauge', 'process_start_time_seconds', 'Start of this server, in seconds since 1970.', [
      { value: Math.round(Date.now() / 1_000 - process.uptime()) },
    ]),
    metric('gauge', 'process_resident_memory_bytes', 'Memory of this server.', [{ value: process.memoryUsage.rss() }]),
    metric(
      'histogram',
      'http_request_duration_seconds',
      'Time to answer, by method and route.',
      answerTimes.sinceStart().flatMap(histogramOf),
    ),
    metric(
      'counter',
      'http_responses_total',
      'Answers by the class of their status.',
      [...answerTimes.statuses()].map(([digit, value]) => ({ labels: { status: `${digit}xx` }, value })),
    ),
    metric('gauge', 'database_size_bytes', 'Size of the database.', [{ value: size.sizeBytes }]),
    metric('gauge', 'database_connections', 'Connections to the database server.', [{ value: connections.used }]),
    metric('gauge', 'database_connections_limit', 'Connections it takes.', [{ value: connections.limit }]),
    metric(
      'gauge',
      'jobs',
      'Jobs by queue and state.',
      queues.flatMap(({ name, waiting, running, failed }) =>
        Object.entries({ waiting, running, failed }).map(([state, value]) => ({
          labels: { queue: name, state },
          value,
        })),
      ),
    ),
    metric(
      'gauge',
      'jobs_oldest_due_seconds',
      'Age of the oldest due job of a queue.',
      queues.flatMap(({ name, oldestDueAt }) =>
        oldestDueAt ? [{ labels: { queue: name }, value: Math.max(0, (now - oldestDueAt.getTime()) / 1_000) }] : [],
      ),
    ),
    metric('gauge', 'last_backup_timestamp_seconds', 'Last backup that succeeded.', at(backups.good?.finishedAt)),
    metric(
      'gauge',
      'last_restore_test_timestamp_seconds',
      'Last restore test that succeeded.',
      at(restores.good?.finishedAt),
    ),
    metric('gauge', 'disk_free_bytes', 'Free room of the disk of a folder.', ofDisks('freeBytes')),
    metric('gauge', 'disk_size_bytes', 'Size of the disk of a folder.', ofDisks('sizeBytes')),
    metric('gauge', 'mails_last_hour', 'Mails of the last hour by result.', [
      { labels: { result: 'sent' }, value: mails.hourGood },
      { labels: { result: 'failed' }, value: mails.hourFailed },
    ]),
    metric('gauge', 'mails_waiting', 'Mails of the last day that still wait.', [{ value: mails.waiting }]),
    metric('gauge', 'bank_calls_last_hour', 'Calls to banks of the last hour by result.', [
      { labels: { result: 'answered' }, value: banks.hourGood },
      { labels: { result: 'failed' }, value: banks.hourFailed },
    ]),
    metric('gauge', 'certificate_expiry_timestamp_seconds', 'End of the TLS certificate of PUBLIC_URL.', at(expiresAt)),
    metric('gauge', 'clock_ahead_seconds', 'Clock of this server minus clock of the database.', [
      { value: clock.aheadSeconds },
    ]),
    metric(
      'gauge',
      'books_findings',
      'Contradictions the last check of the books found.',
      books ? [{ value: books.found }] : [],
    ),
    metric(
      'gauge',
      'health_state',
      'Lines of /settings/health: 0 ok, 1 soon, 2 red.',
      lines.map(({ name, server, state }) => ({
        labels: { line: name, server },
        value: (healthStates as readonly string[]).indexOf(state),
      })),
    ),
  ].join('')
}

function histogramOf({ route, bins, totalMs }: { route: string; bins: readonly number[]; totalMs: number }): Sample[] {
  const [method = '', path = ''] = route.split(' ')
  const labels = { method, route: path }
  let sum = 0
  const buckets = bins.map((count, bin) => {
    sum += count
    const limit = binLimitsMs[bin]
    return { suffix: '_bucket', labels: { ...labels, le: limit ? String(limit / 1_000) : '+Inf' }, value: sum }
  })
  return [...buckets, { suffix: '_sum', labels, value: totalMs / 1_000 }, { suffix: '_count', labels, value: sum }]
}
