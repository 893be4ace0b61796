import { sql } from 'kysely'
import type { BankMessage } from '#domain/payments/banks/virtual-accounts/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { allocatedOf } from '#server/modules/payments/bills/allocated.ts'
import { findNumber } from '#server/modules/payments/bills/numbers/number-facts.ts'
import { findAlerts } from '#server/modules/payments/money/alerts.ts'
import { withoutSecretText } from '#server/modules/payments/money/without-secret-text.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import type { Db } from '#server/platform/database/database.ts'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'
import { findNumbers, toRow } from './list-virtual-accounts.ts'

/** Most messages of each kind, newest first. A bank that repeats a report for days would fill the page. */
const mostMessages = 100

/** A number the actor may see, as stored; else 404. */
export async function getVirtualAccount(db: Db, actor: Actor, id: string) {
  const found = await db
    .selectFrom('virtualAccounts as v')
    .innerJoin('bills as b', 'b.id', 'v.billId')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .selectAll('v')
    .where('v.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!found) throw notFound('virtual account')
  return found
}

/** A number with its payments, messages and history. */
export async function showVirtualAccount(services: Services, actor: Actor, id: string, language: Language) {
  const { db } = services
  const account = await getVirtualAccount(db, actor, id)
  const [row, facts, payments, alerts, messages, history, others] = await Promise.all([
    findNumbers(db, actor).where('v.id', '=', id).executeTakeFirstOrThrow(),
    findNumber(db, account.provider, { number: '', virtualAccountId: id }),
    db.selectFrom('payments').selectAll().where('virtualAccountId', '=', id).orderBy('receivedAt', 'desc').execute(),
    findAlerts(db, { virtualAccountId: id }),
    messagesOf(db, id),
    historyOf(db, language, id),
    db
      .selectFrom('virtualAccounts')
      .select(['id', 'number', 'bank', 'status', 'amount', 'createdAt'])
      .where('billId', '=', account.billId)
      .orderBy('createdAt', 'desc')
      .orderBy('id')
      .execute(),
  ])
  if (!facts) throw notFound('virtual account')
  return {
    ...account,
    ...toRow(services, row),
    billStatus: facts.billStatus,
    remaining: facts.remaining,
    payments: payments.map((payment) => ({ ...payment, allocated: allocatedOf(payment) })),
    alerts,
    messages,
    history,
    others: others.map((other) => ({ ...other, bankName: bankName(services, other.bank) })),
  }
}

/** Messages from the bank and requests to it, newest first, without secrets. */
async function messagesOf(db: Db, id: string): Promise<BankMessage[]> {
  const [reports, calls] = await Promise.all([
    db
      .selectFrom('bankReports')
      .selectAll()
      .where('virtualAccountId', '=', id)
      .orderBy('receivedAt', 'desc')
      .limit(mostMessages)
      .execute(),
    db
      .selectFrom('bankCalls')
      .selectAll()
      .where('virtualAccountId', '=', id)
      .orderBy('calledAt', 'desc')
      .limit(mostMessages)
      .execute(),
  ])
  return [
    ...reports.map((report) => ({
      id: report.id,
      at: report.receivedAt.toISOString(),
      from: 'bank' as const,
      what: report.outcome ?? 'received',
      reference: report.reference,
      method: null,
      url: null,
      status: null,
      tookMs: null,
      error: null,
      sent: withoutSecretText(report.body.toString('utf8')),
      answered: null,
    })),
    ...calls.map((call) => ({
      id: call.id,
      at: call.calledAt.toISOString(),
      from: 'us' as const,
      what: call.action,
      reference: null,
      method: call.method,
      url: call.url,
      status: call.status,
      tookMs: call.tookMs,
      error: call.error,
      sent: withoutSecretText(call.request),
      answered: withoutSecretText(call.answer),
    })),
  ].sort((one, other) => (one.at < other.at ? 1 : -1))
}

/** Entries of the audit log about the number, in the reader's language. */
async function historyOf(db: Db, language: Language, id: string) {
  const t = sentences(language)
  const entries = await db
    .selectFrom('auditLog')
    .select(['at', 'action', 'actorId', 'actorName', 'reason'])
    .where('subjectType', '=', 'virtual-account')
    .where('subjectId', '=', id)
    .orderBy(sql`id`, 'desc')
    .limit(mostMessages)
    .execute()
  return entries.map(({ at, action, actorId, actorName, reason }) => ({
    at,
    action: t(`audit:actions.${action}`, { defaultValue: action }) as string,
    by: actorId ? actorName : t('banks:system'),
    reason,
  }))
}
