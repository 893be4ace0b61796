import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime } from '#locales/format.ts'
import { notify } from '#server/modules/messaging/notify.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudits } from '#server/platform/audit.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { owedTexts } from './owed-texts.ts'

const day = 86_400_000

/** Whether the last reminder of a bill is less than a day old. */
const isTooSoon = (remindedAt: Date | null, now: Date): remindedAt is Date =>
  remindedAt !== null && remindedAt.getTime() >= now.getTime() - day

/** Bills for which `remindPayers` would send a reminder, and for each other bill the reason as a sentence. */
export async function previewReminders(
  { db, clock }: Services,
  actor: Actor,
  ids: readonly string[],
  language: Language,
) {
  const now = clock.now()
  const t = sentences(language)
  const bills = await db
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['b.id', 'b.number', 'b.status', 'b.remindedAt', 'a.fullName as name'])
    .where('b.id', 'in', [...ids])
    .where(visibleTo(actor))
    .orderBy('a.fullName')
    .orderBy('b.number')
    .execute()
  const refusalOf = ({ status, remindedAt }: (typeof bills)[number]) =>
    !isOwed(status)
      ? t(`bills:billStatus.${status}`)
      : isTooSoon(remindedAt, now)
        ? t('money:bills.remindedToday', { at: dateTime(remindedAt, language) })
        : undefined
  const judged = bills.map((bill) => {
    return { id: bill.id, title: `${bill.name} · ${bill.number}`, reason: refusalOf(bill) }
  })
  return {
    allowed: judged.filter(({ reason }) => reason === undefined),
    refused: judged.flatMap(({ reason, ...bill }) => (reason === undefined ? [] : [{ ...bill, reason }])),
  }
}

/** Sends the payers of these bills a reminder, at most one per bill within 24 hours. */
export async function remindPayers(services: Services, actor: Actor, ids: readonly string[]) {
  const now = services.clock.now()
  const reminded = await inTransaction(services, actor, async (context) => {
    const { tx } = context
    const bills = await tx
      .updateTable('bills as b')
      .from('registrations as r')
      .whereRef('r.id', '=', 'b.registrationId')
      .where('b.id', 'in', [...ids])
      .where('b.status', 'in', ['open', 'partly_paid'])
      .where(visibleTo(actor))
      .where((eb) => eb.or([eb('b.remindedAt', 'is', null), eb('b.remindedAt', '<', new Date(now.getTime() - day))]))
      .set({ remindedAt: now })
      .returning(['b.id', 'b.number', 'b.total', 'b.paid', 'b.dueAt', 'b.status', 'b.accountId', 'b.registrationId'])
      .execute()
    const owed = bills.filter(({ status }) => isOwed(status))
    const languages = new Map(
      (
        await tx
          .selectFrom('accounts')
          .select(['id', 'language'])
          .where('id', 'in', [...owed.map(({ accountId }) => accountId), actor.accountId])
          .execute()
      ).map(({ id, language }) => [id, language]),
    )
    if (owed.length === 0) return 0
    const textsOf = await owedTexts(tx, owed)
    for (const bill of owed) {
      const language = languages.get(bill.accountId) ?? 'id'
      await notify(context, {
        accountId: bill.accountId,
        event: 'payment-reminder',
        params: { number: bill.number, ...textsOf(bill, language) },
        link: `/pendaftaran/${bill.registrationId}/pembayaran`,
      })
    }
    await recordAudits(
      tx,
      actor,
      owed.map(({ id }) => ({ action: 'bill.remind', on: { bill: id } })),
    )
    return owed.length
  })
  return { reminded, left: new Set(ids).size - reminded }
}
