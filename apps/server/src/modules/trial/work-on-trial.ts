import type { FastifyInstance } from 'fastify'
import { proposeSchool } from '#domain/applicants/endpoints.ts'
import { conflict } from '#server/platform/errors.ts'

/** The only applicant call that adds to the settings, which a trial reads and never changes. */
const changesSettings = `/api${proposeSchool.path}`

/** Refuses what a trial cannot do. Its separate tables and PostgreSQL role are what isolates it. */
export function workOnTrial(app: FastifyInstance) {
  app.addHook('onRequest', (request, _reply, done) =>
    done(request.routeOptions.url === changesSettings ? conflict('trial_settings_only') : undefined),
  )
}
