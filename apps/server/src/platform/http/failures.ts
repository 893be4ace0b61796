import type { ErrorCode } from '#domain/errors.ts'
import { AppError } from '#server/platform/errors.ts'

type StatusAndCode = [status: number, code: ErrorCode]

/** Fields of a failure. PostgreSQL, Node, Fastify, its plugins and S3 each use different ones. */
export type Failure = {
  code?: unknown
  message?: unknown
  detail?: unknown
  syscall?: unknown
  statusCode?: unknown
  $metadata?: { httpStatusCode?: unknown }
}

const refusedValue: StatusAndCode = [422, 'invalid_input']
const unavailable: StatusAndCode = [503, 'service_unavailable']
const storageFull: StatusAndCode = [507, 'storage_full']

/** Answers for single SQLSTATEs; `databaseClasses` covers whole classes. */
const databaseStates = new Map<string, StatusAndCode>([
  ['23505', [409, 'already_exists']],
  ['23503', [409, 'in_use']],
  // ON DELETE RESTRICT has its own SQLSTATE since PostgreSQL 18.
  ['23001', [409, 'in_use']],
  ['23514', [409, 'invalid_input']],
  ['23P01', [409, 'already_exists']],
  // Raised by the triggers that guard sums: the change would make the books wrong.
  ['PMB01', [409, 'books_refused']],
  // Raised by the triggers that keep seats of test sessions within their capacity.
  ['PMB02', [409, 'test_seats_taken']],
  ['PMB03', [409, 'test_capacity_of_rooms']],
  // Raised by the trigger that refuses to move a session without notifying its people.
  ['PMB04', [409, 'test_session_has_people']],
  // Values no column accepts: too long, out of range, no date, NUL, no number or uuid, text in another encoding.
  ['22001', refusedValue],
  ['22003', refusedValue],
  ['22007', refusedValue],
  ['22008', refusedValue],
  ['22009', refusedValue],
  ['22015', refusedValue],
  ['22021', refusedValue],
  ['22P02', refusedValue],
  ['22P05', refusedValue],
  // The server became a standby in a failover; new connections reach the new primary.
  ['25006', unavailable],
  ['25P03', unavailable],
  ['40001', unavailable],
  ['40P01', unavailable],
  ['53100', storageFull],
  ['55P03', unavailable],
  ['57014', unavailable],
])
const databaseClasses = new Map<string, StatusAndCode>([
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
])
/** Messages of the driver and its pool that come without a code. */
const lostConnectionWords =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client (was closed|has encountered a connection error)|Postgres connection has been discarded|Cannot use a pool after calling end|driver has already been destroyed)/

/** Messages of the form parser for bytes that are not a form or end too early. */
const brokenUploadWords = /^(aborted$|Multipart: |Unexpected end of multipart data|\w+ terminated early|The needle can)/
const brokenUploadCodes = new Set(['FST_MP_PREMATURE_CLOSE', 'FST_PROTO_VIOLATION', 'FST_INVALID_JSON_FIELD_ERROR'])

const clientFaults = new Map<number, ErrorCode>([
  [404, 'not_found'],
  [413, 'payload_too_large'],
  [415, 'unsupported_media_type'],
  [422, 'invalid_input'],
  [429, 'too_many_requests'],
])

/** Maps any failure to an `AppError`: 4xx if the caller caused it, 503 or 507 if a retry may help, otherwise 500. */
export function asAppError(failure: unknown): AppError {
  if (failure instanceof AppError) return failure
  const { code, message, detail, syscall, statusCode, $metadata }: Failure = Object(failure)
  if (typeof code === 'string') {
    if (code === '23505') return uniqueRefusal(detail)
    // 23503 has two causes: a deleted row is still referenced, or the new value references no row.
    if (code === '23503' && String(detail).includes('is not present')) return missingReferenceRefusal(detail)
    const statusAndCode = databaseStates.get(code) ?? (code.length === 5 && databaseClasses.get(code.slice(0, 2)))
    if (statusAndCode) return new AppError(...statusAndCode)
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
  (/^Key \((.*?)\)(?:=\(| is )/.exec(String(detail ?? ''))?.[1] ?? '').split(',').map((name) =>
    camel(
      name
        .trim()
        .replace(/^\w+\(+/, '')
        .replace(/[):].*/, ''),
    ),
  )

function uniqueRefusal(detail: unknown) {
  const column = columnsIn(detail).at(-1)
  return column
    ? new AppError(422, 'already_exists', {}, { [column]: 'already_exists' })
    : new AppError(409, 'already_exists')
}

function missingReferenceRefusal(detail: unknown) {
  const column = columnsIn(detail).at(-1)
  return column ? new AppError(422, 'invalid_input', {}, { [column]: 'not_found' }) : new AppError(422, 'invalid_input')
}
