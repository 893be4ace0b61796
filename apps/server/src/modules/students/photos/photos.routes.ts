import type { Readable } from 'node:stream'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import * as calls from '#domain/students/photos/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { forbidden } from '#server/platform/errors.ts'
import { isLinkValid, signLink } from '#server/platform/files/file-links.ts'
import { cutStalledReader } from '#server/platform/files/stalled-reader.ts'
import { languageOfRequest } from '#server/platform/http/error-handler.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { contactSheet, sheetPixels } from './contact-sheet.ts'
import { servePhotos } from './list-photos.ts'
import {
  beginDownload,
  type Download,
  endDownload,
  getDownload,
  photosOf,
  registerDownload,
  stopAbandoned,
} from './photo-download.ts'
import { zipPhotos } from './zip-photos.ts'

const linkParts = (id: string) => ['photos', id]

export const photoRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    app.addHook('onReady', async () => {
      await stopAbandoned(services).catch((error) =>
        services.log.warn({ err: error }, 'abandoned photo downloads could not be ended'),
      )
    })
    servePhotos(app, services)

    serve(app, calls.startPhotoDownload, async (request) => {
      const { id, total } = await registerDownload(services, actorOf(request), request.body)
      return {
        data: { id, total, url: `/api/photo-downloads/${id}/file?key=${signLink(services, linkParts(id))}` },
      }
    })

    serve(app, calls.readPhotoDownload, async (request) => ({
      data: await getDownload(services.db, actorOf(request), request.params.id),
    }))

    serve(
      app,
      calls.photoDownloadFile,
      async (request, reply) => {
        const { id } = request.params
        if (!isLinkValid(services, linkParts(id), request.query.key)) throw forbidden('download')
        const download = await beginDownload(services.db, id)
        const isZip = download.kind === 'zip'
        const content = await (isZip
          ? zipPhotos(photosOf(services, download, download))
          : sheetOf(download, sentences(languageOfRequest(request))))
        endWith(download.id, content)
        cutStalledReader(reply)
        return reply
          .type(isZip ? 'application/zip' : 'application/pdf')
          .header('content-disposition', `attachment; filename="${download.fileName}"`)
          .header('cache-control', 'private, no-store')
          .send(content)
      },
      // A HEAD request would use up the link, which works once.
      { raw: true, exposeHeadRoute: false },
    )

    const sheetOf = (download: Download, t: ReturnType<typeof sentences>) =>
      contactSheet(photosOf(services, download, sheetPixels(download)), {
        title: t('photos:sheet.title'),
        page: (page) => t('photos:sheet.page', { page }),
      })

    /** Stores the end of a download: `done` when read to the end, `stopped` when the reader left. */
    function endWith(id: string, content: Readable) {
      content.on('error', (error) => services.log.error({ err: error, download: id }, 'photo download failed'))
      content.on('close', () => {
        endDownload(services, id, content.readableEnded ? 'done' : 'stopped').catch((error) =>
          services.log.warn({ err: error, download: id }, 'the end of a photo download could not be noted'),
        )
      })
    }
  }
