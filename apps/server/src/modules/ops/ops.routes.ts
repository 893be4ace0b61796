import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/ops/endpoints.ts'
import { invariantNames } from '#domain/ops/invariants.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { serveFindings, toFinding } from './findings.ts'
import { runChecks } from './run-checks.ts'

/** 403 for users limited to some study programmes, because the checks cover the whole university. */
const actorWithWholeView = (request: FastifyRequest) => requireWholeView(actorOf(request), 'ops_needs_whole_view')

/** Each run reads whole tables, hence the limit of ten per minute. */
const checkLimit = {
  rateLimit: {
    max: 10,
    timeWindow: '1 minute',
    keyOf: (request: FastifyRequest) => request.actor?.accountId ?? '',
  },
}

async function readLastResult(db: Db) {
  const run = await db
    .selectFrom('invariantRuns as r')
    .leftJoin('accounts as a', 'a.id', 'r.startedBy')
    .select(['r.startedAt', 'r.finishedAt', 'r.found', 'a.name as startedBy'])
    .orderBy('r.finishedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  const openFindings = await db
    .selectFrom('invariantFindings')
    .selectAll()
    .where('goneAt', 'is', null)
    .orderBy('firstSeenAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .execute()
  return {
    checks: invariantNames.length,
    run: run ? { ...run, milliseconds: run.finishedAt.getTime() - run.startedAt.getTime() } : null,
    found: openFindings.map(toFinding),
  }
}

export const opsRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services

    serve(app, calls.readInvariants, async (request) => {
      actorWithWholeView(request)
      return { data: await readLastResult(db) }
    })

    serve(
      app,
      calls.checkInvariants,
      async (request) => {
        await runChecks(services, actorWithWholeView(request))
        return { data: await readLastResult(db) }
      },
      checkLimit,
    )

    serveFindings(app, services)
  }
