import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { problemSentences } from '#domain/problem-sentences.ts'
import type { Language } from '#entities/define/language.ts'
import { AppError, type FieldErrors } from '#server/platform/errors.ts'
import { languageOf, sentences, wordsIn } from '#server/platform/text.ts'
import { asAppError, type Failure } from './failures.ts'

/** Input refused by its schema; `fields` holds the problems found by rules outside the schema. */
export class InputError extends Error {
  readonly issues: readonly z.core.$ZodIssue[]
  readonly fields: FieldErrors
  constructor(issues: readonly z.core.$ZodIssue[], fields: FieldErrors = {}) {
    super('input refused')
    this.issues = issues
    this.fields = fields
  }
}

/** The reader's language: Accept-Language, otherwise the account's. */
export const languageOfRequest = (request: Pick<FastifyRequest, 'headers' | 'actor'>): Language =>
  request.headers['accept-language']
    ? languageOf(request.headers['accept-language'])
    : (request.actor?.language ?? 'en')

export function answerErrors(app: FastifyInstance) {
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerError(new AppError(404, 'not_found'), request, reply))
}

/** Sentence used if building the regular answer fails. */
const lastWords = sentences('en')('errors:internal')

/** Answers a failure in the reader's language; never throws. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  if (reply.raw.headersSent) return reply.raw.destroy()
  try {
    return answer(error, request, reply)
  } catch (failure) {
    request.log.error({ err: failure }, 'answering a failure failed')
    return reply.code(500).send({ message: lastWords, code: 'internal', request_id: request.id })
  }
}

/** Retry-After for a 503 that sets none itself. */
const retryAfterSeconds = 5

function answer(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const language = languageOfRequest(request)
  const t = sentences(language)
  if (error instanceof InputError) {
    const errors = problemSentences({ issues: error.issues, problems: error.fields }, wordsIn(language))
    return reply.code(422).send({ message: t('errors:invalid_input'), code: 'invalid_input', errors })
  }
  const appError = asAppError(error)
  const { status, code, details, fields, data } = appError
  if (status >= 500 || code === 'books_refused') request.log.error({ err: error }, 'request failed')
  else if (status === 422 && appError !== error)
    request.log.warn(
      { state: (error as Failure).code, route: request.routeOptions.url },
      'value refused by the database',
    )
  const retryAfter = details.retryAfter ?? (status === 503 ? retryAfterSeconds : undefined)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  // A slow sender would keep sending the body on this connection.
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
