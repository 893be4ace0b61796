import crypto from 'node:crypto'
import type { DeviceSocket } from '#server/modules/whatsapp/device/socket.ts'
import { refuseInTransaction } from '#server/platform/database/transaction-guard.ts'
import { cutText } from '#server/platform/read-answer.ts'
import type { WhatsappProvider } from './provider.ts'

const timeoutMs = 20_000

/** Id of a message, the same in every attempt: WhatsApp shows a repeated id once. */
const messageIdOf = (id: string) =>
  `3EB0${crypto.createHash('sha256').update(id).digest('hex').slice(0, 18).toUpperCase()}`

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('No answer')), timeoutMs)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** A phone linked like WhatsApp Web. Sends plain text only. */
export const deviceProvider = (socket: DeviceSocket): WhatsappProvider => ({
  async send({ id, to, text }) {
    refuseInTransaction('calling WhatsApp')
    // A linked phone cannot write to user ids.
    if (!to.startsWith('+')) return { problem: 'undeliverable' }
    let hasBegun = false
    try {
      const found = await withTimeout(socket.onWhatsApp(to.replace(/\D/g, '')))
      if (!found) return { problem: 'connection_lost' }
      const receiver = found.find(({ exists }) => exists)
      if (!receiver) return { problem: 'not_on_whatsapp' }
      hasBegun = true
      const sent = await withTimeout(
        socket.sendMessage(receiver.jid, { text, linkPreview: null }, { messageId: messageIdOf(id) }),
      )
      return { providerMessageId: sent?.key.id ?? messageIdOf(id) }
    } catch (error) {
      const detail = cutText(String((error as Error).message), 300)
      return { problem: 'connection_lost', detail, ...(hasBegun && { unsure: true }) }
    }
  },
})
