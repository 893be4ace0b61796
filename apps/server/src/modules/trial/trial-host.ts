import type { FastifyInstance } from 'fastify'
import { proposeSchool } from '#domain/applicants/endpoints.ts'
import { sendDue } from '#server/modules/sending/sender.ts'
import { startSession } from '#server/platform/access/authentication.ts'
import { hashToken } from '#server/platform/access/tokens.ts'
import { conflict, unauthenticated } from '#server/platform/errors.ts'
import { currentClaim } from '#server/platform/http/write-claim.ts'
import type { AnyJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { newTrialToken, schemaOf, trialOfRequest } from './trial-id.ts'
import { runTrialJobs } from './trial-jobs.ts'
import { trialServices } from './trial-services.ts'

/** The product running on one trial's tables. */
export type OpenTrial = {
  id: string
  app: FastifyInstance
  services: Services
  /** Sets how far the trial's clock is ahead; `0` is the real time. */
  setAhead(ms: number): void
  runJobs(): Promise<void>
  /** Runs `work` after earlier calls have finished, so that a step is taken only once. */
  inTurn<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export type TrialHost = {
  open(trial: { id: string; clockAheadMs: number }): Promise<OpenTrial>
  close(id: string): Promise<void>
}

type Parts = { build: (services: Services) => Promise<FastifyInstance>; jobs: readonly AnyJob[] }

const hosts = new WeakMap<Services, TrialHost>()

/**
 * Maximum number of trials a process holds open. The least recently used one is closed for another, and reopens when
 * needed.
 */
const maxOpen = 4

/** The trials of this process. */
export function trialsOf(services: Services): TrialHost {
  const host = hosts.get(services)
  if (!host) throw conflict('trial_inside_trial')
  return host
}

/** Closes a trial if this process holds it open. */
export const closeTrial = async (services: Services, id: string) => hosts.get(services)?.close(id)

/**
 * Passes every request of a trial to the product running on its tables, before reading anything of the university for
 * it.
 */
export function hostTrials(app: FastifyInstance, services: Services, parts: Parts) {
  const host = createHost(services, parts)
  hosts.set(services, host)
  app.addHook('onRequest', (request, reply, done) => {
    const address = trialOfRequest(request.headers.authorization, request.method, request.url)
    if (!address) return done()
    findSeen(services, address.id)
      .then((row) => row && host.open(row))
      .then((trial) => {
        if (trial) {
          reply.hijack()
          if (request.method !== 'GET') reply.raw.once('finish', () => void trial.runJobs())
          trial.app.routing(request.raw, reply.raw)
        } else if (address.hasToken) done(unauthenticated())
        else done()
      })
      .catch(done)
  })
  app.addHook('onClose', () => host.closeAll())
}

/** The only applicant call that adds to the settings, which a trial reads and never changes. */
const changesSettings = `/api${proposeSchool.path}`

/** Refuses what a trial cannot do. Its separate tables and PostgreSQL role are what isolates it. */
export function workOnTrial(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.routeOptions.url === changesSettings ? conflict('trial_settings_only') : undefined),
  )
}

/** The trial an administrator's session is looking at; undefined once that session or its right has ended. */
const findSeen = ({ db, clock }: Services, id: string) =>
  db
    .selectFrom('trials as t')
    .innerJoin('sessions as s', 's.id', 't.sessionId')
    .innerJoin('accounts as a', 'a.id', 't.accountId')
    .innerJoin('roles as r', 'r.id', 'a.roleId')
    .innerJoin('rolePermissions as p', (join) =>
      join.onRef('p.roleId', '=', 'r.id').on('p.permission', '=', 'settings-opening-update'),
    )
    .select(['t.id', 't.clockAheadMs'])
    .where('t.id', '=', id)
    .where('t.endedAt', 'is', null)
    .whereRef('s.accountId', '=', 't.accountId')
    .where('s.revokedAt', 'is', null)
    .where('s.expiresAt', '>', clock.now())
    .where('a.active', '=', true)
    .where('r.active', '=', true)
    .executeTakeFirst()

function createHost(services: Services, { build, jobs }: Parts): TrialHost & { closeAll(): Promise<void> } {
  const open = new Map<string, Promise<OpenTrial>>()

  async function close(id: string) {
    const opening = open.get(id)
    open.delete(id)
    await (await opening?.catch(() => undefined))?.close()
  }

  return {
    async open({ id, clockAheadMs }) {
      const opening = open.get(id) ?? openTrial(services, id, build, jobs)
      open.delete(id)
      open.set(id, opening)
      opening.catch(() => open.get(id) === opening && open.delete(id))
      for (const [oldId] of open) if (open.size > maxOpen) await close(oldId)
      const trial = await opening
      trial.setAhead(clockAheadMs)
      return trial
    },
    close,
    async closeAll() {
      await Promise.all([...open.keys()].map(close))
    },
  }
}

async function openTrial(services: Services, id: string, build: Parts['build'], jobs: Parts['jobs']) {
  const db = await services.connectTrial(schemaOf(id))
  if (!db) throw conflict('trial_role_missing')
  let aheadMs = 0
  const clock = { now: () => new Date(services.clock.now().getTime() + aheadMs) }
  const trial = trialServices(services, id, db, clock, jobs)
  let running = Promise.resolve()
  const runJobs = () => {
    running = running
      .then(async () => {
        await runTrialJobs(trial, jobs)
        await sendDue(trial)
      })
      .catch((error) => services.log.warn({ err: error }, 'trial'))
    return running
  }
  let lastStep: Promise<unknown> = Promise.resolve()
  // The trial starts outside the idempotency claim of the university's request being answered.
  const app = await currentClaim.exit(() => build(trial))
  return {
    id,
    app,
    services: trial,
    setAhead(ms: number) {
      aheadMs = ms
    },
    runJobs: () => currentClaim.exit(runJobs),
    inTurn<T>(work: () => Promise<T>) {
      const step = lastStep.then(work)
      lastStep = step.catch(() => undefined)
      return step
    },
    async close() {
      await app.close()
      await running
      await db.destroy()
    },
  }
}

/** Starts a session for an account of the trial and returns its token. */
export async function startTrialSession({ id, services }: OpenTrial, accountId: string) {
  const token = newTrialToken(id)
  const { sessionId, expiresAt } = await startSession(services.db, accountId, { now: services.clock.now() })
  await services.db
    .updateTable('sessions')
    .set({ tokenHash: hashToken(token) })
    .where('id', '=', sessionId)
    .execute()
  return { token, sessionId, expiresAt }
}
