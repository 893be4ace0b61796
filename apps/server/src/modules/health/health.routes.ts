import os from 'node:os'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/health/endpoints.ts'
import { worstOf } from '#domain/health/lines.ts'
import { bearerToken } from '#server/platform/access/authentication.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { notFound, unauthenticated } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { findBankStandings } from './checks/banks.ts'
import { checkBackupFolder, checkTime } from './checks/machine.ts'
import { checkMail, hostOf } from './checks/mail.ts'
import { checkMailDomain } from './checks/mail-domain.ts'
import { findChecks, keepCheck } from './checks/result.ts'
import { checkStorage } from './checks/storage.ts'
import { slowestRoutes } from './measure/answers.ts'
import { readFailedJobs, readQueues, retryJobs } from './measure/jobs.ts'
import { measureHealth } from './measure/measure-health.ts'
import { readItems, retryItems } from './measure/whatsapp.ts'
import { isMetricsToken, writeMetrics } from './metrics.ts'

const keyOf = (request: FastifyRequest) => request.actor?.accountId ?? ''
const readLimit = { rateLimit: { max: 60, timeWindow: '1 minute', keyOf } }
/** Checks call other servers, and test mails reach people. */
const checkLimit = { rateLimit: { max: 10, timeWindow: '5 minutes', keyOf } }

const checks = { storage: checkStorage, time: checkTime, backup: checkBackupFolder }

async function readHealth(services: Services) {
  const [lines, queues, whatsapp] = await Promise.all([
    measureHealth(services),
    readQueues(services),
    readItems(services),
  ])
  return {
    state: worstOf(lines.flatMap(({ state }) => state ?? [])),
    server: os.hostname(),
    lines: lines.map(({ state, ...line }) => ({ ...line, state: state ?? ('ok' as const) })),
    slowest: slowestRoutes(services),
    queues: await Promise.all(
      queues.map(async ({ name, waiting, running, failed }) => ({
        ...{ name, waiting, running, failed },
        failures: failed > 0 ? await readFailedJobs(services, name) : [],
      })),
    ),
    whatsapp,
  }
}

/** /settings/health and /api/metrics. */
export const settingsHealthRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, config } = services

    serve(
      app,
      calls.readHealth,
      async (request) => {
        wholeViewOf(request)
        return { data: await readHealth(services) }
      },
      readLimit,
    )
    serve(app, calls.retryJobs, async (request) => {
      const { queue, ids } = request.body
      return { data: await retryJobs(services, wholeViewOf(request), { queue, ...(ids && { ids }) }) }
    })
    serve(app, calls.retryWhatsapp, async (request) => ({
      data: await retryItems(services, wholeViewOf(request)),
    }))
    serve(
      app,
      calls.readChecks,
      async (request) => {
        wholeViewOf(request)
        const [found, banks] = await Promise.all([findChecks(db), findBankStandings(services)])
        const { smtpUrl, from } = config.mail
        return { data: { mail: { from, host: smtpUrl ? hostOf(smtpUrl) : null }, checks: found, banks } }
      },
      readLimit,
    )
    serve(
      app,
      calls.testMail,
      async (request) => {
        const actor = wholeViewOf(request)
        return { data: await keepCheck(services, actor, 'mail', await checkMail(services, actor, request.body.to)) }
      },
      checkLimit,
    )
    serve(
      app,
      calls.checkMailDomain,
      async (request) => {
        const actor = wholeViewOf(request)
        const results = await checkMailDomain(config, request.body.selector)
        return { data: await keepCheck(services, actor, 'mail-domain', results) }
      },
      checkLimit,
    )
    serve(
      app,
      calls.checkConnection,
      async (request) => {
        const actor = wholeViewOf(request)
        const { name } = request.params
        return { data: await keepCheck(services, actor, name, await checks[name](services)) }
      },
      checkLimit,
    )

    serve(
      app,
      calls.readMetrics,
      async (request, reply) => {
        if (!config.metricsToken) throw notFound('page')
        if (!isMetricsToken(bearerToken(request), config.metricsToken)) throw unauthenticated()
        return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await writeMetrics(services))
      },
      { raw: true, rateLimit: { max: 60, timeWindow: '1 minute' } },
    )
  }
