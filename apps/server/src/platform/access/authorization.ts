import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, forbidden, unauthenticated } from '#server/platform/errors.ts'

/** Which rows an actor may see. `own` is the applicant's: only what belongs to the account. */
export type Scope = { kind: 'own' } | { kind: 'all' } | { kind: 'programmes'; programmeIds: string[] }

export type Actor = {
  accountId: string
  sessionId: string
  name: string
  email: string
  emailVerified: boolean
  language: 'en' | 'id'
  role: { id: string; name: string }
  permissions: ReadonlySet<string>
  scope: Scope
  /** Who really sits there while the product is seen as somebody else; such a session only reads. */
  seenBy?: { accountId: string; name: string; role: string }
  /** Where the call came from, for the audit log. */
  request?: { ip: string; id: string }
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** 'public', 'signed-in' or the permission the caller must hold. Every route must say which. */
    access?: string
    /** Permissions that open the route as well as `access`. */
    alsoFor?: readonly string[]
    /** Open to somebody who must set up two-factor sign-in first. */
    beforeTotp?: boolean
    /** `read`: writes nothing although it is no GET; `private`: belongs to the person alone, not even shown. */
    seenAs?: 'read' | 'private'
    /** The answer is shown once: it is not kept for a repeated call. */
    secretAnswer?: boolean
  }
  interface FastifyRequest {
    actor: Actor | null
  }
  interface FastifyInstance {
    /** Every route with what it asks for, in the order of registration. */
    declaredRoutes: {
      method: string
      path: string
      access: string
      alsoFor: readonly string[]
      secretAnswer: boolean
      upload: boolean
    }[]
  }
}

/** Routes of third-party plugins cannot say who may call them; the scope they are registered in says it for them. */
type AccessOfPlugins = { accessOfPlugins: string }

/** Work nobody asked for in person: jobs, seeds, callbacks of a bank. */
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

export function actorOf(request: Pick<FastifyRequest, 'actor'>): Actor {
  if (!request.actor) throw unauthenticated()
  return request.actor
}

/** Refuses to boot with a route that does not say who may call it, and asks for that on every request. */
export function requireAccessOnEveryRoute(app: FastifyInstance) {
  app.decorate('declaredRoutes', [])
  app.addHook('onRoute', function (route) {
    const access = route.config?.access ?? (this as Partial<AccessOfPlugins>).accessOfPlugins
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

/** Who sees the product as somebody else reads, and never what is the other person's alone. */
const mayNotWhileSeeing = (method: string, seenAs: 'read' | 'private' | undefined) =>
  method === 'GET' || method === 'HEAD' ? seenAs === 'private' : seenAs !== 'read'
