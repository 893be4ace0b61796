import crypto from 'node:crypto'
import { z } from 'zod'
import type { WhatsappItemKind, WhatsappItemProblem } from '#domain/whatsapp/items.ts'
import { issuesOfText } from '#server/platform/files/unreadable-text.ts'
import { contactOf, userOf, type WhatsappUser } from './item.ts'

export type NewItem = WhatsappUser & {
  kind: WhatsappItemKind
  key: string
  raw: Buffer
  problem: WhatsappItemProblem | null
  /** Only kept as a record, never processed. */
  isSettled: boolean
}

const notice = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.object({ changes: z.array(z.object({ field: z.string(), value: z.unknown() })) })),
})
const items = z.array(z.unknown()).optional()
const valueOfMessages = z.object({
  metadata: z.object({ phone_number_id: z.string() }).optional().catch(undefined),
  statuses: items,
  messages: items,
  contacts: items.catch(undefined),
})

const nobody = { phone: null, userId: null }

/** Splits a signed notice into items. Bytes that are no WhatsApp notice become one item. */
export function takeApart(body: Buffer, phoneNumberId: string | null): NewItem[] {
  const parsed = notice.safeParse(parse(body))
  if (!parsed.success) return [noticeItem(body, 'unreadable')]
  return parsed.data.entry.flatMap(({ changes }) => changes.flatMap((change) => itemsOf(change, body, phoneNumberId)))
}

function itemsOf(change: { field: string; value: unknown }, body: Buffer, phoneNumberId: string | null): NewItem[] {
  // Changes of other fields, such as those of the business account, are not used.
  if (change.field !== 'messages') return [noticeItem(rawOf(change, body), null)]
  const { statuses, messages, contacts = [], metadata } = valueOfMessages.safeParse(change.value).data ?? {}
  if (!statuses && !messages) return [noticeItem(rawOf(change, body), 'unreadable')]
  const isOthers = metadata?.phone_number_id !== phoneNumberId
  const toItem = (kind: 'message' | 'status') => (item: unknown) => {
    const parts = { item, contact: contactOf(item, contacts) }
    const raw = rawOf(parts, body)
    return {
      ...userOf(parts),
      kind,
      key: keyOf(kind, item) ?? sha256(raw),
      raw,
      problem: isOthers ? ('other_number' as const) : null,
      isSettled: isOthers,
    }
  }
  return [...(statuses ?? []).map(toItem('status')), ...(messages ?? []).map(toItem('message'))]
}

const noticeItem = (raw: Buffer, problem: WhatsappItemProblem | null): NewItem => ({
  ...nobody,
  kind: 'notice',
  key: sha256(raw),
  raw,
  problem,
  isSettled: true,
})

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return undefined
  }
}

/** A value as JSON; the whole notice if the value is nested too deeply to be serialised. */
function rawOf(value: unknown, body: Buffer): Buffer {
  try {
    return Buffer.from(JSON.stringify(value))
  } catch {
    return body
  }
}

const sha256 = (bytes: Buffer) => crypto.createHash('sha256').update(bytes).digest('hex')

const keyed = z.object({ id: z.string().min(1).max(200), status: z.string().max(90).optional() })

/** Meta repeats an item under the same id. Each status of a message is an item of its own. */
function keyOf(kind: 'message' | 'status', item: unknown): string | undefined {
  const { data } = keyed.safeParse(item)
  if (!data || issuesOfText(data).length > 0) return
  return kind === 'message' ? data.id : `${data.id} ${data.status ?? ''}`
}
