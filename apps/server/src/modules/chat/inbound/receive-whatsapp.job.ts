import { sql } from 'kysely'
import { z } from 'zod'
import { longestMessage } from '#domain/chat/chat.ts'
import { appendOfPerson } from '#server/modules/chat/own-chat.ts'
import { recordLead } from '#server/modules/leads/record-lead.ts'
import { whatsappReceived } from '#server/modules/whatsapp/webhook.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { lockConversationByPhone } from './phone-link.ts'

/** Turns stored WhatsApp messages into messages of the chat, oldest first. One that fails stays and stops no other. */
export const receiveWhatsappJob = defineJob({
  name: 'receive-whatsapp',
  on: whatsappReceived,
  schedule: '*/5 * * * *',
  data: z.object({ id: z.uuid().optional() }),
  async run(services) {
    const tried: string[] = []
    for (let ids = await findWaiting(services, tried); ids.length > 0; ids = await findWaiting(services, tried)) {
      for (const id of ids) await handleOrNote(services, id)
      tried.push(...ids)
    }
  },
})

async function findWaiting({ db }: Services, tried: readonly string[]) {
  const waiting = await db
    .selectFrom('whatsappInbound')
    .select('id')
    .where('handledAt', 'is', null)
    .where(sql<boolean>`id <> ALL(${tried}::uuid[])`)
    .orderBy('receivedAt')
    .orderBy('sentAt')
    .orderBy('number')
    .limit(500)
    .execute()
  return waiting.map(({ id }) => id)
}

async function handleOrNote(services: Services, id: string) {
  const { db, clock, log } = services
  try {
    await db.transaction().execute((tx) => handle(services, tx, id))
  } catch (error) {
    log.warn({ err: error, id }, 'a WhatsApp message could not be taken into the chat')
    const problem = String((error as Error).message)
      .slice(0, 300)
      .toWellFormed()
    // Given up after a day; the stored message stays.
    await sql`UPDATE whatsapp_inbound SET problem = ${problem},
      handled_at = CASE WHEN received_at < ${clock.now()}::timestamptz - interval '1 day' THEN ${clock.now()}::timestamptz END
      WHERE id = ${id}`.execute(db)
  }
}

const captioned = z.object({ caption: z.string() }).optional().catch(undefined)

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
  image: captioned,
  video: captioned,
  document: captioned,
})

/** Words of a message, in parts where they are long; none for a kind that cannot be shown, which may have a caption. */
export function wordsOf(raw: unknown): { words: string[]; caption: string; type: string } {
  const message = readable.safeParse(raw)
  if (!message.success) return { words: [], caption: '', type: 'unknown' }
  const { type, text, button, interactive, image, video, document } = message.data
  const words = text?.body ?? button?.text ?? interactive?.button_reply?.title ?? interactive?.list_reply?.title
  const caption = image?.caption ?? video?.caption ?? document?.caption
  return { words: partsOf(words), caption: partsOf(caption)[0] ?? '', type: type.slice(0, 40) }
}

/** Texts that each fit into a message, which never end within a sign. */
function partsOf(words = ''): string[] {
  const text = words.trim().toWellFormed()
  const parts: string[] = []
  for (let from = 0; from < text.length; from += parts.at(-1)!.length)
    parts.push(text.slice(from, from + longestMessage).replace(/[\ud800-\udbff]$/, ''))
  return parts
}

async function handle(services: Services, tx: Tx, id: string) {
  const now = services.clock.now()
  const inbound = await tx
    .selectFrom('whatsappInbound')
    .selectAll()
    .where('id', '=', id)
    .where('handledAt', 'is', null)
    // Waits for a process that has this message, so that a later one of the same person does not overtake it.
    .forUpdate()
    .executeTakeFirst()
  if (!inbound) return
  const { words, caption, type } = wordsOf(inbound.raw)
  const conversation = await conversationOf(tx, inbound, words[0] ?? null, now)
  await tx
    .updateTable('conversations')
    .set({
      whatsappConnectionId: inbound.connectionId,
      whatsappPhone: inbound.phone,
      whatsappAt: latest(conversation.whatsappAt, inbound.sentAt),
    })
    .where('id', '=', conversation.id)
    .execute()
  const message = { author: 'person', authorId: conversation.accountId } as const
  const isText = words.length > 0
  for (const [index, body] of (isText ? words : [caption]).entries())
    await appendOfPerson(
      tx,
      conversation,
      {
        ...message,
        id: crypto.randomUUID(),
        kind: isText ? 'text' : 'unsupported',
        body,
        ...(!isText && { data: { detail: type } }),
        ...(index === 0 && { whatsappId: inbound.providerMessageId }),
      },
      now,
    )
  await tx.updateTable('whatsappInbound').set({ handledAt: now, problem: null }).where('id', '=', id).execute()
}

const latest = (one: Date | null, other: Date) => (one && one > other ? one : other)

type Inbound = { phone: string; profileName: string | null; sentAt: Date }

/** The conversation of the applicant who has proven this number; otherwise one of the number itself, with a lead. */
async function conversationOf(tx: Tx, { phone, profileName: name, sentAt }: Inbound, words: string | null, now: Date) {
  const owned = await lockConversationByPhone(tx, phone, words, now)
  if (owned) return owned
  await tx
    .insertInto('conversations')
    .values({ kind: 'person', phone, name, createdAt: now })
    .onConflict((conflict) => conflict.column('phone').doNothing())
    .execute()
  const conversation = await tx
    .selectFrom('conversations')
    .selectAll()
    .where('phone', '=', phone)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (conversation.leadId) {
    await touchLead(tx, conversation.leadId, now)
    return conversation
  }
  const { leadId } = await recordLead(tx, {
    name: name ?? phone,
    phone,
    email: null,
    birthDate: null,
    schoolId: null,
    schoolName: null,
    major: null,
    programmeId: null,
    wish: words,
    origin: { kind: 'chat' },
    consent: { text: sentences('id')('chat:leadConsent'), language: 'id', at: sentAt < now ? sentAt : now },
    now,
  })
  await tx.updateTable('conversations').set({ leadId }).where('id', '=', conversation.id).execute()
  return { ...conversation, leadId }
}

/** A lead who writes is not forgotten, nor is the lead into which it was merged. */
const touchLead = (tx: Tx, leadId: string, now: Date) =>
  sql`UPDATE leads SET touched_at = greatest(touched_at, ${now}::timestamptz)
    WHERE id IN (SELECT coalesce(merged_into, id) FROM leads WHERE id = ${leadId})`.execute(tx)
