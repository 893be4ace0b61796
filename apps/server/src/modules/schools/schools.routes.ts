import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { sql } from 'kysely'
import { theOnly } from '#domain/must.ts'
import * as endpoints from '#domain/schools/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { writingOf } from '#server/resource/routes.ts'
import { compareSome, countWaiting } from './compare-schools.ts'
import { mergeSchools, previewMerge } from './merge-schools.ts'
import { serveMerges } from './merges.ts'
import { dismissPair, readPair, servePairs, sideBySide } from './pairs.ts'
import { rejectProposal, serveProposals, verifyProposal, verifyProposals, withoutProposers } from './proposals.ts'
import { undoMerge } from './undo-merge.ts'

/** Schools compared within a request; a whole list waits for the job. */
const comparedPerRequest = 100
const maxPerCall = 5_000

export const schoolRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock } = services

    serve(app, endpoints.schoolQuality, async () => {
      await compareSome(db, comparedPerRequest)
      const { rows } = await sql<{ proposals: number; pairs: number }>`
        SELECT (SELECT count(*)::int FROM schools WHERE NOT verified AND active) AS proposals,
          (SELECT count(*)::int FROM school_pairs WHERE NOT dismissed) AS pairs`.execute(db)
      return { data: { ...theOnly(rows), waiting: await countWaiting(db) } }
    })
    servePairs(app, services)
    serve(app, endpoints.comparePairs, async () => ({
      data: { compared: await compareSome(db, maxPerCall), waiting: await countWaiting(db) },
    }))
    serve(app, endpoints.readPair, async (request) => {
      const { pair, schools } = await readPair(db, request.params.id, languageOfRequest(request))
      return { data: { pair, schools: withoutProposers(actorOf(request), schools) } }
    })
    serve(app, endpoints.compareSchools, async (request) => {
      const { id, otherId } = request.params
      if (id === otherId) throw invalid({ otherId: 'invalid_input' })
      const data = await sideBySide(db, [id, otherId], languageOfRequest(request))
      if (data.length < 2) throw notFound('school')
      return { data: withoutProposers(actorOf(request), data) }
    })
    serve(app, endpoints.dismissPair, async (request) => ({
      data: await dismissPair(services, actorOf(request), request.params.id, request.body.dismissed),
    }))
    serve(app, endpoints.previewMerge, async (request) => ({
      data: await previewMerge(services, actorOf(request), request.body, languageOfRequest(request)),
    }))
    serve(app, endpoints.mergeSchools, async (request) => ({
      data: await mergeSchools(services, actorOf(request), request.body, languageOfRequest(request)),
    }))
    serveMerges(app, services)
    serve(app, endpoints.undoMerge, async (request) => ({
      data: await undoMerge(services, actorOf(request), request.params.id),
    }))

    serveProposals(app, services)
    serve(app, endpoints.verifyProposals, async (request) => ({
      data: await verifyProposals(services, actorOf(request), request.body, languageOfRequest(request)),
    }))
    serve(app, endpoints.verifyProposal, async (request) => ({
      data: await verifyProposal(db, request.params.id, request.body, writingOf(request, clock)),
    }))
    serve(app, endpoints.rejectProposal, async (request) => ({
      data: await rejectProposal(
        services,
        actorOf(request),
        request.params.id,
        request.body,
        languageOfRequest(request),
      ),
    }))
  }
