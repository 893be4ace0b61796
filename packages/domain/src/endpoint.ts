import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

type Schema = z.ZodType

/** Who may call: anybody, anybody signed in, or holders of one permission slug. */
export type Access = 'public' | 'signed-in' | (string & {})

/** Code of a sentence in `errors`, with the values of its placeholders. */
export type Problem = ErrorCode | { code: ErrorCode; params?: Record<string, unknown> }
export type Problems = Record<string, Problem | Problem[] | null | undefined>

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path below /api, with :parameters. */
  path: string
  access: Access
  /** Permissions that open the call as well as `access`. */
  alsoFor?: readonly string[]
  summary: string
  /** Writes nothing although it is no GET: what it asks does not fit into an address. */
  reads?: true
  params?: Schema
  query?: Schema
  body?: Schema
  /**
   * Rules of the body that need no database, such as two passwords that must be equal, by field. `given` holds the
   * fields that the schema could read: any other is undefined, and its problem is told by the schema.
   */
  rules?: (given: any, now: Date) => Problems
  /** The use case asks the rules, to tell their problems together with those the database knows. */
  rulesInUseCase?: true
  /** Set by the build for the browser, which leaves schemas and rules out: file of the whole declaration. */
  whole?: string
  /** Takes one file of a form (multipart) instead of a body. */
  upload?: true
  response: Schema
}

/** Declares one call of the API once: the server's route, OpenAPI and the web client are all made from it. */
export const endpoint = <const E extends Endpoint>(declared: E): E => declared

/** What the web may call at will; everything else is a write and goes through `useSend`. */
export type ReadEndpoint = Endpoint & ({ method: 'GET' } | { reads: true })

type In<S> = S extends Schema ? z.input<S> : undefined

/** What a caller passes. */
export type CallArguments<E extends Endpoint> = (E extends { params: Schema } ? { params: In<E['params']> } : unknown) &
  (E extends { query: Schema } ? { query?: In<E['query']> } : unknown) &
  (E extends { body: Schema } ? { body: In<E['body']> } : unknown)

/** What the caller gets back (as JSON: dates are ISO strings). */
export type Answer<E extends Endpoint> = z.output<E['response']>
