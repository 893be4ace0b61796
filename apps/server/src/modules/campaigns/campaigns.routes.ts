import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/campaigns/endpoints.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { campaignAnswer } from './campaign-answer.ts'
import { forecastStart } from './campaign-forecast.ts'
import { serveCampaigns, serveRecipients } from './list-campaigns.ts'
import { previewCampaign } from './plan/preview.ts'
import { createCampaign, deleteCampaign, updateCampaign } from './save-campaign.ts'
import * as steps from './steps.ts'
import { testCampaign } from './test-campaign.ts'
import { getCampaignRow } from './visible-campaigns.ts'

const stepRoutes = [
  [calls.planCampaign, steps.planCampaign],
  [calls.editCampaign, steps.editCampaign],
  [calls.approveCampaign, steps.approveCampaign],
  [calls.pauseCampaign, steps.pauseCampaign],
  [calls.resumeCampaign, steps.resumeCampaign],
  [calls.retryCampaign, steps.retryCampaign],
  [calls.cancelCampaign, steps.cancelCampaign],
  [calls.continueCampaign, steps.continueCampaign],
] as const

/** Routes under /kirim-informasi for campaigns, their steps and their recipients. */
export const campaignRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveCampaigns(app, services)
    serveRecipients(app, services)
    serve(app, calls.previewCampaign, async (request) => ({
      data: await previewCampaign(services, actorOf(request), languageOfRequest(request), request.body),
    }))
    serve(app, calls.readCampaign, async (request) => ({
      data: await campaignAnswer(services, actorOf(request), languageOfRequest(request), request.params.id),
    }))
    serve(app, calls.forecastCampaign, async (request) => ({
      data: await forecastStart(services, actorOf(request), request.params.id, request.query.startsAt ?? null),
    }))
    serve(app, calls.campaignHistory, async (request) => ({
      data: await campaignHistory(services.db, actorOf(request), request.params.id),
    }))
    serve(
      app,
      calls.createCampaign,
      async (request) => ({
        data: await createCampaign(services, actorOf(request), languageOfRequest(request), request.body),
      }),
      { status: 201 },
    )
    serve(app, calls.updateCampaign, async (request) => ({
      data: await updateCampaign(
        services,
        actorOf(request),
        languageOfRequest(request),
        request.params.id,
        request.body,
      ),
    }))
    serve(app, calls.deleteCampaign, async (request) => ({
      data: await deleteCampaign(services, actorOf(request), request.params.id, request.query.version),
    }))
    for (const [endpoint, step] of stepRoutes)
      serve(app, endpoint, async (request) => ({
        data: await step(services, actorOf(request), {
          id: request.params.id,
          version: request.body.version,
          language: languageOfRequest(request),
        }),
      }))
    for (const [endpoint, step] of [
      [calls.releaseCampaign, steps.releaseCampaign],
      [calls.rescheduleCampaign, steps.rescheduleCampaign],
    ] as const)
      serve(app, endpoint, async (request) => ({
        data: await step(services, actorOf(request), {
          id: request.params.id,
          ...request.body,
          language: languageOfRequest(request),
        }),
      }))
    serve(
      app,
      calls.testCampaign,
      async (request) => ({
        data: await testCampaign(services, actorOf(request), request.params.id, request.body.language),
      }),
      { rateLimit: { max: 20, timeWindow: '1 minute', keyOf: (request) => actorOf(request).accountId } },
    )
  }

const maxEntries = 100

async function campaignHistory(db: Db, actor: Actor, id: string) {
  await getCampaignRow(db, actor, id)
  return db
    .selectFrom('auditLog')
    .select(['id', 'at', 'action', 'actorName as name', 'actingAsName as actingAs'])
    .where('subjectType', '=', 'campaign')
    .where('subjectId', '=', id)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxEntries)
    .execute()
}
