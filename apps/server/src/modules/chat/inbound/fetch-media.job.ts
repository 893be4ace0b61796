import { z } from 'zod'
import { maxMediaBytes, mediaTypes } from '#domain/chat/media.ts'
import { type FetchedMedia, fetchMedia } from '#server/modules/whatsapp/providers/cloud-media.ts'
import { accessOf } from '#server/modules/whatsapp/providers/index.ts'
import { AppError } from '#server/platform/errors.ts'
import { storeUpload } from '#server/platform/files/stored-files.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { mediaWaiting, postponeMedia, storeMedia } from './media.ts'

/** Fetches the file of a WhatsApp message and stores it as an upload. */
export const fetchMediaJob = defineJob({
  name: 'fetch-whatsapp-media',
  on: mediaWaiting,
  data: z.object({ messageId: z.uuid() }),
  async run(services, { messageId }) {
    const media = await findWaiting(services, messageId)
    if (!media) return
    const { accountId, name, kind, mediaId, connectionId } = media
    const fetched = await fetchThrough(services, connectionId, mediaId)
    if ('failure' in fetched) {
      // `address` means that the server may not fetch the file's URL, and `expired` that Meta refuses the file. For
      // both, an automatic retry would not help. Staff can still ask again.
      const isFinal = fetched.failure === 'address' || fetched.failure === 'expired' ? 'failed' : false
      return postponeMedia(services, messageId, { problem: fetched.failure, isFinal })
    }
    if ('isTooLarge' in fetched)
      return postponeMedia(services, messageId, { problem: 'file_too_large', isFinal: 'refused' })
    const part = { filename: name ?? `whatsapp-${kind}`, toBuffer: async () => fetched.bytes }
    try {
      const file = await storeUpload(services, { accountId: accountId ?? '' }, part, {
        kind: 'document',
        acceptedTypes: mediaTypes[kind],
        maxBytes: maxMediaBytes,
        purpose: 'chat',
        minWidth: 1,
        minHeight: 1,
      })
      await storeMedia(services, messageId, file)
    } catch (error) {
      const problem = error instanceof AppError ? problemOf(error) : undefined
      if (!problem) throw error
      await postponeMedia(services, messageId, { problem, isFinal: 'refused' })
    }
  },
})

const findWaiting = ({ db }: Services, messageId: string) =>
  db
    .selectFrom('whatsappMedia as x')
    .innerJoin('chatMessages as m', 'm.id', 'x.messageId')
    .innerJoin('conversations as v', 'v.id', 'm.conversationId')
    .select(['x.mediaId', 'x.kind', 'x.name', 'x.connectionId', 'v.accountId'])
    .where('x.messageId', '=', messageId)
    .where('x.state', '=', 'waiting')
    .executeTakeFirst()

async function fetchThrough(services: Services, connectionId: string, mediaId: string): Promise<FetchedMedia> {
  const connection = await services.db
    .selectFrom('whatsappConnections')
    .selectAll()
    .where('id', '=', connectionId)
    .executeTakeFirstOrThrow()
  const access = accessOf(services, connection)
  return 'problem' in access ? { failure: 'connection' } : fetchMedia(access, mediaId, maxMediaBytes)
}

/** Why the upload check refused the file; undefined if the error is not about the file. */
function problemOf({ fields }: AppError): string | undefined {
  const problem = [fields?.file ?? []].flat()[0]
  return typeof problem === 'string' ? problem : problem?.code
}
