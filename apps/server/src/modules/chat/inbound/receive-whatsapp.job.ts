import { z } from 'zod'
import { longestMessage } from '#domain/chat/chat.ts'
import { mediaKinds } from '#domain/chat/media.ts'
import { appendOfPerson } from '#server/modules/chat/own-chat.ts'
import { addressOf } from '#server/modules/whatsapp/items/item.ts'
import { whatsappReceived } from '#server/modules/whatsapp/items/keep-items.ts'
import { openWindows, readMessage } from '#server/modules/whatsapp/items/read-message.ts'
import { type Item, NotUnderstood, understandItems } from '#server/modules/whatsapp/items/understand-items.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Context } from '#server/platform/use-case.ts'
import { awaitMedia, type Media } from './media.ts'
import { lockConversationOfSender } from './sender-conversation.ts'

/** Turns stored WhatsApp messages into chat messages. A message that fails is tried again for a day. */
export const receiveWhatsappJob = defineJob({
  name: 'receive-whatsapp',
  on: whatsappReceived,
  schedule: '*/5 * * * *',
  data: z.object({ id: z.uuid().optional() }),
  run: (services) => understandItems(services, 'message', handle),
})

const mediaSchema = z
  .object({
    id: z
      .string()
      .regex(/^[\w.-]{1,200}$/)
      .optional()
      .catch(undefined),
    caption: z.string().optional().catch(undefined),
    filename: z.string().optional().catch(undefined),
  })
  .optional()
  .catch(undefined)
const shortText = z.string().trim().max(500).optional().catch(undefined)

const readable = z.object({
  type: z.string(),
  text: z.object({ body: z.string() }).optional(),
  button: z.object({ text: z.string() }).optional(),
  interactive: z
    .object({
      button_reply: z.object({ title: z.string() }).optional(),
      list_reply: z.object({ title: z.string() }).optional(),
    })
    .optional(),
  image: mediaSchema,
  video: mediaSchema,
  document: mediaSchema,
  audio: mediaSchema,
  location: z
    .object({
      latitude: z.coerce.number().min(-90).max(90),
      longitude: z.coerce.number().min(-180).max(180),
      name: shortText,
      address: shortText,
    })
    .optional()
    .catch(undefined),
  reaction: z.object({ emoji: shortText }).optional().catch(undefined),
})

export type MessageContent = {
  /** Text in parts of at most `longestMessage` characters; empty without text. */
  words: string[]
  caption: string
  type: string
  /** File to fetch from Meta. Null without a file id, or for a type outside `mediaKinds`, such as video. */
  media: Media | null
}

export function contentOf(message: unknown): MessageContent {
  const { data } = readable.safeParse(message)
  if (!data) return { words: [], caption: '', type: 'unknown', media: null }
  const { type, text, button, interactive, location, reaction } = data
  const words =
    text?.body ??
    button?.text ??
    interactive?.button_reply?.title ??
    interactive?.list_reply?.title ??
    (location && wordsOfPlace(location))
  const kind = mediaKinds.find((one) => one === type)
  const sent = kind ? data[kind] : undefined
  const caption = sent?.caption ?? data.video?.caption ?? reaction?.emoji
  return {
    words: splitText(words),
    caption: splitText(caption)[0] ?? '',
    type: type.slice(0, 40),
    media:
      kind && sent?.id ? { mediaId: sent.id, kind, name: sent.filename?.slice(0, 200).toWellFormed() ?? null } : null,
  }
}

type Place = NonNullable<z.output<typeof readable>['location']>

const wordsOfPlace = ({ latitude, longitude, name, address }: Place) =>
  `📍 ${[name, address].filter(Boolean).join(', ')}`.trim() +
  `\nhttps://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`

/** Splits a text into parts of at most `longestMessage` characters without cutting a surrogate pair. */
function splitText(words = ''): string[] {
  const text = words.trim().toWellFormed()
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    const part = text.slice(from, from + longestMessage).replace(/[\ud800-\udbff]$/, '')
    parts.push(part)
    from += part.length
  }
  return parts
}

async function handle(context: Omit<Context, 'actor'>, item: Item) {
  const { tx, now } = context
  const received = readMessage(item)
  if (typeof received === 'string') throw new NotUnderstood(received)
  const { words, caption, type, media } = contentOf(received.content)
  await openWindows(tx, item.connectionId, received)
  const conversation = await lockConversationOfSender(tx, received, words[0] ?? null, now)
  if (!conversation.whatsappAt || conversation.whatsappAt <= received.sentAt)
    await tx
      .updateTable('conversations')
      .set({
        whatsappConnectionId: item.connectionId,
        whatsappAddress: addressOf(received),
        whatsappAt: received.sentAt,
      })
      .where('id', '=', conversation.id)
      .execute()
  const message = { author: 'person', authorId: conversation.accountId } as const
  const isText = words.length > 0
  for (const [index, body] of (isText ? words : [caption]).entries()) {
    const row = await appendOfPerson(
      tx,
      conversation,
      {
        ...message,
        id: crypto.randomUUID(),
        kind: isText ? 'text' : media ? 'media' : 'unsupported',
        body,
        ...(!isText && { data: { detail: type } }),
        ...(index === 0 && { whatsappId: item.key }),
      },
      now,
    )
    if (media) await awaitMedia(context, row.id, item.connectionId, media)
  }
}
