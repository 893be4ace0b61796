import { z } from 'zod'
import { whatsappReceived } from '#server/modules/whatsapp/webhook.ts'
import { defineJob } from '#server/platform/jobs.ts'
import { handleStopWord } from './stop-word.ts'

const textMessage = z.object({ text: z.object({ body: z.string() }) })

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
    const message = textMessage.safeParse(received?.raw)
    if (!received || !message.success) return
    const { phone, sentAt: at } = received
    await db.transaction().execute((tx) => handleStopWord(tx, { phone, text: message.data.text.body, at }))
  },
})
