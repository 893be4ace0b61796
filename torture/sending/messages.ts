import crypto from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { answer } from '#server/modules/chat/staff/answer.ts'
import { tellPeople } from '#server/modules/messaging/notify.ts'
import { findActorOf } from '#server/platform/access/actor-of-account.ts'
import type { Running } from '#server/platform/start-services.ts'
import { inTransaction } from '#server/platform/use-case.ts'

/** Somebody told by mail and WhatsApp, or answered in the chat. */
const notedPhone = (n: number) => `+62813${String(n).padStart(8, '0')}`
const answeredPhone = (n: number) => `+62814${String(n).padStart(8, '0')}`

/** Every so many notices a transaction is rolled back after its notice was written. */
const rolledBackEvery = 10
export const rolledBackName = 'penerima-batal'

export type MessageCounts = { notices: number; answers: number }

/** Makes the conversations that are answered, with an open window each, and the template that takes notices to WhatsApp. */
export async function openConversations(
  { owner, services }: Running,
  connectionId: string,
  { answers }: MessageCounts,
) {
  const now = services.clock.now()
  const { rows } = await sql<{ id: string }>`
    INSERT INTO conversations (kind, phone, name, whatsapp_connection_id, whatsapp_at, whatsapp_address, created_at)
    SELECT 'person', p, 'Penanya ' || n, ${connectionId}, ${now}, p, ${now}
    FROM generate_series(1, ${answers}::int) n, LATERAL (SELECT '+62814' || lpad(n::text, 8, '0')) x (p)
    RETURNING id`.execute(owner)
  await sql`INSERT INTO whatsapp_windows (connection_id, address, last_at)
    SELECT ${connectionId}, address, ${now} FROM unnest(${Array.from({ length: answers }, (_, at) => answeredPhone(at + 1))}::text[]) address`.execute(
    owner,
  )
  await sql`DELETE FROM message_templates WHERE event = 'event-reminder'`.execute(owner)
  await sql`INSERT INTO message_templates (event, channel, provider_template, body_en, body_id)
    VALUES ('event-reminder', 'whatsapp', 'pengingat_acara', 'Hello {{name}}', 'Halo {{name}}')`.execute(owner)
  return rows.map(({ id }) => id)
}

/** Writes notices and answers, spread over the run, each in a transaction of its own. */
export async function writeMessages(
  { services }: Running,
  { notices }: MessageCounts,
  conversations: readonly string[],
  isReached: (share: number) => boolean,
) {
  const { db, clock } = services
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', 'administrator@demo.test')
    .executeTakeFirstOrThrow()
  const actor = await findActorOf(db, id, clock.now())
  if (!actor) throw new Error('the administrator of the demo may not sign in')
  const tell = (email: string, phone: string | null) =>
    inTransaction(services, actor, async (context) => {
      const person = { name: 'Penerima', email, phone, language: 'id' as const, params: {} }
      await tellPeople(context, 'event-reminder', [person])
      if (email.startsWith(rolledBackName)) throw new RolledBack()
    })
  const all = notices + conversations.length
  for (let n = 1; n <= all; n++) {
    while (!isReached((n / all) * 0.9)) await wait(20)
    if (n <= notices) await tell(`penerima-notis-${n}@domain-${n % 40}.example`, notedPhone(n))
    else
      await answer(services, actor, conversations[n - notices - 1]!, {
        ...{ id: crypto.randomUUID(), body: `Jawaban ${n}`, note: false, seenSeq: 0, templateId: null },
      })
    if (n % rolledBackEvery === 0)
      await tell(`${rolledBackName}-${n}@domain-1.example`, null).catch((error) => {
        if (!(error instanceof RolledBack)) throw error
      })
  }
}

class RolledBack extends Error {}
