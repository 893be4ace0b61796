import crypto from 'node:crypto'
import { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify'
import { checkBody } from '#domain/body-check.ts'
import type { Endpoint } from '#domain/endpoint.ts'
import type { Clock } from '#server/platform/clock.ts'
import { AppError } from '#server/platform/errors.ts'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'
import type { Services } from '#server/platform/services.ts'
import { answerError, InputError } from './error-handler.ts'
import { type GivenSchema, schemaOf } from './late-schema.ts'
import { trustedProxies } from './proxies.ts'
import { safeHeaders } from './request-log.ts'

export const serverOptions = ({ config, log }: Services): FastifyServerOptions =>
  ({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies(config.trustProxy),
    bodyLimit: 1_048_576,
    requestTimeout: 120_000,
    keepAliveTimeout: 65_000,
    forceCloseConnections: 'idle',
    genReqId: requestId,
    routerOptions: { maxParamLength: 400 },
    // An undecodable URL reaches no route and no hook.
    frameworkErrors: (error, request, reply) => answerError(error, request, reply.headers(safeHeaders(request))),
  }) as FastifyServerOptions

declare module 'fastify' {
  interface FastifyInstance {
    clock: Clock
  }
}

const processId = crypto.randomBytes(4).toString('hex')
let count = 0
/** Id that is unique across servers and restarts, without random bytes per request. */
const requestId = () => `${processId}-${(count++).toString(36)}`

/** Validates requests and serialises answers with the Zod schemas of the endpoint's declaration. */
export function speakZod(app: FastifyInstance, clock: Clock) {
  app.decorate('clock', clock)
  // Both have names, by which `npm run bench -- answer-costs` knows them in a profile.
  app.setValidatorCompiler<GivenSchema>(
    ({ schema, httpPart }) =>
      function validateInput(data) {
        if (httpPart === 'body') return validateBody({ body: schemaOf(schema) }, data, clock)
        const result = schemaOf(schema).safeParse(data, { reportInput: true })
        const issues = [...issuesOfText(data), ...(result.error?.issues ?? [])]
        if (result.success && issues.length === 0) return { value: result.data }
        // A malformed id cannot name a record, so it gets 404.
        const isReadable = issues.length === result.error?.issues.length
        return { error: httpPart === 'params' && isReadable ? new AppError(404, 'not_found') : new InputError(issues) }
      },
  )
  app.setSerializerCompiler<GivenSchema>(
    ({ schema, method, url }) =>
      function serialiseAnswer(data) {
        const result = schemaOf(schema).safeParse(data)
        if (result.success) return JSON.stringify(result.data)
        throw new Error(
          `${method} ${url} answers something else than it declares: ${JSON.stringify(result.error.issues)}`,
        )
      },
  )
  // A DELETE without a body may still have a JSON content type.
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, refuseUnreadable(done)),
  )
}

/** The body parsed by its schema, or all problems found by schema and rules. */
export function validateBody(
  endpoint: Pick<Endpoint, 'body' | 'rules' | 'rulesInUseCase'>,
  body: unknown,
  clock: Clock,
) {
  const { value, issues, problems } = checkBody(endpoint, body, clock.now())
  const isSound = issues.length === 0 && (endpoint.rulesInUseCase || Object.keys(problems).length === 0)
  return isSound ? { value } : { error: new InputError(issues, problems) }
}

type Parsed = (error: Error | null, value?: unknown) => void

/** Refuses unstorable text in JSON before other code walks it, also on routes that declare no body. */
const refuseUnreadable =
  (done: Parsed): Parsed =>
  (error, value) => {
    const issues = error ? [] : issuesOfText(value)
    if (issues.length > 0) done(new InputError(issues))
    else done(error, value)
  }
