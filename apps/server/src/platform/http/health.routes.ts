import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { isMigrated } from '#server/platform/database/migrate.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { serve } from './serve.ts'

const state = z.object({ status: z.literal('ok') })

const health = endpoint({
  method: 'GET',
  path: '/health',
  access: 'public',
  summary: 'Is the process alive?',
  response: state,
})

const ready = endpoint({
  method: 'GET',
  path: '/ready',
  access: 'public',
  summary: 'Can requests be answered: database reachable, all migrations applied?',
  response: state,
})

export const healthRoutes =
  ({ db, log }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const ok = { status: 'ok' } as const
    serve(app, health, () => ok)
    serve(app, ready, async () => {
      const isReady = await isMigrated((text) => sql.raw<{ name: string }>(text).execute(db)).catch((error) => {
        log.warn({ err: error }, 'database is not reachable')
        return false
      })
      if (!isReady) throw new AppError(503, 'service_unavailable')
      return ok
    })
  }
