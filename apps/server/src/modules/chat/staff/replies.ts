import { type NotNull, sql } from 'kysely'
import type { z } from 'zod'
import type { ReplyPlaceholder } from '#domain/chat/chat.ts'
import type { createReply as createReplyEndpoint, updateReply as updateReplyEndpoint } from '#domain/chat/endpoints.ts'
import { listReplies } from '#domain/chat/lists.ts'
import { fillPlaceholders, placeholdersOf } from '#domain/messaging/placeholders.ts'
import type { Language } from '#entities/define/language.ts'
import { longDate, rupiah } from '#locales/format.ts'
import { serveList } from '#server/list/serve-list.ts'
import { findRegistrations } from '#server/modules/admissions/registrations/load-registrations.ts'
import { showOnDashboard } from '#server/modules/admissions/registrations/show-registration.ts'
import type { ConversationRow } from '#server/modules/chat/append-message.ts'
import { providerTemplateOf } from '#server/modules/messaging/provider-template.ts'
import { nextBill } from '#server/modules/payments/bills/next-bill.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { hideUnpublished } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { getSettings } from '#server/platform/settings.ts'
import { sentences } from '#server/platform/text.ts'
import { nameOf, requireOffice, showConversation } from './conversation.ts'

export const serveReplies = (app: App, services: Services) =>
  serveList(app, services, listReplies, {
    from: () => services.db.selectFrom('cannedReplies as r'),
    scope: ({ actor }) => {
      requireOffice(actor)
      return 'everyone'
    },
    filters: {
      q: (q) => sql<boolean>`(${contains('r.title', q)} OR ${contains('r.body_id', q)} OR ${contains('r.body_en', q)})`,
      team: 'r.team',
      active: 'r.active',
    },
    columns: (rows) => rows.select(['r.id', 'r.title', 'r.team', 'r.bodyId', 'r.bodyEn', 'r.active', 'r.version']),
    sorts: { title: { by: sql`lower(r.title)`, type: 'text' } },
    id: sql`r.id`,
  })

type NewReply = z.output<typeof createReplyEndpoint.body>
type ChangedReply = z.output<typeof updateReplyEndpoint.body>

export const createReply = ({ db, clock }: Services, actor: Actor, reply: NewReply) =>
  db.transaction().execute(async (tx) => {
    const now = clock.now()
    const { id } = await tx
      .insertInto('cannedReplies')
      .values({ ...reply, createdAt: now, updatedAt: now, updatedBy: actor.accountId })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, { action: 'chat.reply-add', on: { 'chat-reply': id }, after: reply })
    return { id }
  })

export const updateReply = ({ db, clock }: Services, actor: Actor, id: string, { version, ...reply }: ChangedReply) =>
  db.transaction().execute(async (tx) => {
    const before = await tx.selectFrom('cannedReplies').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
    if (!before) throw notFound('reply')
    if (before.version !== version) throw conflict('stale_version')
    await tx
      .updateTable('cannedReplies')
      .set({ ...reply, version: version + 1, updatedAt: clock.now(), updatedBy: actor.accountId })
      .where('id', '=', id)
      .execute()
    await recordAudit(tx, actor, { action: 'chat.reply-edit', on: { 'chat-reply': id }, before, after: reply })
    return { id }
  })

/** Reads up to five of the applicant's registrations that the actor may see, newest first. */
export async function registrationsIn(db: Db, actor: Actor, accountId: string | null, now: Date) {
  if (!accountId) return []
  const { rows } = await sql<{ id: string }>`SELECT r.id FROM registrations r
    WHERE r.account_id = ${accountId} AND ${visibleTo(actor)} ORDER BY r.created_at DESC LIMIT 5`.execute(db)
  return findRegistrations(
    db,
    actor,
    rows.map(({ id }) => id),
    now,
  )
}

type Facts = Partial<Record<ReplyPlaceholder, string>>

/**
 * Values for canned replies, most of them from a registration: the newest that the actor would see without permission
 * for unpublished decisions. Amount and due date need permission to see bills.
 */
