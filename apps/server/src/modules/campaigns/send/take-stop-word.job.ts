import { z } from 'zod'
import { whatsappReceived } from '#server/modules/whatsapp/webhook.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { handleStopWord } from './stop-word.ts'

/** A written message, or the tap on a button of a template or of a message, or on a choice of a list. */
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

/** Opts out whoever answers a campaign with a stop word; the message stands in the chat all the same. */
export const takeStopWordJob = defineJob({
  name: 'take-stop-word',
  on: whatsappReceived,
  data: z.object({ id: z.uuid() }),
  async run({ db }, { id }) {
    const received = await db
      .selectFrom('whatsappInbound')
      .select(['phone', 'raw', 'sentAt'])
      .where('id', '=', id)
      .executeTakeFirst()
    const words = wordsOfMessage.safeParse(received?.raw)
    if (!received || !words.success) return
    const { phone, sentAt: at } = received
    await db.transaction().execute((tx) => handleStopWord(tx, { phone, text: words.data, at }))
  },
})
