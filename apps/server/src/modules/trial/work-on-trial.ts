import type { FastifyInstance } from 'fastify'
import { proposeSchool } from '#domain/applicants/endpoints.ts'
import { conflict } from '#server/platform/errors.ts'

/** The only call of applicants that adds to the settings, which a trial reads and never changes. */
const changesSettings = `/api${proposeSchool.path}`

/** Refuses what a trial cannot do; its tables and its role of PostgreSQL are what keeps it apart. */
export function workOnTrial(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.routeOptions.url === changesSettings ? conflict('trial_settings_only') : undefined),
  )
}
