import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerError } from '#server/platform/http/error-handler.ts'
import { asAppError } from '#server/platform/http/failures.ts'

type Answer = (request: FastifyRequest, reply: FastifyReply, status: number) => FastifyReply

/**
 * Responds to failures of routes that banks call in the shape the bank reads: a body too large, too many calls, an
 * unknown connection, a database that is down. Only signed-in accounts, which are no banks, get the portal's own error
 * format.
 */
export function answerFailuresAs(app: Pick<FastifyInstance, 'setErrorHandler'>, answer: Answer) {
  app.setErrorHandler((error, request, reply) => {
    if (request.actor) return answerError(error, request, reply)
    if (reply.raw.headersSent) return reply.raw.destroy()
    const { status, details } = asAppError(error)
    if (status >= 500) request.log.error({ err: error }, 'request failed')
    const retryAfter = details.retryAfter ?? (status === 503 ? 5 : undefined)
    if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
    // The client might keep sending a large or slow body on this connection.
    if (status === 408 || status === 413) reply.header('connection', 'close')
    return answer(request, reply, status)
  })
}
