import type { FastifyReply } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { forbidden } from '#server/platform/errors.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { isLinkValid } from './file-links.ts'
import { getFile, imageFields, readerOfImage } from './stored-files.ts'

/** `image` is the file id, `fieldid` the field, `key` the reader's id and a signature over file, field and reader. */
const getImage = endpoint({
  method: 'GET',
  path: '/getImage',
  access: 'public',
  summary: 'An uploaded picture, or its thumbnail, for the reader the key was made for',
  query: z.object({
    image: z.uuid(),
    fieldid: z.enum(imageFields),
    thumbnail: z.enum(['true', 'false', '1', '0']).default('false'),
    key: z.string().max(200),
  }),
  response: z.any(),
})

const downloadFile = endpoint({
  method: 'GET',
  path: '/files/:id/download',
  access: 'public',
  summary: 'An uploaded file, for the reader the key was made for',
  params: z.object({ id: z.uuid() }),
  query: z.object({ reader: z.uuid(), key: z.string().max(200) }),
  response: z.any(),
})

/** Sandboxes the answer, so scripts in an upload cannot run in our origin. */
const forbidScripts = (reply: FastifyReply) =>
  reply
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'private, max-age=600')

export const imageRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    serve(
      app,
      getImage,
      async ({ query, actor }, reply) => {
        const thumbnail = query.thumbnail === 'true' || query.thumbnail === '1'
        const reader = readerOfImage(services, { fileId: query.image, field: query.fieldid, thumbnail }, query.key)
        if (!reader || (actor && actor.accountId !== reader)) throw forbidden('getImage')
        const file = await getFile(services.db, query.image)
        const asThumbnail = thumbnail && file.thumbnailKey
        if (!asThumbnail && !file.mime.startsWith('image/')) throw forbidden('getImage')
        forbidScripts(reply).type(asThumbnail ? 'image/webp' : file.mime)
        return reply.send(await services.files.read(asThumbnail || file.storageKey))
      },
      { raw: true },
    )
  }

export const fileRoutes =
  (services: Services): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(imageRoutes(services))
    serve(
      app,
      downloadFile,
      async ({ params, query, actor }, reply) => {
        if (!isLinkValid(services, ['download', params.id, query.reader], query.key)) throw forbidden('download')
        if (actor && actor.accountId !== query.reader) throw forbidden('download')
        const file = await getFile(services.db, params.id)
        forbidScripts(reply)
          .type(file.mime)
          .header('content-disposition', `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`)
        return reply.send(await services.files.read(file.storageKey))
      },
      { raw: true },
    )
  }
