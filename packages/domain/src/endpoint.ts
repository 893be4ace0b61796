import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** Any Zod schema. With `z.ZodType` instead, the compiler would compare its forty methods. */
export type Schema<Out = unknown, In = unknown> = { _zod: { output: Out; input: In } }

/** Who may call: everyone, signed-in users, or holders of a permission slug. */
export type Access = 'public' | 'signed-in' | (string & {})

/** Code of a sentence in `errors`, with parameters. */
export type Problem = ErrorCode | { code: ErrorCode; params?: Record<string, unknown> }
export type Problems = Record<string, Problem | Problem[] | null | undefined>

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below /api, with :parameters. */
  path: string
  access: Access
  /** Other permissions that open the endpoint. */
  alsoFor?: readonly string[]
  /**
   * Writes data that applies to all study programmes: roles limited to some get 403 with this code and see no button.
   */
  shared?: ErrorCode
  summary: string
  /** A POST that writes nothing; its input is too large for a query. */
  reads?: true
  params?: Schema
  query?: Schema
  body?: Schema
  /**
   * Rules for the body that need no database, such as equal passwords, by field. `body` has the fields that passed the
   * schema; the others are undefined and reported by the schema.
   */
  rules?: (body: any, now: Date) => Problems
  /** The use case runs the rules, to report their problems with those found in the database. */
  rulesInUseCase?: true
  /** Set by the browser build, which strips schemas and rules: file with the full declaration. */
  whole?: string
  /** Accepts one file (multipart) instead of a body. */
  upload?: true
  response: Schema
}

/** Declares an endpoint, for the server's route, OpenAPI and the web client. */
export const endpoint = <const E extends Endpoint>(declaration: E): E => declaration

/** Endpoints the web calls with `call`; all others write and go through `sendOnce`. */
export type ReadEndpoint = Endpoint & ({ method: 'GET' } | { reads: true })

type In<S> = S extends Schema ? z.input<S> : undefined

/** Arguments of a call. */
export type CallArguments<E extends Endpoint> = (E extends { params: Schema } ? { params: In<E['params']> } : unknown) &
  (E extends { query: Schema } ? { query?: In<E['query']> } : unknown) &
  (E extends { body: Schema } ? { body: In<E['body']> } : unknown)

/** Answer of a call as JSON: dates are ISO strings. */
export type Answer<E extends Endpoint> = z.output<E['response']>
