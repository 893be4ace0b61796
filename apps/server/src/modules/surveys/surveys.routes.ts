import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/surveys/endpoints.ts'
import * as open from '#domain/surveys/public-endpoints.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { sendPdf } from '#server/platform/files/send-pdf.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { drawPoster } from './draw-poster.ts'
import { exportAnswers } from './export-answers.ts'
import { changeLink, createLink, showLink } from './links.ts'
import { serveSurveyLinks, serveSurveyResponses, serveSurveys, serveSurveyTexts } from './lists.ts'
import { searchSchoolsOf, showOpenSurvey } from './open-survey.ts'
import { listPhotos, removeResponse, showResponse } from './responses.ts'
import { readCross, readResults } from './results.ts'
import {
  createSurvey,
  deleteSurvey,
  duplicateSurvey,
  previewSurvey,
  publishSurvey,
  saveSurvey,
  setSurveyState,
  showSurvey,
} from './save-survey.ts'
import { takePhoto } from './take-photo.ts'
import { takeResponses } from './take-responses.ts'

/** A hundred long responses fit. A device that gets 413 splits its responses into two requests. */
const maxResponseBytes = 4_000_000

/** Several hundred phones in one hall may share one IP address. */
const hallLimit = { max: 900, timeWindow: '1 minute' }

/** Survey routes for staff and for the public page. */
export const surveyRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db } = services
    serve(
      app,
      open.readOpenSurvey,
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        return { data: await showOpenSurvey(services, request.params.slug) }
      },
      { rateLimit: hallLimit },
    )
    serve(
      app,
      open.sendResponses,
      async (request) => ({
        data: await takeResponses(services, request.params.slug, request.body, request.log),
      }),
      { rateLimit: hallLimit, bodyLimit: maxResponseBytes },
    )
    serve(
      app,
      open.sendSurveyPhoto,
      async (request) => ({ data: await takePhoto(services, request, request.params) }),
      {
        rateLimit: hallLimit,
      },
    )
    serve(
      app,
      open.searchSurveySchools,
      async (request) => ({ data: await searchSchoolsOf(services, request.params.slug, request.query.q) }),
      { rateLimit: hallLimit },
    )

    serveSurveys(app, services)
    serve(
      app,
      calls.createSurvey,
      async (request) => ({ data: await createSurvey(services, wholeViewOf(request), request.body) }),
      { status: 201 },
    )
    serve(app, calls.readSurvey, async (request) => {
      wholeViewOf(request)
      return { data: await showSurvey(db, request.params.id) }
    })
    serve(app, calls.saveSurvey, async (request) => ({
      data: await saveSurvey(services, wholeViewOf(request), request.params.id, request.body),
    }))
    serve(app, calls.publishSurvey, async (request) => ({
      data: await publishSurvey(services, wholeViewOf(request), request.params.id, request.body.version),
    }))
    serve(app, calls.closeSurvey, async (request) => ({
      data: await setSurveyState(services, wholeViewOf(request), request.params.id, request.body.version, 'close'),
    }))
    serve(app, calls.reopenSurvey, async (request) => ({
      data: await setSurveyState(services, wholeViewOf(request), request.params.id, request.body.version, 'reopen'),
    }))
    serve(
      app,
      calls.duplicateSurvey,
      async (request) => ({
        data: await duplicateSurvey(services, wholeViewOf(request), request.params.id, request.body.name),
      }),
      { status: 201 },
    )
    serve(app, calls.deleteSurvey, async (request) => ({
      data: await deleteSurvey(services, wholeViewOf(request), request.params.id),
    }))
    serve(app, calls.previewSurvey, async (request) => {
      wholeViewOf(request)
      return { data: await previewSurvey(services, request.params.id) }
    })

    serveSurveyLinks(app, services)
    serve(
      app,
      calls.createSurveyLink,
      async (request) => ({
        data: await createLink(services, wholeViewOf(request), request.params.id, request.body),
      }),
      { status: 201 },
    )
    serve(app, calls.readSurveyLink, async (request) => {
      wholeViewOf(request)
      return { data: await showLink(services, db, request.params.id, request.params.linkId) }
    })
    serve(
      app,
      calls.downloadSurveyPoster,
      async (request, reply) => {
        wholeViewOf(request)
        const { id, linkId } = request.params
        const { slug, bytes } = await drawPoster(services, id, linkId, languageOfRequest(request))
        return sendPdf(reply, slug, bytes)
      },
      { raw: true },
    )
    serve(app, calls.changeSurveyLink, async (request) => {
      const { id, linkId } = request.params
      return { data: await changeLink(services, wholeViewOf(request), id, linkId, request.body) }
    })

    serve(app, calls.readSurveyResults, async (request) => {
      wholeViewOf(request)
      return { data: await readResults(db, request.params.id, request.query) }
    })
    serve(app, calls.readSurveyCross, async (request) => {
      wholeViewOf(request)
      return { data: await readCross(db, request.params.id, request.query) }
    })
    serve(app, calls.readSurveyPhotos, (request) =>
      listPhotos(services, wholeViewOf(request), request.params.id, request.query),
    )
    serve(
      app,
      calls.exportSurveyAnswers,
      (request, reply) => {
        wholeViewOf(request)
        return exportAnswers(services, request, reply, request.params.id, request.query)
      },
      { raw: true },
    )
    serveSurveyTexts(app, services)
    serveSurveyResponses(app, services)
    serve(app, calls.readSurveyResponse, async (request) => {
      const { id, responseId } = request.params
      return { data: await showResponse(services, wholeViewOf(request), id, responseId, languageOfRequest(request)) }
    })
    serve(app, calls.removeSurveyResponse, async (request) => {
      const { id, responseId } = request.params
      return { data: await removeResponse(services, wholeViewOf(request), id, responseId, request.body.reason) }
    })
  }
