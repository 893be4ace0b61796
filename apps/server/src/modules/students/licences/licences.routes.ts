import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/students/licences/endpoints.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { notFound } from '#server/platform/errors.ts'
import { getFile, imageUrl } from '#server/platform/files/stored-files.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { serveLicences } from './list-licences.ts'
import { reviewLicence } from './review-licence.ts'
import { getLicence } from './student-licence.ts'

export const licenceRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    const { db, clock, files } = services
    const licenceOf = (actor: Actor, id: string) => getLicence(db, actor, id, clock.now())

    /** The scan of a licence; records the access before the answer is sent. */
    async function openScan(actor: Actor, id: string) {
      const { fileId, code } = await licenceOf(actor, id)
      if (!fileId) throw notFound('file')
      const file = await getFile(db, fileId)
      await recordAudit(db, actor, {
        action: 'driving-licence.view',
        on: { account: id },
        after: { registration: code, fileId },
      })
      return file
    }

    serveLicences(app, services)

    serve(app, calls.readLicence, async (request) => ({
      data: await licenceOf(actorOf(request), request.params.id),
    }))

    serve(app, calls.viewLicenceScan, async (request) => {
      const actor = actorOf(request)
      const { id, mime, name } = await openScan(actor, request.params.id)
      const isImage = mime.startsWith('image/')
      return {
        data: {
          kind: isImage ? ('image' as const) : ('pdf' as const),
          url: isImage ? imageUrl(services, actor, 'drivingLicence', id) : null,
          name,
        },
      }
    })

    serve(
      app,
      calls.licenceScanContent,
      async (request, reply) => {
        const { mime, name, storageKey } = await openScan(actorOf(request), request.params.id)
        // As a download: an uploaded file must not open as a page on this origin.
        return reply
          .type(mime)
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(name)}`)
          .header('content-security-policy', "default-src 'none'; sandbox")
          .header('cache-control', 'private, no-store')
          .send(await files.read(storageKey))
      },
      { raw: true },
    )

    serve(app, calls.reviewLicence, async (request) => {
      const actor = actorOf(request)
      const { id } = request.params
      await inTransaction(services, actor, (context) => reviewLicence(context, id, request.body))
      return { data: await licenceOf(actor, id) }
    })
  }
