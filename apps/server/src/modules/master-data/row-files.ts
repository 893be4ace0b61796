import type { Entity } from '#entities/define/entity.ts'
import { fileEndpointsOf } from '#entities/endpoints.ts'
import { actorOf } from '#server/platform/access/authorization.ts'
import { notFound } from '#server/platform/errors.ts'
import { claimFile, downloadUrl, receiveFile, type UploadRules } from '#server/platform/files/stored-files.ts'
import { serve } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getRow } from '#server/resource/store.ts'

type App = Parameters<typeof serve>[0]

const documents = ['application/pdf', 'image/jpeg', 'image/png']

/** Serves uploads and links of files. A file is uploaded first; the row saved later refers to it. */
export function serveFiles(app: App, services: Services, entity: Entity) {
  const { upload, fileLink } = fileEndpointsOf(entity)
  serve(app, upload, async (request) => {
    const field = entity.fields[request.params.field]
    if (field?.kind !== 'file') throw notFound('field')
    const rules: UploadRules = {
      kind: field.accept,
      maxBytes: field.maxMb * 1024 * 1024,
      acceptedTypes: field.accept === 'image' ? ['image/jpeg', 'image/png', 'image/webp'] : documents,
      purpose: entity.slug,
      field: request.params.field,
    }
    const stored = await receiveFile(services, request, rules)
    await claimFile(services.db, stored)
    return { data: { id: stored.id, name: stored.name } }
  })
  serve(app, fileLink, async (request) => {
    const { id, field } = request.params
    const row = await getRow(services.db, entity, { id, actor: actorOf(request) })
    const fileId = entity.fields[field]?.kind === 'file' ? row[field] : null
    if (typeof fileId !== 'string') throw notFound('file')
    return { data: { url: downloadUrl(services, actorOf(request), fileId) } }
  })
}
