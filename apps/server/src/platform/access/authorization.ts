import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ErrorCode } from '#domain/errors.ts'
import type { Language } from '#entities/define/language.ts'
import { AppError, forbidden, unauthenticated } from '#server/platform/errors.ts'

/** Which rows an actor may see. `own` is the applicant's: only what belongs to the account. */
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
  /** Time of the call. Results published by then count for the rows of a limited role; without a time none does. */
  at?: Date
  /** The user who looks at the product as this account; such a session only reads. */
  seenBy?: { accountId: string; name: string; role: string }
  /** Where the call came from, for the audit log. */
  request?: { ip: string; id: string }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** 'public', 'signed-in' or the permission the caller must hold; a route without it stops the start. */
    access?: string
    /** Permissions that open the route as well as `access`. */
    alsoFor?: readonly string[]
    /** Code of the 403 for roles limited to some study programmes. */
    shared?: ErrorCode
    /** A POST that writes nothing. */
    reads?: boolean
    /** Open to accounts that still have to set up two-factor sign-in. */
    beforeTotp?: boolean
    /** For sessions that see the product as another account: `read` is a POST that writes nothing, `private` is refused even to read. */
    seenAs?: 'read' | 'private'
    /** The answer holds a secret: it is not stored for repetition under its idempotency key. */
    secretAnswer?: boolean
  }
  interface FastifyRequest {
    actor: Actor | null
  }
  interface FastifyInstance {
    /** Every route with its access, in the order of registration. */
    declaredRoutes: {
      method: string
      path: string
      access: string
      alsoFor: readonly string[]
      secretAnswer: boolean
      upload: boolean
    }[]
    /** Routes of third-party plugins declare no access; the Fastify scope they are registered in declares it for all of them. */
    accessOfPlugins?: string
  }
}

/** Actor of jobs, seeds and callbacks of banks. */
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

/** Throws 403; for permissions that depend on the request, which a route cannot declare. */
export function requirePermission(actor: Actor, permission: string) {
  if (!actor.permissions.has(permission)) throw forbidden(permission)
}

export function actorOf(request: Pick<FastifyRequest, 'actor'>): Actor {
  if (!request.actor) throw unauthenticated()
  return request.actor
}

/** Throws at the start for a route without access, and checks the access of the route on every request. */
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
    // Only a request that matched no route arrives without access; it is answered with 404.
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

/** Whether a session that sees the product as another account is refused: for writes, and for reads of private routes. */
const mayNotWhileSeeing = (method: string, seenAs: 'read' | 'private' | undefined) =>
  method === 'GET' || method === 'HEAD' ? seenAs === 'private' : seenAs !== 'read'
