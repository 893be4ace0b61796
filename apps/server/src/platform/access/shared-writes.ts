import type { FastifyInstance } from 'fastify'
import { opensLimitedWrites } from '#domain/access/whole-view.ts'
import { AppError } from '#server/platform/errors.ts'
import { isLimited, seesAll } from './row-scope.ts'

/**
 * 403 for writes by roles limited to some study programmes, unless the permission that opens the route is limited to
 * their rows and the route is not declared as shared. Routes for all signed-in users write only rows of the account.
 */
export function refuseSharedWrites(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access, alsoFor = [], reads, shared } = request.routeOptions.config
    const { actor, method } = request
    if (actor && shared && !seesAll(actor)) return done(new AppError(403, shared))
    const isRead = reads || method === 'GET' || method === 'HEAD'
    if (!actor || !access || !isLimited(actor) || isRead || access === 'public' || access === 'signed-in') return done()
    if ([access, ...alsoFor].some((slug) => actor.permissions.has(slug) && opensLimitedWrites(slug))) return done()
    done(new AppError(403, access.startsWith('settings-') ? 'settings_need_whole_view' : 'shared_needs_whole_view'))
  })
}
