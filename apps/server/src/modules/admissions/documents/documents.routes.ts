import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as endpoints from '#domain/documents/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { type StoredFile, storeUpload } from '#server/platform/files/stored-files.ts'
import { receiveUpload } from '#server/platform/files/uploads.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { listAccountDocuments, listDocuments } from './find-documents.ts'
import { documentContent, documentTemplate, viewDocument } from './open-document.ts'
import { postponeDocument } from './postpone-document.ts'
import { requestDocument } from './request-document.ts'
import { reviewDocument } from './review-document.ts'
import { undoReview } from './undo-review.ts'
import { rulesOfSlot, saveDocument } from './upload-document.ts'

export const documentRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    /** Sends as a download: an uploaded file must not open as a page on this origin. */
    const send = async (reply: FastifyReply, file: StoredFile) =>
      reply
        .type(file.mime)
        .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('x-content-type-options', 'nosniff')
        .header('cache-control', 'private, no-store')
        .send(await services.files.read(file.storageKey))

    serve(app, endpoints.listDocuments, (request) => listDocuments(services, actorOf(request), request.params.id))
    serve(app, endpoints.listAccountDocuments, async (request) => ({
      data: await listAccountDocuments(services, actorOf(request)),
    }))
    serve(app, endpoints.requestDocument, (request) =>
      requestDocument(services, actorOf(request), request.params.id, request.body),
    )
    serve(app, endpoints.uploadDocument, async (request) => {
      const { id, documentId } = request.params
      const actor = actorOf(request)
      const rules = await rulesOfSlot(services, actor, id, documentId)
      const { file, seen } = await receiveUpload(services, request, rules, async (part) => ({
        file: await storeUpload(services, actor, part, rules),
        seen: part?.field('version'),
      }))
      return saveDocument(services, actor, { registrationId: id, documentId, file, seen })
    })

    serve(app, endpoints.postponeDocument, (request) => {
      const { id, documentId } = request.params
      return postponeDocument(services, actorOf(request), { registrationId: id, documentId, ...request.body })
    })

    serve(app, endpoints.approveDocument, (request) =>
      reviewDocument(services, actorOf(request), request.params.documentId, 'approve', request.body),
    )
    serve(app, endpoints.rejectDocument, (request) =>
      reviewDocument(services, actorOf(request), request.params.documentId, 'reject', request.body),
    )
    serve(app, endpoints.waiveDocument, (request) =>
      reviewDocument(services, actorOf(request), request.params.documentId, 'waive', request.body),
    )
    serve(app, endpoints.deferDocument, (request) =>
      reviewDocument(services, actorOf(request), request.params.documentId, 'defer', request.body),
    )
    serve(app, endpoints.reopenDocument, (request) =>
      reviewDocument(services, actorOf(request), request.params.documentId, 'reopen', request.body),
    )

    serve(app, endpoints.undoReview, (request) =>
      undoReview(services, actorOf(request), request.params.documentId, request.body.version),
    )

    serve(app, endpoints.viewDocument, async (request) => ({
      data: await viewDocument(services, actorOf(request), request.params.documentId),
    }))
    serve(
      app,
      endpoints.documentContent,
      async (request, reply) =>
        send(reply, await documentContent(services, actorOf(request), request.params.documentId)),
      { raw: true },
    )
    serve(
      app,
      endpoints.documentTemplate,
      async (request, reply) =>
        send(reply, await documentTemplate(services, actorOf(request), request.params.documentId)),
      { raw: true },
    )
  }
