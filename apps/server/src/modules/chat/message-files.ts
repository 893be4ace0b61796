import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { chatFileTypes, chatTeams, maxChatFileBytes } from '#domain/chat/chat.ts'
import { type Actor, actorOf } from '#server/platform/access/authorization.ts'
import { conversationsVisibleTo, isOffice } from '#server/platform/access/row-scope.ts'
import { invalid, notFound } from '#server/platform/errors.ts'
import { downloadUrl, storeUpload } from '#server/platform/files/stored-files.ts'
import { receiveUpload } from '#server/platform/files/uploads.ts'
import type { Services } from '#server/platform/services.ts'

const seq = z.coerce.number().int().min(0).max(2_147_483_647)

const rules = {
  kind: 'document',
  acceptedTypes: chatFileTypes,
  maxBytes: maxChatFileBytes,
  purpose: 'chat',
  // Also accepts tiny pictures, such as a screenshot of one line.
  minWidth: 1,
  minHeight: 1,
} as const

/**
 * Receives and stores a file with the form fields `id`, `seenSeq` and `team`. The fields come before the file; 422 if
 * one is invalid.
 */
export const receiveChatFile = (services: Services, request: FastifyRequest) =>
  receiveUpload(services, request, rules, async (part) => {
    const id = z.uuid().safeParse(part?.field('id'))
    if (!id.success) throw invalid({ id: 'invalid_input' })
    const seenSeq = seq.optional().safeParse(part?.field('seenSeq'))
    if (!seenSeq.success) throw invalid({ seenSeq: 'invalid_input' })
    const team = z.enum(chatTeams).optional().safeParse(part?.field('team'))
    if (!team.success) throw invalid({ team: 'invalid_input' })
    const file = await storeUpload(services, actorOf(request), part, rules)
    return { id: id.data, seenSeq: seenSeq.data, team: team.data, file }
  })

/** Returns the download URL of a message's file. 404 without a file or access to the conversation. */
export async function fileAddressOf(services: Services, actor: Actor, messageId: string) {
  const found = await services.db
    .selectFrom('chatMessages as m')
    .innerJoin('conversations as v', 'v.id', 'm.conversationId')
    .select('m.fileId')
    .where('m.id', '=', messageId)
    .where((eb) => eb.or([eb('v.accountId', '=', actor.accountId), ...staffSees(actor)]))
    .executeTakeFirst()
  if (!found?.fileId) throw notFound('file')
  return { url: downloadUrl(services, actor, found.fileId) }
}

const staffSees = (actor: Actor) => (isOffice(actor) ? [conversationsVisibleTo(actor)] : [])
