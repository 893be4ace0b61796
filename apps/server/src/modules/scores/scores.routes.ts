import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import {
  checkScoreImport,
  confirmPeople,
  createScoreRun,
  deleteScoreRun,
  downloadScoreFile,
  listProposedPeople,
  listScoreVersions,
  readScoreChoices,
  readScoreEntry,
  readScoreImport,
  readScoreRun,
  recordScore,
  runScoreImport,
  undoScoreImport,
  uploadScores,
} from '#domain/scores/endpoints.ts'
import { maxSheetBytes, storeSheet } from '#server/modules/transfer/imports/import-files.ts'
import { sendUpload } from '#server/modules/transfer/imports/uploads.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { receiveUpload } from '#server/platform/files/uploads.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import * as check from './check-import.ts'
import * as people from './proposed-people.ts'
import * as choices from './score-choices.ts'
import * as entry from './score-entry.ts'
import * as imports from './score-imports.ts'
import * as runs from './score-runs.ts'
import * as write from './write-import.ts'

/** Routes of test scores: files from other systems, manual entry, and the runs that compute final scores. */
export const scoreRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    const toAnswer = async (request: FastifyRequest, row: imports.ScoreImportRow) => ({
      data: await imports.describeImport(services, actorOf(request), row, languageOfRequest(request)),
    })

    serve(app, readScoreChoices, async () => ({ data: await choices.readScoreChoices(db) }))
    serve(
      app,
      uploadScores,
      async (request) => {
        const actor = actorOf(request)
        imports.requireWhole(actor)
        await imports.checkTarget(db, request.query)
        const { file, format } = await receiveUpload(services, request, { maxBytes: maxSheetBytes }, (sheet) =>
          storeSheet(services, actor, sheet, ['xlsx', 'csv']),
        )
        const { waveId, testSessionId } = request.query
        return toAnswer(
          request,
          await imports.startScoreImport(services, actor, { waveId, testSessionId, file, format }),
        )
      },
      { status: 201 },
    )
    imports.serveScoreImports(app, services)
    serve(app, readScoreImport, async (request) =>
      toAnswer(request, await imports.getScoreImport(db, actorOf(request), request.params.id)),
    )
    imports.serveScoreProblems(app, services)
    imports.serveScoreLines(app, services)
    serve(
      app,
      downloadScoreFile,
      async (request, reply) => {
        return sendUpload(services, reply, await imports.getScoreImport(db, actorOf(request), request.params.id))
      },
      { raw: true },
    )
    serve(app, checkScoreImport, async (request) =>
      toAnswer(request, await check.checkScoreImport(services, actorOf(request), request.params.id, request.body)),
    )
    serve(app, listProposedPeople, async (request) => ({
      data: await people.listProposedPeople(db, actorOf(request), request.params.id),
    }))
    serve(app, confirmPeople, async (request) =>
      toAnswer(request, await people.confirmPeople(services, actorOf(request), request.params.id, request.body.people)),
    )
    serve(app, runScoreImport, async (request) =>
      toAnswer(request, await write.runScoreImport(services, actorOf(request), request.params.id, request.body)),
    )
    serve(app, undoScoreImport, async (request) =>
      toAnswer(request, await write.undoScoreImport(services, actorOf(request), request.params.id)),
    )

    serve(app, readScoreEntry, async (request) => ({
      data: await entry.readScoreEntry(services, actorOf(request), request.query),
    }))
    serve(app, recordScore, async (request) => ({
      data: await entry.recordScore(services, actorOf(request), request.params.id, request.body),
    }))
    serve(app, listScoreVersions, async (request) => ({
      data: await entry.listScoreVersions(db, actorOf(request), request.params.id),
    }))

    runs.serveScoreRuns(app, services)
    serve(
      app,
      createScoreRun,
      async (request) => ({ data: await runs.createScoreRun(services, actorOf(request), request.body) }),
      { status: 201 },
    )
    serve(app, readScoreRun, async (request) => ({
      data: await runs.readScoreRun(db, actorOf(request), request.params.id, request.query.comparedWith),
    }))
    runs.serveFinalScores(app, services)
    serve(app, deleteScoreRun, async (request) => {
      await runs.deleteScoreRun(services, actorOf(request), request.params.id)
      return { data: null }
    })
  }
