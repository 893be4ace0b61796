import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#domain/errors.ts'
import type { Language } from '#entities/define/language.ts'
import { AppError, forbidden, unauthenticated } from '#server/platform/errors.ts'

/** Rows an actor may see. `own`: an applicant sees only rows of their own account. */
export type Scope = { kind: 'own' } | { kind: 'all' } | { kind: 'programmes'; programmeIds: string[] }

export type Actor = {
  accountId: string
  sessionId: string
  name: string
  email: string
  emailVerified: boolean
  language: Language
  role: { id: string; name: string }
  permissions: ReadonlySet<string>
  scope: Scope
  /** Time of the call. A limited role sees results published before it; without a time it sees none. */
  at?: Date
  /** Set while a user views the product as this account; such a session is read-only. */
  seenBy?: { accountId: string; name: string; role: string }
  /** Origin of the call, for the audit log. */
  request?: { ip: string; id: string }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** 'public', 'signed-in' or the required permission; the server does not start with a route that lacks it. */
    access?: string
    /** Alternative permissions that also open the route. */
    alsoFor?: readonly string[]
    /** Error code of the 403 for roles limited to some study programmes. */
    shared?: ErrorCode
    /** A POST that writes nothing. */
    reads?: boolean
    /** Open to accounts that must still set up two-factor sign-in. */
    beforeTotp?: boolean
    /**
     * For sessions that view the product as another account: `read` marks a POST that writes nothing; `private` is
     * refused even for reading.
     */
    seenAs?: 'read' | 'private'
    /** The answer holds a secret, so it is not stored under its idempotency key. */
    secretAnswer?: boolean
  }
  interface FastifyRequest {
    actor: Actor | null
  }
  interface FastifyInstance {
    /** Every route with its access, in registration order. */
    declaredRoutes: {
      method: string
      path: string
      access: string
      alsoFor: readonly string[]
      secretAnswer: boolean
      upload: boolean
    }[]
    /** Third-party plugins declare no access; their Fastify scope declares it for all their routes. */
    accessOfPlugins?: string
  }
}

/** Actor for jobs, seeds and bank callbacks. */
export const systemActor: Actor = {
  accountId: '',
  sessionId: '',
  name: 'System',
  email: '',
  emailVerified: true,
  language: 'id',
  role: { id: '', name: 'System' },
  permissions: new Set(),
  scope: { kind: 'all' },
}

/** Throws 403. For permissions that depend on the request, so a route cannot declare them. */
export function requirePermission(actor: Actor, permission: string) {
  if (!actor.permissions.has(permission)) throw forbidden(permission)
}

export function actorOf(request: Pick<FastifyRequest, 'actor'>): Actor {
  if (!request.actor) throw unauthenticated()
  return request.actor
}

/** Refuses to start with a route without access; checks each request against its route's access. */
export function requireAccessOnEveryRoute(app: FastifyInstance) {
  app.decorate('declaredRoutes', [])
  app.addHook('onRoute', function (route) {
    const access = route.config?.access ?? this.accessOfPlugins
    if (!access) throw new Error(`${String(route.method)} ${route.url} declares no access`)
    route.config = { ...route.config, access }
    if (route.method === 'HEAD') return
    const { alsoFor = [], secretAnswer = false, upload = false } = route.config
    app.declaredRoutes.push({ method: String(route.method), path: route.url, access, alsoFor, secretAnswer, upload })
  })
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, alsoFor, beforeTotp, seenAs } = request.routeOptions.config
    // Only a request that matched no route has no access rule; it gets 404.
    if (access === undefined) return done()
    const { actor } = request
    if (actor?.seenBy && mayNotWhileSeeing(request.method, seenAs)) return done(new AppError(403, 'seen_as_read_only'))
    if (access === 'public') return done()
    if (!actor) return done(unauthenticated())
    if (request.session?.mustSetUpTotp && !beforeTotp) return done(new AppError(403, 'totp_setup_required'))
    if (access === 'signed-in' || actor.permissions.has(access)) return done()
    if (alsoFor?.some((slug) => actor.permissions.has(slug))) return done()
    done(forbidden(access))
  })
}

/**
 * Whether a session that views the product as another account is refused: always for writes, for reads only on private
 * routes.
 */
const mayNotWhileSeeing = (method: string, seenAs: 'read' | 'private' | undefined) =>
  method === 'GET' || method === 'HEAD' ? seenAs === 'private' : seenAs !== 'read'
