import type { Problem } from '#domain/endpoint.ts'
import type { ErrorCode } from '#domain/errors.ts'

export type FieldError = Problem
export type FieldErrors = Record<string, FieldError | FieldError[]>

/** An expected failure. Its code is the contract; `error-handler.ts` makes the reader's sentence from it. */
export class AppError extends Error {
  readonly status: number
  readonly code: ErrorCode
  /** Values for the placeholders of the code's sentence. */
  readonly details: Record<string, unknown>
  readonly fields: FieldErrors | undefined
  /** Facts that the answer carries beside its sentence, as `data`. */
  readonly data: Record<string, unknown> | undefined
  constructor(
    status: number,
    code: ErrorCode,
    details: Record<string, unknown> = {},
    fields?: FieldErrors,
    data?: Record<string, unknown>,
  ) {
    super(code)
    this.status = status
    this.code = code
    this.details = details
    this.fields = fields
    this.data = data
  }
}

export const notFound = (subject: string) => new AppError(404, 'not_found', { what: subject })
export const unauthenticated = () => new AppError(401, 'unauthenticated')
export const forbidden = (permission: string) => new AppError(403, 'forbidden', { permission })
export const conflict = (code: ErrorCode, details?: Record<string, unknown>) => new AppError(409, code, details)

/** Refused input: one or more sentences beside each named field. */
export const invalid = (fields: FieldErrors) => new AppError(422, 'invalid_input', {}, fields)
