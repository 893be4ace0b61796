import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
  RouteShorthandOptions,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { Endpoint, Schema } from '#domain/endpoint.ts'
import { AppError } from '#server/platform/errors.ts'
import { addressOf, networkOf } from './address.ts'
import { validateBody } from './http.ts'
import { LateSchema, schemaOf } from './late-schema.ts'

export type App = FastifyInstance<any, any, any, FastifyBaseLogger, any>
type Out<S> = S extends Schema ? z.output<S> : undefined

/** A value whose lists may be readonly. */
export type Sendable<T> = T extends Date
  ? T
  : T extends readonly (infer Item)[]
    ? readonly Sendable<Item>[]
    : T extends object
      ? { [K in keyof T]: Sendable<T[K]> }
      : T

export type ServedRequest<E extends Endpoint> = FastifyRequest<{
  Params: Out<E['params']>
  Querystring: Out<E['query']>
  Body: Out<E['body']>
}>

export type ServeOptions = {
  /** Status of the answer; 200 by default, 201 for a new row. */
  status?: number
  /** Calls allowed per window and address; `keyOf` also counts per account or e-mail. */
  rateLimit?: { max: number; timeWindow: string | number; keyOf?: (request: FastifyRequest) => string }
  /** The answer is a file or page instead of JSON; the response schema only documents it. */
  raw?: boolean
  config?: Record<string, unknown>
} & Pick<RouteShorthandOptions, 'bodyLimit' | 'logLevel' | 'attachValidation' | 'exposeHeadRoute'>

/** Registers one declared endpoint: access, validation, answer and documentation come from the declaration. */
export function serve<const E extends Endpoint>(
  app: App,
  endpoint: E,
  handler: (
    request: ServedRequest<E>,
    reply: FastifyReply,
  ) => Promise<Sendable<z.input<E['response']>> | FastifyReply> | Sendable<z.input<E['response']>> | FastifyReply,
  { status, rateLimit, raw, config, ...options }: ServeOptions = {},
) {
  const { method, path, access, alsoFor, shared, reads, summary, rules, upload = false } = endpoint
  app.withTypeProvider<ZodTypeProvider>().route({
    ...options,
    method,
    url: path,
    config: {
      ...config,
      access,
      upload,
      ...(alsoFor && { alsoFor }),
      ...(shared && { shared }),
      ...(reads && { reads }),
    },
    // Runs before validation, so that refused input counts too.
    ...(rateLimit && { preValidation: limitCalls(app, rateLimit) }),
    ...(rules && { validatorCompiler: compilerWith(app, endpoint) }),
    schema: {
      summary,
      tags: [path.split('/')[1] ?? 'api'],
      ...('params' in endpoint && { params: new LateSchema(endpoint, 'params') }),
      ...('query' in endpoint && { querystring: new LateSchema(endpoint, 'query') }),
      ...('body' in endpoint && { body: new LateSchema(endpoint, 'body') }),
      ...(!raw && { response: { '2xx': new LateSchema(endpoint, 'response') } }),
    },
    handler: (request: FastifyRequest, reply: FastifyReply) => {
      if (status) reply.code(status)
      return handler(request as ServedRequest<E>, reply)
    },
  })
}

/** Validates a body with its schema and its rules, so that one refusal lists the problems of both. */
const compilerWith =
  (app: App, { rules, rulesInUseCase }: Endpoint): FastifySchemaCompiler<unknown> =>
  (part) =>
    part.httpPart === 'body'
      ? (data) => validateBody({ body: schemaOf(part.schema), rules, rulesInUseCase }, data, app.clock)
      : (app.validatorCompiler as FastifySchemaCompiler<unknown>)(part)

/**
 * Limits calls per network address and, with `keyOf`, per account or e-mail. With `keyOf` the address gets ten times
 * the limit, since a whole school may share one.
 */
export function limitCalls(
  app: Pick<App, 'createRateLimit'>,
  { max, timeWindow, keyOf }: NonNullable<ServeOptions['rateLimit']>,
) {
  const count = (limit: number, key: (request: FastifyRequest) => string) =>
    app.createRateLimit({ max: limit, timeWindow, keyGenerator: key })
  const byAddress = count(keyOf ? max * 10 : max, (request) => networkOf(addressOf(request)))
  // Checks the person first, so that one person's refused calls do not use up the address limit.
  const limits = keyOf ? [count(max, keyOf), byAddress] : [byAddress]
  return async (request: FastifyRequest) => {
    for (const limit of limits) {
      const outcome = await limit(request)
      if (!outcome.isAllowed && outcome.isExceeded)
        throw new AppError(429, 'too_many_requests', { retryAfter: outcome.ttlInSeconds })
    }
  }
}
