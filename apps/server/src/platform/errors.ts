import type { Problem } from '#domain/endpoint.ts'
import type { ErrorCode } from '#domain/errors.ts'

export type FieldError = Problem
export type FieldErrors = Record<string, FieldError | FieldError[]>

/** An expected failure. Its code is the contract; the reader's sentence is made from it by `error-handler.ts`. */
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

export const notFound = (what: string) => new AppError(404, 'not_found', { what })
export const unauthenticated = () => new AppError(401, 'unauthenticated')
export const forbidden = (permission: string) => new AppError(403, 'forbidden', { permission })
export const conflict = (code: ErrorCode, details?: Record<string, unknown>) => new AppError(409, code, details)

/** Refused input: one or more sentences beside each named field. */
export const invalid = (fields: FieldErrors) => new AppError(422, 'invalid_input', {}, fields)
