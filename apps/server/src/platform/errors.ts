import type { Problem } from '#domain/endpoint.ts'
import type { ErrorCode } from '#domain/errors.ts'

export type FieldError = Problem
export type FieldErrors = Record<string, FieldError | FieldError[]>

/** An expected failure. Clients rely on its code; `error-handler.ts` turns it into a sentence for the reader. */
export class AppError extends Error {
  readonly status: number
  readonly code: ErrorCode
  /** Placeholder values for the sentence. */
  readonly details: Record<string, unknown>
  readonly fields: FieldErrors | undefined
  /** Facts sent with the sentence, as `data`. */
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

/** 422 with one or more sentences for each named field. */
export const invalid = (fields: FieldErrors) => new AppError(422, 'invalid_input', {}, fields)
