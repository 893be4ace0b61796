import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { problemSentences } from '#domain/problem-sentences.ts'
import type { Locale } from '#locales/index.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import { languageOf, sentences, wordsIn } from '#server/platform/text.ts'
import { asAppError, type Failure } from './failures.ts'

/** Input that its schema refused; `fields` is what else is wrong with it. */
export class InputError extends Error {
  readonly issues: readonly z.core.$ZodIssue[]
  readonly fields: FieldErrors
  constructor(issues: readonly z.core.$ZodIssue[], fields: FieldErrors = {}) {
    super('input refused')
    this.issues = issues
    this.fields = fields
  }
}

/** The reader's language: what the browser asks for, and failing that what the account is set to. */
export const languageOfRequest = (request: Pick<FastifyRequest, 'headers' | 'actor'>): Locale =>
  request.headers['accept-language']
    ? languageOf(request.headers['accept-language'])
    : (request.actor?.language ?? 'en')

export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerError(new AppError(404, 'not_found'), request, reply))
}

/** Sent when not even the answer to a failure can be made. */
const lastWords = sentences('en')('errors:internal')

/** Answers a failure in the reader's language; whatever the failure is, this itself does not fail. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (reply.raw.headersSent) return reply.raw.destroy()
  try {
    return answer(error, request, reply)
  } catch (failure) {
    request.log.error({ err: failure }, 'answering a failure failed')
    return reply.code(500).send({ message: lastWords, code: 'internal', request_id: request.id })
  }
}

/** Seconds after which trying again makes sense, where the failure does not know better. */
const retryAfterSeconds = 5

function answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const language = languageOfRequest(request)
  const t = sentences(language)
  if (error instanceof InputError) {
    const errors = problemSentences({ issues: error.issues, problems: error.fields }, wordsIn(language))
    return reply.code(422).send({ message: t('errors:invalid_input'), code: 'invalid_input', errors })
  }
  const known = asAppError(error)
  const { status, code, details, fields, data } = known
  if (status >= 500 || code === 'books_refused') request.log.error({ err: error }, 'request failed')
  else if (status === 422 && known !== error)
    request.log.warn(
      { state: (error as Failure).code, route: request.routeOptions.url },
      'value refused by the database',
    )
  const retryAfter = details.retryAfter ?? (status === 503 ? retryAfterSeconds : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  // Whoever sends too slowly would go on sending on this connection.
  if (status === 408) reply.header('connection', 'close')
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  return reply.code(status).send({
    message: t(`errors:${code}`, { request: request.id, ...details }),
    code,
    ...(fields
      ? { errors: problemSentences({ issues: [], problems: fields }, wordsIn(language)) }
      : { request_id: request.id }),
    ...(data && { data }),
  })
}