async function factsFor(
  { db, clock }: Services,
  actor: Actor,
  { accountId, name }: { accountId: string | null; name: string },
  language: Language,
): Promise<Facts> {
  const now = clock.now()
  const [loaded] = await registrationsIn(db, hideUnpublished(actor), accountId, now)
  const { universityName } = await getSettings(db)
  const summary = loaded && showOnDashboard(loaded, now)
  const bill = loaded && actor.permissions.has('pembayaran-mahasiswa-view') && (await findNextBill(db, loaded.row.id))
  const step = summary?.nextStep
  return {
    name,
    university: universityName,
    ...(summary && { code: summary.code }),
    ...(summary?.programme && { programme: summary.programme }),
    ...(step && { step: sentences(language)(`admissions:todo.${step.key}`) }),
    ...(bill && { amount: rupiah(bill.remaining), ...(bill.dueAt && { due: longDate(bill.dueAt, language) }) }),
  }
}

async function findNextBill(db: Db, registrationId: string) {
  const { rows } = await sql<{ remaining: number; dueAt: Date | null }>`
    SELECT remaining::float8 AS remaining, due_at FROM ${nextBill(sql`${registrationId}::uuid`)} b`.execute(db)
  return rows[0]
}

/**
 * Fills in up to 200 canned replies and up to 100 WhatsApp templates that suit a conversation. A missing value in a
 * reply becomes `…` and is listed in `missing`.
 */
export async function showFilledReplies(services: Services, actor: Actor, conversationId: string) {
  const { db, clock } = services
  const conversation = await showConversation(db, actor, conversationId, clock.now())
  const facts = await factsFor(services, actor, conversation, conversation.language)
  const replies = await db
    .selectFrom('cannedReplies')
    .select(['id', 'title', 'bodyId', 'bodyEn'])
    .where('active', '=', true)
    .where((eb) => eb.or([eb('team', 'is', null), eb('team', '=', conversation.team)]))
    .orderBy(sql`lower(title)`)
    .limit(200)
    .execute()
  return {
    data: replies.map(({ id, title, bodyId, bodyEn }) => {
      const body = conversation.language === 'id' ? bodyId : bodyEn
      const missing = (placeholdersOf(body) as ReplyPlaceholder[]).filter((placeholder) => !facts[placeholder])
      const dots = Object.fromEntries(missing.map((placeholder) => [placeholder, '…']))
      return { id, title, body: fillPlaceholders(body, { ...facts, ...dots }) ?? body, missing }
    }),
    templates: conversation.whatsapp ? await showTemplates(services, conversation) : [],
  }
}

type Person = { name: string; language: Language }

/**
 * Fills in up to 100 active, approved templates. Leaves out those that need more than the names of applicant and
 * university.
 */
async function showTemplates({ db }: Services, { name, language }: Person) {
  const { universityName } = await getSettings(db)
  const templates = await db
    .selectFrom('messageTemplates')
    .select(['id', 'providerTemplate', 'bodyId', 'bodyEn'])
    .where('channel', '=', 'whatsapp')
    .where('active', '=', true)
    .where('providerTemplate', 'is not', null)
    .$narrowType<{ providerTemplate: NotNull }>()
    .orderBy('providerTemplate')
    .limit(100)
    .execute()
  return templates.flatMap(({ id, providerTemplate, bodyId, bodyEn }) => {
    const body = fillPlaceholders(language === 'id' ? bodyId : bodyEn, { name, university: universityName })
    return body === undefined ? [] : [{ id, name: providerTemplate, body }]
  })
}

/**
 * Fills in an approved template. 422 if the template is unknown, inactive or not approved, or needs more than the names
 * of applicant and university.
 */
export async function fillTemplate(tx: Db, conversation: ConversationRow, templateId: string) {
  const template = await tx
    .selectFrom('messageTemplates')
    .select(['providerTemplate', 'bodyId', 'bodyEn'])
    .where('id', '=', templateId)
    .where('channel', '=', 'whatsapp')
    .where('active', '=', true)
    .executeTakeFirst()
  const person = conversation.accountId
    ? await tx
        .selectFrom('accounts')
        .select(['name', 'language'])
        .where('id', '=', conversation.accountId)
        .executeTakeFirst()
    : undefined
  const { universityName } = await getSettings(tx)
  const values = { name: nameOf({ ...conversation, personName: person?.name }), university: universityName }
  const language: Language = person?.language ?? 'id'
  const text = template && (language === 'en' ? template.bodyEn : template.bodyId)
  const body = text && fillPlaceholders(text, values)
  const provider = template && text ? providerTemplateOf(template.providerTemplate, text, values) : null
  if (!body || !provider) throw invalid({ templateId: 'not_found' })
  return { body, provider, language }
}
