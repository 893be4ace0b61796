import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  createAdmissionYear,
  listAdmissionYears,
  previewAdmissionYear,
  readYearUndo,
  undoAdmissionYear,
} from '#domain/admission-year/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { previewYear } from './preview-year.ts'
import { previewUndo, undoYear } from './undo-year.ts'
import { findCopies, writeYear } from './write-year.ts'

/** Bytes; fits manual edits of a whole year. */
const maxPlanBytes = 2_000_000

async function listYears(db: Db) {
  const waves = await db
    .selectFrom('waves')
    .select(['academicYear', 'name'])
    .where('active', '=', true)
    .orderBy('academicYear', 'desc')
    .orderBy('opensAt')
    .execute()
  const years = [...Map.groupBy(waves, (wave) => wave.academicYear)].map(([academicYear, yearWaves]) => ({
    academicYear,
    waves: yearWaves.map(({ name }) => name),
  }))
  return { years, copies: await findCopies(db) }
}

/** Routes for copying an admission year: previewed before writing, and undone while nothing uses it. */
export const admissionYearRoutes =
  ({ db, clock }: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, listAdmissionYears, async (request) => {
      requireWholeView(actorOf(request), 'needs_every_programme')
      return { data: await listYears(db) }
    })
    serve(
      app,
      previewAdmissionYear,
      async (request) => ({
        data: await previewYear(db, actorOf(request), request.body, languageOfRequest(request), clock.now()),
      }),
      { bodyLimit: maxPlanBytes },
    )
    serve(
      app,
      createAdmissionYear,
      async (request) => ({
        data: await writeYear(db, actorOf(request), request.body, languageOfRequest(request), clock.now()),
      }),
      { bodyLimit: maxPlanBytes },
    )
    serve(app, readYearUndo, async (request) => ({
      data: await previewUndo(db, actorOf(request), request.params.id, languageOfRequest(request)),
    }))
    serve(app, undoAdmissionYear, async (request) => ({
      data: await undoYear(db, actorOf(request), request.params.id, languageOfRequest(request), clock.now()),
    }))
  }
