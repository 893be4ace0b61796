import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/leads/endpoints.ts'
import { openLeadLink } from '#domain/leads/link-endpoint.ts'
import { readOwnLead } from '#domain/leads/own-lead-endpoint.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { wholeViewOf } from '#server/platform/database/shared-rows.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { addByHand, changeDetails, changeStage, planContact, recordCall, takeNext, writeNote } from './change-lead.ts'
import { remove } from './delete-lead.ts'
import { openLink, renewLink, revokeLink } from './lead-link.ts'
import { findOwners } from './lead-owners.ts'
import { serveLeads } from './list-leads.ts'
import { apart, merge } from './merge-leads.ts'
import { showLead, showOwn } from './show-lead.ts'

/** Leads: the list, what staff do with each, and the sign-up link. */
export const leadRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serveLeads(app, services)
    serve(
      app,
      openLeadLink,
      async (request) => ({ data: await openLink(services, request.body.token, request.body.digits) }),
      { rateLimit: { max: 30, timeWindow: '1 minute' }, config: { secretAnswer: true } },
    )
    serve(app, readOwnLead, async (request) => ({
      data: await showOwn(services.db, actorOf(request).accountId),
    }))
    serve(app, calls.listLeadOwners, async (request) => {
      wholeViewOf(request)
      return { data: await findOwners(services.db) }
    })
    serve(app, calls.readLead, async (request) => ({
      data: await showLead(services, wholeViewOf(request), request.params.id),
    }))
    serve(app, calls.createLead, async (request) => ({
      data: await addByHand(services, wholeViewOf(request), request.body, languageOfRequest(request)),
    }))
    serve(app, calls.takeNextLead, async (request) => ({ data: await takeNext(services, wholeViewOf(request)) }))
    serve(app, calls.updateLead, async (request) => ({
      data: await changeDetails(services, wholeViewOf(request), request.params.id, request.body),
    }))
    serve(app, calls.planLead, async (request) => ({
      data: await planContact(services, wholeViewOf(request), request.params.id, request.body),
    }))
    serve(app, calls.addLeadNote, async (request) => ({
      data: await writeNote(services, wholeViewOf(request), request.params.id, request.body.text),
    }))
    serve(app, calls.moveLead, async (request) => ({
      data: await changeStage(services, wholeViewOf(request), request.params.id, request.body),
    }))
    serve(app, calls.recordCall, async (request) => ({
      data: await recordCall(services, wholeViewOf(request), request.params.id, request.body),
    }))
    serve(app, calls.mergeLeads, async (request) => ({
      data: await merge(services, wholeViewOf(request), request.params.id, request.body.otherId),
    }))
    serve(app, calls.keepApart, async (request) => ({
      data: await apart(services, wholeViewOf(request), request.params.id, request.body.otherId),
    }))
    serve(app, calls.deleteLead, async (request) => ({
      data: await remove(services, wholeViewOf(request), request.params.id, request.body.cause),
    }))
    serve(app, calls.renewLeadLink, async (request) => ({
      data: await renewLink(services, wholeViewOf(request), request.params.id),
    }))
    serve(app, calls.revokeLeadLink, async (request) => ({
      data: await revokeLink(services, wholeViewOf(request), request.params.id),
    }))
  }
