import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { whatsappItemKinds, whatsappItemProblems } from '#domain/whatsapp/items.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine } from '#entities/define/typed-text.ts'
import { connectionChecks, goodResults, problemResults } from './connection-checks.ts'
import { healthCodes, healthLineNames, healthStates } from './lines.ts'

const path = '/settings/health'
const view = 'settings-health-view'
const update = 'settings-health-update'

const facts = z.record(z.string(), z.union([z.string(), z.number(), z.null()]))
export type HealthFacts = z.output<typeof facts>

const healthLine = z.object({
  name: z.enum(healthLineNames),
  state: z.enum(healthStates),
  code: z.enum(healthCodes),
  facts,
})
export type HealthLine = z.output<typeof healthLine>

const failedJob = z.object({ id: z.uuid(), failedAt: time, attempts: z.int(), problem: z.string() })

const jobQueue = z.object({
  name: z.string(),
  waiting: z.int(),
  running: z.int(),
  failed: z.int(),
  /** Newest fifty failed jobs of the queue. */
  failures: z.array(failedJob),
})
export type JobQueue = z.output<typeof jobQueue>

/** Requests to one route over the last hour on the answering server. */
const slowRoute = z.object({
  route: z.string(),
  count: z.int(),
  failed: z.int(),
  p50Ms: z.number(),
  p95Ms: z.number(),
  slowestMs: z.number(),
})
export type SlowRoute = z.output<typeof slowRoute>

/** Item of a Meta webhook that could not be stored elsewhere in the product; its content stays in the database. */
const whatsappItem = z.object({
  id: z.uuid(),
  connection: z.string(),
  kind: z.enum(whatsappItemKinds),
  receivedAt: time,
  /** Null: not tried yet. */
  problem: z.enum(whatsappItemProblems).nullable(),
  detail: z.string().nullable(),
})
export type WhatsappItem = z.output<typeof whatsappItem>

export const readHealth = endpoint({
  method: 'GET',
  path,
  access: view,
  summary:
    'How the product is doing: a state, facts and a threshold for each line, the slowest routes and the queues of jobs',
  response: z.object({
    data: z.object({
      state: z.enum(healthStates),
      /** Host name of the answering server. */
      server: z.string(),
      lines: z.array(healthLine),
      /** At most ten, by the time within which 95 % were answered. */
      slowest: z.array(slowRoute),
      /** Queues with waiting, running or failed jobs. */
      queues: z.array(jobQueue),
      whatsapp: z.object({
        notUnderstood: z.int(),
        /** The newest fifty. */
        items: z.array(whatsappItem),
      }),
    }),
  }),
})

export const retryWhatsapp = endpoint({
  method: 'POST',
  path: `${path}/whatsapp/retry`,
  access: update,
  summary: 'Try again to understand messages and reports of WhatsApp that were given up',
  body: z.strictObject({}),
  response: z.object({ data: z.object({ retried: z.int() }) }),
})

export const retryJobs = endpoint({
  method: 'POST',
  path: `${path}/jobs/retry`,
  access: update,
  summary:
    'Run failed jobs of a queue again; without `ids` all of them. Jobs that no longer count as failed are left alone',
  body: z.strictObject({ queue: z.string().min(1).max(100), ids: z.array(z.uuid()).min(1).max(50).optional() }),
  response: z.object({ data: z.object({ retried: z.int() }) }),
})

const checkResult = z.object({
  code: z.enum([...goodResults, ...problemResults]),
  state: z.enum(healthStates),
  facts,
  /** The other server's words. */
  answer: z.string().nullable(),
  /** DNS record to add. */
  record: z.object({ name: z.string(), type: z.string(), value: z.string() }).nullable(),
})
export type CheckResult = z.output<typeof checkResult>

const checkOutcome = z.object({
  name: z.enum(connectionChecks),
  state: z.enum(healthStates),
  results: z.array(checkResult),
  checkedAt: time,
  checkedBy: z.string().nullable(),
})
export type CheckOutcome = z.output<typeof checkOutcome>

const bankStanding = z.object({
  id: z.uuid(),
  name: z.string(),
  active: z.boolean(),
  canCheck: z.boolean(),
  /** Last answered and last unanswered call to the bank. */
  answeredAt: time.nullable(),
  unanswered: z.object({ at: time, problem: z.string() }).nullable(),
  /** Last call from the bank with a valid signature, and last refused one. */
  verifiedAt: time.nullable(),
  refused: z.object({ at: time, outcome: z.enum(['wrong_signature', 'malformed', 'failed']) }).nullable(),
})
export type BankStanding = z.output<typeof bankStanding>

export const readChecks = endpoint({
  method: 'GET',
  path: `${path}/checks`,
  access: view,
  summary: 'The last result of each check of a connection, and what was last heard of every bank',
  response: z.object({
    data: z.object({
      /** Address and host from the mail settings, without user or password. */
      mail: z.object({ from: z.string(), host: z.string().nullable() }),
      checks: z.array(checkOutcome),
      banks: z.array(bankStanding),
    }),
  }),
})

export const testMail = endpoint({
  method: 'POST',
  path: `${path}/checks/mail`,
  access: update,
  summary: 'Send a test message through the configured mail server and tell its answer',
  body: z.strictObject({ to: z.email().max(200) }),
  response: z.object({ data: checkOutcome }),
})

export const checkMailDomain = endpoint({
  method: 'POST',
  path: `${path}/checks/mail-domain`,
  access: update,
  summary: 'Look up SPF, DKIM and DMARC of the domain that mails come from',
  /** DKIM selector as the mail provider calls it; without it, the usual names are tried. */
  body: z.strictObject({
    selector: typedLine()
      .max(63)
      .regex(/^[\w.-]*$/)
      .default(''),
  }),
  response: z.object({ data: checkOutcome }),
})

export const checkConnection = endpoint({
  method: 'POST',
  path: `${path}/checks/:name`,
  access: update,
  summary: 'Check the storage of uploads, the time of the server or the folder of backups',
  params: z.object({ name: z.enum(['storage', 'time', 'backup']) }),
  response: z.object({ data: checkOutcome }),
})

export const readMetrics = endpoint({
  method: 'GET',
  path: '/metrics',
  access: 'public',
  summary: 'Metrics for Prometheus; needs METRICS_TOKEN as bearer token and answers 404 while it is not set',
  response: z.string(),
})
