import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/payments/approvals/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { requireWholeView } from '#server/platform/database/shared-rows.ts'
import { claimFile, receiveFile } from '#server/platform/files/stored-files.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { readApprovalLimits, writeApprovalLimits } from './approval-limits.ts'
import { approveMany } from './approve-many.ts'
import type { ApprovalHandlers } from './ask-approval.ts'
import { decideApproval, renewApproval, withdrawApproval } from './decide-approval.ts'
import { serveApprovals } from './list-approvals.ts'
import { proofRules } from './proof-files.ts'
import { readApprovalState } from './read-approval-state.ts'

/** Requests that another account decides, and the highest sum each role decides. */
export const approvalRoutes =
  (handlers: ApprovalHandlers) =>
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(app, calls.uploadProof, async (request) => {
      const file = await receiveFile(services, request, proofRules)
      await claimFile(services.db, file)
      return { data: { id: file.id, name: file.name } }
    })

    serveApprovals(app, services)
    serve(app, calls.readApprovalState, async (request) => ({
      data: await readApprovalState(
        services,
        handlers,
        actorOf(request),
        request.params.id,
        languageOfRequest(request),
      ),
    }))
    serve(app, calls.decideApproval, async (request) => ({
      data: await decideApproval(services, handlers, actorOf(request), request.params.id, request.body),
    }))
    serve(app, calls.approveMany, async (request) => ({
      data: await approveMany(services, handlers, actorOf(request), request.body, languageOfRequest(request)),
    }))
    serve(app, calls.withdrawApproval, async (request) => ({
      data: await withdrawApproval(services, actorOf(request), request.params.id),
    }))
    serve(app, calls.renewApproval, async (request) => ({
      data: await renewApproval(services, handlers, actorOf(request), request.params.id),
    }))
    serve(app, calls.readApprovalLimits, async (request) => {
      requireWholeView(actorOf(request), 'settings_need_whole_view')
      return { data: await readApprovalLimits(services.db) }
    })
    serve(app, calls.writeApprovalLimits, async (request) => ({
      data: await writeApprovalLimits(
        services,
        requireWholeView(actorOf(request), 'settings_need_whole_view'),
        request.body,
      ),
    }))
  }
