import crypto from 'node:crypto'
import type { DeviceSocket } from '#server/modules/whatsapp/device/socket.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import type { WhatsappProvider } from './provider.ts'

const patience = 20_000

/** The same for every try of a message: WhatsApp shows what comes twice under one id once. */
const idFor = (id: string) => `3EB0${crypto.createHash('sha256').update(id).digest('hex').slice(0, 18).toUpperCase()}`

function within<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('No answer')), patience)
    work.then(resolve, reject).finally(() => clearTimeout(late))
  })
}

/** A phone that was linked like WhatsApp Web: text as a person would write it. */
export const deviceProvider = (socket: DeviceSocket): WhatsappProvider => ({
  async send({ id, to, text }) {
    refuseInTransaction('calling WhatsApp')
    try {
      const found = await within(socket.onWhatsApp(to.replace(/\D/g, '')))
      if (!found) return { problem: 'connection_lost' }
      const receiver = found.find(({ exists }) => exists)
      if (!receiver) return { problem: 'not_on_whatsapp' }
      const sent = await within(socket.sendMessage(receiver.jid, { text, linkPreview: null }, { messageId: idFor(id) }))
      return { providerMessageId: sent?.key.id ?? idFor(id) }
    } catch (error) {
      return { problem: 'connection_lost', detail: String((error as Error).message).slice(0, 300) }
    }
  },
})
