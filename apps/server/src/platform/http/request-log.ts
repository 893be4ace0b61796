import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Services } from '#server/platform/services.ts'
import { webBuild } from './web-build.ts'

/** Headers that forbid scripts, frames and browser caching. */
export const safeHeaders = (request: Pick<FastifyRequest, 'id'>) => ({
  'x-request-id': request.id,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'x-web-build': webBuild().id,
})

/**
 * Adds safe headers to every answer and logs one line per request. The line has the route pattern, never the URL: URLs
 * and bodies may hold names, e-mail addresses and tokens.
 */
export function nameEveryAnswer(app: FastifyInstance, { config, log }: Services) {
  const https = config.publicUrl.startsWith('https:')
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(safeHeaders(request))
    if (https) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
    done()
  })
  if (config.logLevel !== 'info' && config.logLevel !== 'debug') return
  app.addHook('onResponse', (request, reply, done) => {
    const ms = Math.round(reply.elapsedTime)
    const route = request.routeOptions.url ?? 'unknown'
    const line = { req: request.id, method: request.method, route, status: reply.statusCode, ms }
    if (route !== '/api/health') log.info(line, 'answered')
    done()
  })
}
