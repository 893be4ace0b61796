import { type RawBuilder, sql } from 'kysely'
import { phonePartsOf } from '#domain/accounts/phone.ts'
import { type ConversationRow, listConversations } from '#domain/chat/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { unreadBy } from '#server/modules/chat/marks.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { conversationsVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import { contains, likePattern, searchPattern } from '#server/platform/database/database.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { requireOffice } from './conversation.ts'

/** Maximum length of the preview in an inbox row, about three lines on a phone with large type. */
const longestPreview = 60

const boxes = {
  waiting: () => sql<boolean>`v.waiting_since IS NOT NULL AND v.assignee_id IS NULL`,
  mine: ({ accountId }: Actor) => sql<boolean>`v.assignee_id = ${accountId} AND v.state = 'open'`,
  open: () => sql<boolean>`v.state = 'open'`,
  closed: () => sql<boolean>`v.state = 'closed'`,
} as const

/**
 * Matches name and registration code, and the WhatsApp number if the actor has `pendaftaran-edit`. PostgreSQL looks
 * accounts up for each conversation if these are few, else it searches them once; the condition on `search_text` then
 * uses an index.
 */
function matchesSearch(actor: Actor, q: string): RawBuilder<boolean> {
  const phones = actor.permissions.has('pendaftaran-edit') ? phonePartsOf(q) : []
  const phonePatterns = phones.map(likePattern)
  return sql<boolean>`(${contains('v.name', q)}
    OR EXISTS (SELECT FROM accounts a WHERE a.id = v.account_id AND ${contains('a.name', q)})
    OR EXISTS (SELECT FROM registrations r WHERE r.account_id = v.account_id
      AND r.search_text LIKE ${searchPattern(q)} AND ${contains('r.code', q)} AND ${visibleTo(actor)})
    OR v.phone LIKE ANY(${phonePatterns}::text[]) OR v.whatsapp_address LIKE ANY(${phonePatterns}::text[]))`
}

/** Serves the inbox of staff; 403 for applicants. */
export const serveConversations = (app: App, services: Services) =>
  serveList(app, services, listConversations, {
    // Hides empty conversations, such as those of applicants who have just started to link WhatsApp.
    from: () => services.db.selectFrom('conversations as v').where('v.kind', '=', 'person').where('v.lastSeq', '>', 0),
    scope: ({ actor }) => conversationsVisibleTo(requireOffice(actor)),
    filters: {
      box: (box, { actor }) => boxes[box](actor),
      team: 'v.team',
      whatsapp: (whatsapp) => sql<boolean>`(v.whatsapp_at IS NOT NULL) = ${whatsapp === 'true'}`,
      q: (q, { actor }) => matchesSearch(actor, q),
    },
    rows: ({ actor }) =>
      services.db
        .selectFrom('conversations as v')
        .leftJoin('accounts as p', 'p.id', 'v.accountId')
        .leftJoin('accounts as w', 'w.id', 'v.assigneeId')
        .leftJoin('chatMarks as k', (join) =>
          join.onRef('k.conversationId', '=', 'v.id').on('k.accountId', '=', actor.accountId),
        )
        .leftJoin('chatMessages as m', (join) =>
          join.onRef('m.conversationId', '=', 'v.id').onRef('m.publicSeq', '=', 'v.lastPublicSeq'),
        )
        .leftJoin('files as f', 'f.id', 'm.fileId')
        .select(['v.id', 'v.team', 'v.state', 'w.name as assignee', 'v.waitingSince', 'v.dueAt', 'v.lastMessageAt'])
        .select([
          sql<string>`coalesce(p.name, v.name, 'WhatsApp ' || right(coalesce(v.phone, v.user_id), 4))`.as('name'),
          sql<string | null>`(SELECT r.code FROM registrations r
            WHERE r.account_id = v.account_id AND ${visibleTo(actor)} ORDER BY r.created_at DESC LIMIT 1)`.as('code'),
          sql<string | null>`CASE WHEN length(m.body) > ${longestPreview}
            THEN rtrim(left(m.body, ${longestPreview - 1})) || '…' ELSE m.body END`.as('lastText'),
          sql<ConversationRow['lastKind']>`CASE WHEN m.kind = 'file' AND starts_with(f.mime, 'image/')
            THEN 'photo' ELSE m.kind END`.as('lastKind'),
          unreadBy(actor.accountId).as('unread'),
          sql<boolean>`(v.whatsapp_at IS NOT NULL)`.as('whatsapp'),
        ]),
    sorts: {
      waitingSince: { by: sql`coalesce(v.waiting_since, 'infinity'::timestamptz)`, type: 'timestamptz' },
      lastMessageAt: { by: sql`coalesce(v.last_message_at, '-infinity'::timestamptz)`, type: 'timestamptz' },
    },
    id: sql`v.id`,
  })
