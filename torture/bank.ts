import { setTimeout as wait } from 'node:timers/promises'
import { signatureHeader, signedBytes, signedReport } from '#server/modules/payments/providers/sandbox/sandbox-bank.ts'
import type { Delivery, Transfer } from './plan.ts'

/** Reports in flight at the same time. */
const connections = 24

export type Sent = {
  /** Number of sent requests. */
  attempts: number
  /** Number of requests without an answer, or with one that asks to retry. */
  unanswered: number
  /** Number of answers by kind of delivery and status. */
  answers: Record<string, number>
  /** References the server has acknowledged with 2xx. */
  acknowledged: Set<string>
  /** Answers a bank must never get. */
  wrong: string[]
}

type Options = {
  url: string
  secretKey: string
  /** Aborted when the server has died. */
  died: AbortSignal
  /** Called after every finished delivery with their number. */
  onDone(done: number): void
}

/** Sends every report until it is answered: 2xx for genuine reports, a refusal for others. */
export async function deliver(
  deliveries: readonly Delivery[],
  { url, secretKey, died, onDone }: Options,
): Promise<Sent> {
  const sent: Sent = { attempts: 0, unanswered: 0, answers: {}, acknowledged: new Set(), wrong: [] }
  const queue = [...deliveries]
  let done = 0

  async function work() {
    for (let delivery = queue.shift(); delivery; delivery = queue.shift()) {
      if (delivery.kind === 'contradiction' && !sent.acknowledged.has(delivery.transfer.reference)) {
        // A contradiction must follow the report it contradicts; if only contradictions are queued, waits for reports
        // in flight.
        if (queue.every(({ kind }) => kind === 'contradiction')) await wait(20)
        queue.push(delivery)
        continue
      }
      await insist(delivery)
      onDone(++done)
    }
  }

  async function insist(delivery: Delivery) {
    for (let pause = 25; ; pause = Math.min(pause * 2, 400)) {
      sent.attempts++
      const status = await send(url, secretKey, delivery)
      if (status !== undefined && status < 500) return note(delivery, status)
      sent.unanswered++
      died.throwIfAborted()
      await wait(pause)
    }
  }

  function note(delivery: Delivery, status: number) {
    const answerKey = `${delivery.kind} ${status}`
    sent.answers[answerKey] = (sent.answers[answerKey] ?? 0) + 1
    if (!isRight(delivery, status)) sent.wrong.push(`${answerKey}: ${JSON.stringify(delivery)}`)
    else if (delivery.kind === 'genuine') sent.acknowledged.add(delivery.transfer.reference)
  }

  await Promise.all(Array.from({ length: connections }, work))
  return sent
}

/** Forged reports are refused by their seal, and counted: above the limit they are refused unread. */
const refusals = { forged: [401, 429], contradiction: [409], malformed: [400] }

const isRight = ({ kind }: Delivery, status: number) =>
  kind === 'genuine' ? status >= 200 && status < 300 : refusals[kind].includes(status)

async function send(url: string, secretKey: string, delivery: Delivery): Promise<number | undefined> {
  const { body, headers } = writeReport(secretKey, delivery)
  try {
    const answer = await fetch(`${url}/api/providers/sandbox/report`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
      signal: AbortSignal.timeout(30_000),
    })
    await answer.arrayBuffer()
    return answer.status
  } catch {
    return undefined
  }
}

/** A genuine report always has the same bytes. */
export const bytesOf = ({ reference, number, amount, paidAt }: Transfer, secretKey: string) =>
  signedReport(
    secretKey,
    { reference, virtualAccountNumber: number, amount, paidAt, channel: 'mobile' },
    new Date(paidAt.getTime() + 1_000),
  )

function writeReport(secretKey: string, delivery: Delivery): { body: Buffer; headers: Record<string, string> } {
  if (delivery.kind === 'malformed') {
    const body = Buffer.from(delivery.body)
    return { body, headers: signedBytes(secretKey, body, new Date()) }
  }
  const { transfer } = delivery
  if (delivery.kind === 'genuine') return bytesOf(transfer, secretKey)
  if (delivery.kind === 'contradiction') return bytesOf({ ...transfer, amount: delivery.amount }, secretKey)
  if (delivery.how === 'seal') return bytesOf(transfer, 'the key of somebody else, the key of somebody else')
  const { body, headers } = bytesOf(transfer, secretKey)
  if (delivery.how === 'none') return { body, headers: { ...headers, [signatureHeader]: '' } }
  const dearer = body.toString().replace(`"amount":${transfer.amount}`, `"amount":${transfer.amount * 2}`)
  return { body: Buffer.from(dearer), headers }
}
