import { sql } from 'kysely'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { getBill, getBilledRegistration } from '#server/modules/payments/bills/visible-bills.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { isApplicant, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Db, Tx } from '#server/platform/database/database.ts'
import { conflict, forbidden, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { idOfSigned, signedId } from '#server/platform/signed-text.ts'
import { inTransaction } from '#server/platform/use-case.ts'

/** Part of the signed text; a change ends every link. */
const kind = 'payment-link'

export const payPath = '/bayar'

export const linkAddress = (services: Pick<Services, 'config'>, linkId: string) =>
  `${services.config.publicUrl}${payPath}/${signedId(services, kind, linkId)}`

/** Link id in a genuine token; null for any other text. */
export const linkIdOf = (services: Pick<Services, 'config'>, token: string) => idOfSigned(services, kind, token)

/** Valid links of a registration's bills. Only the applicant gets their addresses, and nobody who views as them. */
export async function listLinks(services: Services, actor: Actor, registrationId: string) {
  const { db } = services
  const registration = await getBilledRegistration(db, actor, registrationId)
  const links = await db
    .selectFrom('paymentLinks as l')
    .innerJoin('bills as b', 'b.id', 'l.billId')
    .select(['l.id', 'l.billId', 'l.createdAt', 'l.openedAt', 'l.lastOpenedAt', 'l.visits'])
    .where('b.registrationId', '=', registration.id)
    .where('b.status', '<>', 'cancelled')
    .where('l.takenBackAt', 'is', null)
    .orderBy('l.createdAt')
    .execute()
  // Nobody outside reaches the tables of a trial.
  const mayShare = isApplicant(actor) && !actor.seenBy && !services.trialId
  return links.map((link) => ({ ...link, url: mayShare ? linkAddress(services, link.id) : null }))
}

/** Returns the valid link of an owed bill, or makes one; for its applicant only. The bill's lock makes parallel calls find the same link. */
export const shareBill = (services: Services, actor: Actor, billId: string) =>
  inTransaction(services, actor, async ({ tx, now }) => {
    if (!isApplicant(actor)) throw forbidden('pendaftaran-edit')
    const bill = await getBill(tx, actor, billId, { lock: true })
    if (!isOwed(bill.status)) throw conflict('wrong_status', { status: bill.status })
    const valid = await tx
      .selectFrom('paymentLinks')
      .select('id')
      .where('billId', '=', bill.id)
      .where('takenBackAt', 'is', null)
      .executeTakeFirst()
    if (valid) return valid
    const link = await tx
      .insertInto('paymentLinks')
      .values({ billId: bill.id, createdBy: actor.accountId, createdAt: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(tx, actor, { action: 'bill.share', on: { bill: bill.id }, after: { linkId: link.id } })
    return link
  })

/** Ends a link, for its applicant only; one that has ended stays as it was. Waits for a number that is being reserved through the link. */
export const takeBackLink = (services: Services, actor: Actor, id: string) =>
  inTransaction(services, actor, async ({ tx, now }) => {
    if (!isApplicant(actor)) throw forbidden('pendaftaran-edit')
    const link = await tx
      .selectFrom('paymentLinks as l')
      .innerJoin('bills as b', 'b.id', 'l.billId')
      .innerJoin('registrations as r', 'r.id', 'b.registrationId')
      .select(['l.id', 'l.billId'])
      .where('l.id', '=', id)
      .where(visibleTo(actor))
      .executeTakeFirst()
    if (!link) throw notFound('link')
    const ended = await tx
      .updateTable('paymentLinks')
      .set({ takenBackAt: now, takenBackBy: actor.accountId })
      .where('id', '=', id)
      .where('takenBackAt', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (ended)
      await recordAudit(tx, actor, {
        action: 'bill.takeBackLink',
        on: { bill: link.billId },
        before: { linkId: id },
      })
    return { id }
  })

/** Holds a valid link until the transaction ends, so that taking it back waits; 409 if it was taken back. */
export async function holdLink(tx: Tx, linkId: string) {
  const link = await tx
    .selectFrom('paymentLinks')
    .select('id')
    .where('id', '=', linkId)
    .where('takenBackAt', 'is', null)
    .forShare()
    .executeTakeFirst()
  if (!link) throw conflict('link_replaced')
}

/** Loading the page again within this time is the same visit. */
const visitMs = 10 * 60_000

/** Notes that a valid link was opened. */
export const noteOpened = (db: Db, linkId: string, now: Date) =>
  sql`UPDATE payment_links SET opened_at = coalesce(opened_at, ${now}), last_opened_at = ${now},
      visits = visits + CASE WHEN last_opened_at > ${new Date(now.getTime() - visitMs)} THEN 0 ELSE 1 END
    WHERE id = ${linkId} AND taken_back_at IS NULL`.execute(db)
