import type { ErrorCode } from '#domain/errors.ts'
import { AppError } from '#server/platform/errors.ts'

type Answered = [status: number, code: ErrorCode]

/** What a failure may carry: PostgreSQL, Node, Fastify, its plugins and S3 each say it in a field of their own. */
export type Failure = {
  code?: unknown
  message?: unknown
  detail?: unknown
  syscall?: unknown
  statusCode?: unknown
  $metadata?: { httpStatusCode?: unknown }
}

const refusedValue: Answered = [422, 'invalid_input']
const unavailable: Answered = [503, 'service_unavailable']
const storageFull: Answered = [507, 'storage_full']

/** States of PostgreSQL with an answer of their own, and below them whole classes of states. */
const databaseStates = new Map<string, Answered>([
  ['23505', [409, 'already_exists']],
  ['23503', [409, 'in_use']],
  // PostgreSQL 18 tells ON DELETE RESTRICT apart.
  ['23001', [409, 'in_use']],
  ['23514', [409, 'invalid_input']],
  ['23P01', [409, 'already_exists']],
  // Raised by the triggers that keep sums: what was asked for would leave the books wrong.
  ['PMB01', [409, 'books_refused']],
  // Values no column takes: too long, out of range, no date, NUL, no number or uuid, no text of the encoding.
  ['22001', refusedValue],
  ['22003', refusedValue],
  ['22007', refusedValue],
  ['22008', refusedValue],
  ['22009', refusedValue],
  ['22015', refusedValue],
  ['22021', refusedValue],
  ['22P02', refusedValue],
  ['22P05', refusedValue],
  // A standby, as after a failover: writes go to another server from now on.
  ['25006', unavailable],
  ['25P03', unavailable],
  ['40001', unavailable],
  ['40P01', unavailable],
  ['53100', storageFull],
  ['55P03', unavailable],
  ['57014', unavailable],
])
const databaseClasses = new Map<string, Answered>([
  ['08', unavailable],
  ['53', unavailable],
  ['57', unavailable],
])

const fullDisks = new Set(['ENOSPC', 'EDQUOT'])
const lostConnections = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'FST_UNDER_PRESSURE',
])
/** The driver and its pool give these failures a sentence only. */
const lostConnectionWords =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client (was closed|has encountered a connection error)|Postgres connection has been discarded|Cannot use a pool after calling end|driver has already been destroyed)/

/** Parser of uploads: what it says when the bytes are no form, or end before they should. */
const brokenUploadWords = /^(aborted$|Multipart: |Unexpected end of multipart data|\w+ terminated early|The needle can)/
const brokenUploadCodes = new Set(['FST_MP_PREMATURE_CLOSE', 'FST_PROTO_VIOLATION', 'FST_INVALID_JSON_FIELD_ERROR'])

const clientFaults = new Map<number, ErrorCode>([
  [404, 'not_found'],
  [413, 'payload_too_large'],
  [415, 'unsupported_media_type'],
  [422, 'invalid_input'],
  [429, 'too_many_requests'],
])

/** What is answered to a failure that is no `AppError`: whose fault it is, and whether trying again may help. */
export function asAppError(failure: unknown): AppError {
  if (failure instanceof AppError) return failure
  const { code, message, detail, syscall, statusCode, $metadata }: Failure = Object(failure)
  if (typeof code === 'string') {
    if (code === '23505') return takenTwice(detail)
    // A foreign key is violated in both directions: by deleting what is used, or by pointing to what is not there.
    if (code === '23503' && String(detail).includes('is not present')) return pointsNowhere(detail)
    const answered = databaseStates.get(code) ?? (code.length === 5 && databaseClasses.get(code.slice(0, 2)))
    if (answered) return new AppError(...answered)
    if (fullDisks.has(code)) return new AppError(...storageFull)
    if (lostConnections.has(code) || (code === 'ENOENT' && syscall === 'connect')) return new AppError(...unavailable)
    if (brokenUploadCodes.has(code)) return new AppError(400, 'upload_broken')
    if (code === 'FST_INVALID_MULTIPART_CONTENT_TYPE') return new AppError(415, 'unsupported_media_type')
  }
  if (typeof message === 'string') {
    if (lostConnectionWords.test(message)) return new AppError(...unavailable)
    if (brokenUploadWords.test(message)) return new AppError(400, 'upload_broken')
  }
  if ($metadata?.httpStatusCode === 507) return new AppError(...storageFull)
  const status = Number(statusCode ?? 500)
  if (status >= 400 && status < 500) return new AppError(status, clientFaults.get(status) ?? 'malformed_request')
  return status === 503 ? new AppError(...unavailable) : new AppError(500, 'internal')
}

const camel = (name: string) => name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const columnsIn = (detail: unknown) =>
  (/^Key \((?:lower\()?([^)]*)\)/.exec(String(detail ?? ''))?.[1] ?? '')
    .split(',')
    .map((name) => camel(name.trim().replace(/::.*/, '')))

function takenTwice(detail: unknown) {
  const column = columnsIn(detail).at(-1)
  return column
    ? new AppError(422, 'already_exists', {}, { [column]: 'already_exists' })
    : new AppError(409, 'already_exists')
}

function pointsNowhere(detail: unknown) {
  const column = columnsIn(detail).at(-1)
  return column ? new AppError(422, 'invalid_input', {}, { [column]: 'not_found' }) : new AppError(422, 'invalid_input')
}
