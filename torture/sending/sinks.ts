import crypto from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import type { Random } from '../random.ts'

/** What a sink received: how often, by our message id and by recipient. */
export type Received = { byId: Map<string, number>; byReceiver: Map<string, number>; count(): number }

function newReceived(): Received & { take(id: string, receiver: string): void } {
  const byId = new Map<string, number>()
  const byReceiver = new Map<string, number>()
  let count = 0
  const add = (map: Map<string, number>, key: string) => map.set(key, (map.get(key) ?? 0) + 1)
  return {
    byId,
    byReceiver,
    count: () => count,
    take(id, receiver) {
      count++
      add(byId, id)
      add(byReceiver, receiver)
    },
  }
}

/** A mail server that counts every completely read mail before it answers. */
export async function mailSink(random: Random) {
  const received = newReceived()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk
      })
      stream.on('end', () => {
        const [, id = ''] = /^message-id: <([^@]+)@/im.exec(text) ?? []
        const [receiver] = session.envelope.rcptTo
        // Mails sent by the product itself belong to no campaign.
        if (receiver?.address.startsWith('penerima-')) received.take(id, receiver.address)
        setTimeout(done, random.whole(0, 40))
      })
    },
  })
  // A killed client is expected.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return {
    received,
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

export const cloudSecrets = {
  token: 'EAAJB-torture',
  appSecret: 'torture-app-secret',
  phoneNumberId: '106540352242922',
}

type Status = { id: string; status: string; timestamp: string; biz_opaque_callback_data: string }

/**
 * A peer that speaks the Cloud API: counts each message before it answers, and reports it as sent and delivered,
 * signed, before or after its answer, repeatedly until the product accepts the report.
 */
export async function cloudPeer(random: Random, webhook: () => string) {
  const received = newReceived()
  const waiting: { at: number; status: Status }[] = []
  let reportCount = 0
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    const body = JSON.parse(text) as { to: string; biz_opaque_callback_data: string }
    const id = `wamid.${crypto.randomUUID()}`
    received.take(body.biz_opaque_callback_data, body.to)
    for (const status of ['sent', 'delivered'])
      waiting.push({
        at: Date.now() + random.whole(0, 3_000),
        status: {
          id,
          status,
          timestamp: String(Math.floor(Date.now() / 1000)),
          biz_opaque_callback_data: body.biz_opaque_callback_data,
        },
      })
    await wait(random.whole(5, 120))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ messages: [{ id }] }))
  })
  server.on('clientError', (_error, socket) => socket.destroy())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const closing = new AbortController()
  async function reportForEver() {
    while (!closing.signal.aborted) {
      const due = waiting.filter(({ at }) => at <= Date.now()).slice(0, 200)
      if (due.length > 0 && (await post(due.map(({ status }) => status)))) {
        const done = new Set(due)
        waiting.splice(0, waiting.length, ...waiting.filter((one) => !done.has(one)))
        reportCount += due.length
      } else await wait(100)
    }
  }

  async function post(statuses: readonly Status[]) {
    const { phoneNumberId, appSecret } = cloudSecrets
    const value = { metadata: { phone_number_id: phoneNumberId }, statuses }
    const body = JSON.stringify({
      object: 'whatsapp_business_account',
      entry: [{ changes: [{ field: 'messages', value }] }],
    })
    const signature = `sha256=${crypto.createHmac('sha256', appSecret).update(body).digest('hex')}`
    const answer = await fetch(webhook(), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signature },
      body,
      signal: AbortSignal.timeout(10_000),
    }).catch(() => undefined)
    return answer?.status === 200
  }

  const reporting = reportForEver()
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Reports not acknowledged by any answer of the product. */
    unreported: () => waiting.length,
    reported: () => reportCount,
    async close() {
      closing.abort()
      await reporting
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
