import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/affiliates/endpoints.ts'
import * as payouts from '#domain/affiliates/payout-endpoints.ts'
import { recordTouch as recordTouchCall } from '#domain/affiliates/touch-endpoint.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { qrOf } from '#server/platform/files/qr.ts'
import { addressOf } from '#server/platform/http/address.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { apply, approve, refuse } from './applications.ts'
import {
  serveApplications,
  serveBalances,
  serveCommission,
  serveHolds,
  servePayouts,
  serveRules,
} from './commission-lists.ts'
import { decideHold } from './holds.ts'
import { linkAccount, showLink } from './link-account.ts'
import { readOwn, saveOwn } from './own.ts'
import { serveOwnCommission, serveReferred } from './own-lists.ts'
import {
  approvePayout,
  cancelPayout,
  createPayout,
  markPaid,
  previewPayout,
  returnLine,
  sendBankFile,
  showPayout,
} from './payouts.ts'
import { getByAddress, keepPublicAffiliates, linkOf, photoOf } from './public-affiliates.ts'
import { createRule, decideRule } from './rules.ts'
import { recordTouch } from './touches.ts'

/** Public pages of affiliates, pages for an affiliate, and commission with its payouts for staff. */
export const affiliateRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const publicAffiliates = keepPublicAffiliates(services)
    const publicCache = 'public, max-age=15'
    serve(app, calls.listPublicAffiliates, async (_request, reply) => {
      reply.header('cache-control', publicCache)
      return { data: await publicAffiliates() }
    })
    serve(app, calls.readPublicAffiliate, async (request, reply) => {
      reply.header('cache-control', publicCache)
      const found = getByAddress(await publicAffiliates(), request.params.id)
      const link = linkOf(services, found)
      return { data: { ...found, link, qr: qrOf(link) } }
    })
    serve(
      app,
      calls.readAffiliatePhoto,
      async (request, reply) => {
        const { type, bytes } = await photoOf(services, getByAddress(await publicAffiliates(), request.params.id))
        return reply.header('cache-control', 'public, max-age=600').type(type).send(bytes)
      },
      { raw: true },
    )
    serve(
      app,
      recordTouchCall,
      async (request) => ({ data: await recordTouch(services, request.body, addressOf(request)) }),
      // A whole school may open the link in one lesson.
      { rateLimit: { max: 300, timeWindow: '1 minute' } },
    )

    serve(app, calls.readOwnAffiliate, async (request) => ({ data: await readOwn(services, actorOf(request)) }))
    serve(app, calls.saveOwnAffiliate, async (request) => {
      await saveOwn(services, actorOf(request), request.body)
      return { data: await readOwn(services, actorOf(request)) }
    })
    serve(app, calls.applyAsAffiliate, async (request) => {
      await apply(services, actorOf(request), request.body)
      return { data: await readOwn(services, actorOf(request)) }
    })
    serveReferred(app, services)
    serveOwnCommission(app, services)

    serveApplications(app, services)
    serve(app, calls.approveApplication, async (request) => ({
      data: await approve(services, wholeViewOf(request), request.params.id, request.body.code),
    }))
    serve(app, calls.refuseApplication, async (request) => ({
      data: await refuse(services, wholeViewOf(request), request.params.id, request.body.reason),
    }))
    serve(app, calls.readAffiliateAccount, async (request) => {
      wholeViewOf(request)
      return { data: await showLink(services.db, request.params.id) }
    })
    serve(app, calls.linkAffiliateAccount, async (request) => ({
      data: await linkAccount(services, wholeViewOf(request), request.params.id, request.body.email),
    }))

    serveCommission(app, services)
    serveBalances(app, services)
    serveHolds(app, services)
    serve(app, calls.decideHold, async (request) => ({
      data: await decideHold(services, wholeViewOf(request), request.params.id, request.body),
    }))
    serveRules(app, services)
    serve(app, calls.createCommissionRule, async (request) => ({
      data: await createRule(services, wholeViewOf(request), request.body),
    }))
    serve(app, calls.approveCommissionRule, async (request) => ({
      data: await decideRule(services, wholeViewOf(request), request.params.id, 'approve'),
    }))
    serve(app, calls.refuseCommissionRule, async (request) => ({
      data: await decideRule(services, wholeViewOf(request), request.params.id, 'refuse'),
    }))

    servePayouts(app, services)
    serve(app, payouts.previewPayout, async (request) => {
      wholeViewOf(request)
      return { data: await previewPayout(services.db) }
    })
    serve(app, payouts.createPayout, async (request) => ({
      data: await createPayout(services, wholeViewOf(request), request.body.note),
    }))
    serve(app, payouts.readPayout, async (request) => ({
      data: await showPayout(services.db, wholeViewOf(request), request.params.id),
    }))
    serve(app, payouts.approvePayout, async (request) => ({
      data: await approvePayout(services, wholeViewOf(request), request.params.id),
    }))
    serve(app, payouts.cancelPayout, async (request) => ({
      data: await cancelPayout(services, wholeViewOf(request), request.params.id),
    }))
    serve(app, payouts.markPayoutPaid, async (request) => ({
      data: await markPaid(services, wholeViewOf(request), request.params.id, request.body.reference),
    }))
    serve(app, payouts.returnPayoutLine, async (request) => {
      const { params, body } = request
      return { data: await returnLine(services, wholeViewOf(request), params.id, params.lineId, body.reason) }
    })
    serve(
      app,
      payouts.downloadPayout,
      (request, reply) => {
        wholeViewOf(request)
        return sendBankFile(services, request, reply, request.params.id)
      },
      { raw: true },
    )
  }
