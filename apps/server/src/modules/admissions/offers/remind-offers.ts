import { sql } from 'kysely'
import type { Language } from '#entities/define/language.ts'
import { dateTime } from '#locales/format.ts'
import { notifyMany } from '#server/modules/messaging/notify.ts'
import { renderMessage } from '#server/modules/messaging/render-message.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isPublished } from '#server/platform/access/decision-scope.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { offerDueAt } from './offer-due.ts'

const dayMs = 86_400_000
const event = 'offer-reminder'

type Offer = {
  id: string
  code: string
  status: string
  accountId: string
  name: string
  language: Language
  programme: string
  programmeEn: string | null
  dueAt: Date | null
  remindedAt: Date | null
}

/** Published acceptances among the registrations the actor may see. With `lock`, answers to these offers wait. */
async function offersOf(db: Db, actor: Actor, now: Date, ids: readonly string[], { lock = false } = {}) {
  const { rows } = await sql<Offer>`
    SELECT r.id, r.code, r.status, r.account_id, a.full_name AS name, u.language, p.name AS programme,
      p.name_en AS programme_en, ${offerDueAt} AS due_at, r.offer_reminded_at AS reminded_at
    FROM registrations r
    JOIN applicants a ON a.id = r.applicant_id
    JOIN accounts u ON u.id = r.account_id
    JOIN study_programmes p ON p.id = r.accepted_programme_id
    WHERE r.id = ANY(${[...ids]}::uuid[]) AND r.decision = 'accepted' AND ${isPublished(now)} AND ${visibleTo(actor)}
    ORDER BY r.id ${lock ? sql`FOR NO KEY UPDATE OF r` : sql``}`.execute(db)
  return rows
}

const wasRemindedToday = (offer: Offer, now: Date): offer is Offer & { remindedAt: Date } =>
  offer.remindedAt !== null && offer.remindedAt.getTime() > now.getTime() - dayMs

const isOpen = ({ status, dueAt }: Offer, now: Date) => status === 'decided' && (dueAt === null || dueAt > now)

const paramsOf =
  ({ code, programme, programmeEn, dueAt }: Offer) =>
  (language: Language) => ({
    code,
    programme: (language === 'en' && programmeEn) || programme,
    due: dueAt ? dateTime(dueAt, language) : '-',
  })

/** The offers `remindOffers` would remind about, the reasons against the others, and a sample of the message. */
export async function previewOfferReminders(
  { db, clock }: Services,
  actor: Actor,
  ids: readonly string[],
  language: Language,
) {
  const now = clock.now()
  const t = sentences(language)
  const offers = await offersOf(db, actor, now, ids)
  const refusalOf = (offer: Offer) => {
    if (offer.status !== 'decided') return t('offers:remind.answered')
    if (!isOpen(offer, now)) return t('offers:remind.passed')
    return wasRemindedToday(offer, now)
      ? t('offers:remind.today', { at: dateTime(offer.remindedAt, language) })
      : undefined
  }
  const judged = offers.map((offer) => ({
    offer,
    row: { id: offer.id, title: `${offer.name} · ${offer.code}` },
    reason: refusalOf(offer),
  }))
  const allowed = judged.filter(({ reason }) => reason === undefined)
  const first = allowed[0]?.offer
  return {
    allowed: allowed.map(({ row }) => row),
    refused: judged.flatMap(({ row, reason }) => (reason === undefined ? [] : [{ ...row, reason }])),
    sample: first
      ? await renderMessage(db, {
          event,
          language: first.language,
          params: { name: first.name, ...paramsOf(first)(first.language) },
        })
      : null,
  }
}

/**
 * Reminds applicants of unanswered offers, at most once in 24 hours each; returns the numbers of reminded and skipped.
 */
export const remindOffers = (services: Services, actor: Actor, ids: readonly string[]) =>
  inTransaction(services, actor, async (context) => {
    const { tx, now } = context
    const offers = (await offersOf(tx, actor, now, ids, { lock: true })).filter(
      (offer) => isOpen(offer, now) && !wasRemindedToday(offer, now),
    )
    await sql`UPDATE registrations SET offer_reminded_at = ${now}
      WHERE id = ANY(${offers.map(({ id }) => id)}::uuid[])`.execute(tx)
    await notifyMany(
      context,
      event,
      offers.map((offer) => ({
        accountId: offer.accountId,
        params: paramsOf(offer),
        link: '/konfirmasi-kelulusan',
      })),
    )
    await recordAudits(
      tx,
      actor,
      offers.map(({ id }) => ({ action: 'registration.remindOffer', on: { registration: id } })),
    )
    return { reminded: offers.length, left: new Set(ids).size - offers.length }
  })
