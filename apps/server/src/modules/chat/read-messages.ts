import { sql } from 'kysely'
import type { ChatHappening, ChatTeam } from '#domain/chat/chat.ts'
import type { ChatMessage } from '#domain/chat/endpoints.ts'
import type { mediaStates } from '#domain/chat/media.ts'
import { theOnly } from '#domain/must.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import type { Db } from '#server/platform/database/database.ts'

type Found = {
  id: string
  number: number
  author: ChatMessage['author']
  authorId: string | null
  name: string | null
  kind: ChatMessage['kind']
  body: string
  data: { happening?: ChatHappening; detail?: string | null; team?: ChatTeam } | null
  status: 'queued' | 'sent' | 'delivered' | 'read' | 'failed' | null
  problem: string | null
  mediaState: (typeof mediaStates)[number] | null
  mediaProblem: string | null
  isPublic: boolean
  at: Date
} & ({ fileName: string; fileMime: string; fileBytes: string } | { fileName: null })

const toMessage = ({ accountId }: Actor, row: Found) => ({
  id: row.id,
  seq: row.number,
  author: row.author,
  name: row.name,
  own: row.authorId === accountId,
  kind: row.kind,
  body: row.body,
  happening: row.data?.happening ?? null,
  detail: row.data?.detail ?? null,
  team: row.data?.team ?? null,
  file: row.fileName === null ? null : { name: row.fileName, mime: row.fileMime, bytes: Number(row.fileBytes) },
  media: row.mediaState && { state: row.mediaState, problem: row.mediaProblem },
  delivery: row.status && { status: row.status, problem: row.problem },
  public: row.isPublic,
  at: row.at,
})

export type Side = 'person' | 'staff'
type Range = { after?: number | undefined; before?: number | undefined }

const pageSize = 50

/**
 * Column that numbers the messages for each side. Public messages have their own numbers, so that applicants see no
 * gaps.
 */
const numberOf = { person: sql.ref('m.public_seq'), staff: sql.ref('m.seq') } as const

async function select(db: Db, side: Side, conversationId: string, { after, before }: Range, limit: number) {
  const number = numberOf[side]
  const isForward = after !== undefined
  const { rows } = await sql<Found>`
    SELECT m.id, ${number} AS number, m.author, m.author_id, a.name, m.kind, m.body, m.data, f.name AS file_name,
      f.mime AS file_mime, f.bytes AS file_bytes, w.status, w.error AS problem, x.state AS media_state, x.problem AS media_problem, m.public_seq IS NOT NULL AS is_public, m.at
    FROM chat_messages m
      LEFT JOIN accounts a ON a.id = m.author_id
      LEFT JOIN files f ON f.id = m.file_id
      LEFT JOIN messages w ON w.id = m.message_id
      LEFT JOIN whatsapp_media x ON x.message_id = m.id
    WHERE m.conversation_id = ${conversationId} AND ${number} IS NOT NULL
      AND ${isForward ? sql`${number} > ${after}` : before === undefined ? sql`true` : sql`${number} < ${before}`}
    ORDER BY ${number} ${isForward ? sql`ASC` : sql`DESC`} LIMIT ${limit}`.execute(db)
  return isForward ? rows : rows.reverse()
}

/** Reads up to `pageSize` messages after or before a number, or the newest. The caller has checked access. */
export async function readMessages(
  db: Db,
  actor: Actor,
  side: Side,
  conversation: { id: string; lastSeq: number; lastPublicSeq: number; accountId: string | null },
  range: Range,
) {
  const rows = await select(db, side, conversation.id, range, pageSize + 1)
  const more = rows.length > pageSize
  if (more) range.after === undefined ? rows.shift() : rows.pop()
  return {
    data: rows.map((row) => toMessage(actor, row)),
    meta: {
      more,
      lastSeq: side === 'person' ? conversation.lastPublicSeq : conversation.lastSeq,
      ...(await readMarks(db, side, conversation)),
    },
  }
}

/** Last message read by the applicant, and last read by any staff, as numbers for `side`. */
async function readMarks(db: Db, side: Side, { id, accountId }: { id: string; accountId: string | null }) {
  const number = numberOf[side]
  const last = (condition: ReturnType<typeof sql>) =>
    sql<number>`coalesce((SELECT max(${number}) FROM chat_messages m WHERE m.conversation_id = ${id} AND ${condition}), 0)`
  const person = sql<number>`coalesce((SELECT k.seq FROM chat_marks k
    WHERE k.conversation_id = ${id} AND k.account_id = ${accountId}), 0)`
  const office = sql<number>`coalesce((SELECT max(k.seq) FROM chat_marks k
    WHERE k.conversation_id = ${id} AND k.account_id IS DISTINCT FROM ${accountId}), 0)`
  const { rows } = await sql<{ personReadSeq: number; officeReadSeq: number }>`
    SELECT ${last(sql`m.public_seq <= ${person}`)} AS person_read_seq,
      ${last(sql`m.seq <= ${office}`)} AS office_read_seq`.execute(db)
  return theOnly(rows)
}

export async function readMessage(db: Db, actor: Actor, side: Side, conversationId: string, number: number) {
  const row = theOnly(await select(db, side, conversationId, { after: number - 1 }, 1))
  return toMessage(actor, row)
}
