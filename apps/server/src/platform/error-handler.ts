import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ErrorCode } from '#domain/errors.ts'
import type { Locale } from '#locales/index.ts'
import { AppError, type FieldErrors } from './errors.ts'
import { languageOf, sentences } from './text.ts'
import { fieldOf, sentenceOfIssue } from './validation-sentences.ts'

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
  app.setErrorHandler((error: FastifyError, request, reply) => answer(error, request, reply))
  app.setNotFoundHandler((request, reply) => answer(new AppError(404, 'not_found'), request, reply))
}

function answer(error: FastifyError | AppError | InputError, request: FastifyRequest, reply: FastifyReply) {
  const language = languageOfRequest(request)
  const t = sentences(language)
  if (reply.raw.headersSent) return reply.raw.destroy()
  if (error instanceof InputError) {
    const errors: Record<string, string[]> = {}
    for (const issue of error.issues)
      for (const field of fieldOf(issue)) errors[field] = [...(errors[field] ?? []), sentenceOfIssue(issue, language)]
    const told = { ...fieldSentences(error.fields, language), ...errors }
    return reply.code(422).send({ message: t('errors:invalid_input'), code: 'invalid_input', errors: told })
  }
  const known = error instanceof AppError ? error : asAppError(error)
  if (known.status >= 500) request.log.error({ err: error }, 'request failed')
  if (known.details.retryAfter) reply.header('retry-after', String(known.details.retryAfter))
  if (known.status === 401) reply.header('www-authenticate', 'Bearer')
  // Whoever sends too slowly would go on sending on this connection.
  if (known.status === 408) reply.header('connection', 'close')
  return reply.code(known.status).send({
    message: t(`errors:${known.code}`, known.details),
    code: known.code,
    ...(known.fields ? { errors: fieldSentences(known.fields, language) } : { request_id: request.id }),
    ...(known.data && { data: known.data }),
  })
}

function fieldSentences(fields: FieldErrors, language: Locale): Record<string, string[]> {
  const t = sentences(language)
  return Object.fromEntries(
    Object.entries(fields).map(([field, errors]) => [
      field,
      [errors]
        .flat()
        .map((error) => (typeof error === 'string' ? t(`errors:${error}`) : t(`errors:${error.code}`, error.params))),
    ]),
  )
}

/** Classes of PostgreSQL's codes, mapped once for everybody. */
const databaseErrors: Record<string, [status: number, code: ErrorCode]> = {
  '23505': [409, 'already_exists'],
  '23503': [409, 'in_use'],
  // PostgreSQL 18 tells ON DELETE RESTRICT apart.
  '23001': [409, 'in_use'],
  '23514': [409, 'invalid_input'],
  '40001': [409, 'stale_version'],
  '40P01': [409, 'stale_version'],
  '57P01': [503, 'service_unavailable'],
  '53300': [503, 'service_unavailable'],
}

function asAppError(error: FastifyError & { detail?: string }): AppError {
  const mapped = databaseErrors[error.code]
  if (mapped) {
    // A foreign key is violated in both directions: by deleting what is used, or by pointing to what is not there.
    if (error.code === '23503' && error.detail?.includes('is not present')) return pointsNowhere(error.detail)
    if (error.code === '23505') return takenTwice(error.detail)
    return new AppError(...mapped)
  }
  if (error.code === 'ECONNREFUSED' || error.code === 'FST_UNDER_PRESSURE')
    return new AppError(503, 'service_unavailable')
  const status = error.statusCode ?? 500
  if (status === 413) return new AppError(413, 'payload_too_large')
  if (status === 429) return new AppError(429, 'too_many_requests')
  if (status === 404) return new AppError(404, 'not_found')
  if (status >= 400 && status < 500) return new AppError(status, 'invalid_input')
  if (status === 503) return new AppError(503, 'service_unavailable')
  return new AppError(500, 'internal')
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const columnsIn = (detail: string | undefined) =>
  (/^Key \((?:lower\()?([^)]*)\)/.exec(detail ?? '')?.[1] ?? '')
    .split(',')
    .map((name) => camel(name.trim().replace(/::.*/, '')))

function takenTwice(detail: string | undefined) {
  const column = columnsIn(detail).at(-1)
  return column
    ? new AppError(422, 'already_exists', {}, { [column]: 'already_exists' })
    : new AppError(409, 'already_exists')
}

function pointsNowhere(detail: string) {
  const column = columnsIn(detail).at(-1)
  return column ? new AppError(422, 'invalid_input', {}, { [column]: 'not_found' }) : new AppError(422, 'invalid_input')
}
