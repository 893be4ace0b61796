import { z } from 'zod'
import type { WhatsappItemProblem } from '#domain/whatsapp/items.ts'
import { cleanLine } from '#entities/define/typed-text.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { readItem, unixTime, userOf, type WhatsappUser } from './item.ts'

const contactName = z
  .object({
    profile: z.object({
      name: z.string().transform(cleanLine).optional().catch(undefined),
      username: z.string().transform(cleanLine).optional().catch(undefined),
    }),
  })
  .transform(({ profile: { name, username } }) => name || (username ? `@${username}` : null))
  .catch(null)
const sentTime = z.object({ timestamp: unixTime.optional() }).catch({})

export type ReadMessage = WhatsappUser & {
  /** Name of the WhatsApp profile, else the user name with an @. */
  name: string | null
  sentAt: Date
  content: unknown
}

/** Sender, time and content of a stored message, or the problem that prevents reading it. */
export function readMessage({ raw, receivedAt }: { raw: Buffer; receivedAt: Date }): ReadMessage | WhatsappItemProblem {
  const parts = readItem(raw)
  if (!parts) return 'unreadable'
  const user = userOf(parts)
  if (!user.phone && !user.userId) return 'no_sender'
  const name = contactName.parse(parts.contact)?.slice(0, 120).toWellFormed() ?? null
  return { ...user, name, sentAt: sentTime.parse(parts.item).timestamp ?? receivedAt, content: parts.item }
}

/** Stores when a user wrote: for 24 hours Meta accepts free text to the number and the user id. */
export async function openWindows(tx: Tx, connectionId: string, { phone, userId, sentAt }: ReadMessage) {
  await tx
    .insertInto('whatsappWindows')
    .values([phone, userId].flatMap((address) => (address ? [{ connectionId, address, lastAt: sentAt }] : [])))
    .onConflict((conflict) =>
      conflict
        .columns(['connectionId', 'address'])
        .doUpdateSet((eb) => ({ lastAt: eb.fn('greatest', ['whatsappWindows.lastAt', 'excluded.lastAt']) })),
    )
    .execute()
}
