import { z } from 'zod'
import { whatsappReceived } from '#server/modules/whatsapp/items/keep-items.ts'
import { readMessage } from '#server/modules/whatsapp/items/read-message.ts'
import type { Db } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { handleStopWord } from './stop-word.ts'

/** Text of a message, or of the button or list entry that the sender tapped. */
const wordsOfMessage = z.union([
  z.object({ text: z.object({ body: z.string() }) }).transform(({ text }) => text.body),
  z.object({ button: z.object({ text: z.string() }) }).transform(({ button }) => button.text),
  z
    .object({ interactive: z.object({ button_reply: z.object({ title: z.string() }) }) })
    .transform(({ interactive }) => interactive.button_reply.title),
  z
    .object({ interactive: z.object({ list_reply: z.object({ title: z.string() }) }) })
    .transform(({ interactive }) => interactive.list_reply.title),
])

const findPhoneOf = async (db: Db, userId: string) =>
  (
    await db
      .selectFrom('conversations')
      .select((eb) => eb.fn.coalesce('provenPhone', 'phone').as('phone'))
      .where((eb) => eb.or([eb('userId', '=', userId), eb('provenUserId', '=', userId)]))
      .executeTakeFirst()
  )?.phone

/** Opts the sender of a stop word out of all marketing. The message still appears in the chat. */
export const takeStopWordJob = defineJob({
  name: 'take-stop-word',
  on: whatsappReceived,
  data: z.object({ id: z.uuid() }),
  async run({ db }, { id }) {
    const item = await db.selectFrom('whatsappItems').selectAll().where('id', '=', id).executeTakeFirst()
    const received = item && readMessage(item)
    if (!received || typeof received === 'string') return
    const { sentAt: at, content, userId } = received
    const words = wordsOfMessage.safeParse(content)
    if (!words.success) return
    // An opt-out needs a phone number. If the message has only a user id, the number comes from that user's
    // conversation.
    const phone = received.phone ?? (userId && (await findPhoneOf(db, userId)))
    if (!phone) return
    await db.transaction().execute((tx) => handleStopWord(tx, { phone, text: words.data, at }))
  },
})
