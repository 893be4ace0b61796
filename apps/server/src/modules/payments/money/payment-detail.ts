import { approvalsOfPayment } from '#server/modules/payments/approvals/list-approvals.ts'
import { allocatedOf } from '#server/modules/payments/bills/allocated.ts'
import { bankName } from '#server/modules/payments/providers/index.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { bankReferenceOf } from '#server/platform/bank-reference.ts'
import { notFound } from '#server/platform/errors.ts'
import { downloadUrl } from '#server/platform/files/stored-files.ts'
import type { Services } from '#server/platform/services.ts'
import { findAlerts } from './alerts.ts'
import { paymentsWithBills } from './visible-payments.ts'
import { withoutSecretText } from './without-secret-text.ts'

/** A payment the actor may see, with its later events, in a fixed number of queries. */
export async function readPayment(services: Services, actor: Actor, id: string) {
  const { db } = services
  const payment = await paymentsWithBills(db)
    .leftJoin('virtualAccounts as v', 'v.id', 'p.virtualAccountId')
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('files as f', 'f.id', 'p.proofFileId')
    .selectAll('p')
    .select(['v.bank', 'b.number as billNumber', 'b.kind', 'b.status as billStatus', 'f.name as proofName'])
    .select(['r.id as registrationId', 'r.code as registrationCode', 'a.fullName as applicantName'])
    .where('p.id', '=', id)
    .where(visibleTo(actor))
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  const [allocations, requests, alerts, refunds, report, statement] = await Promise.all([
    db
      .selectFrom('allocations as l')
      .innerJoin('bills as b', 'b.id', 'l.billId')
      .leftJoin('installments as i', 'i.id', 'l.installmentId')
      .leftJoin('accounts as c', 'c.id', 'l.createdBy')
      .select(['l.id', 'l.amount', 'l.createdAt as at', 'b.number as billNumber', 'i.position as installment'])
      .select('c.name as by')
      .where('l.paymentId', '=', id)
      .orderBy('l.createdAt')
      .orderBy('i.position')
      .orderBy('l.amount')
      .execute(),
    approvalsOfPayment(db, id),
    findAlerts(db, { paymentId: id }),
    db.selectFrom('refunds').selectAll().where('paymentId', '=', id).orderBy('createdAt').execute(),
    payment.bankReportId
      ? db
          .selectFrom('bankReports')
          .select(['receivedAt', 'outcome', 'body'])
          .where('id', '=', payment.bankReportId)
          .executeTakeFirst()
      : undefined,
    db
      .selectFrom('statementLines as s')
      .innerJoin('bankAccounts as k', 'k.id', 's.bankAccountId')
      .select(['s.day', 's.reference', 's.description', 's.raw', 'k.name as accountName'])
      .where('s.paymentId', '=', id)
      .executeTakeFirst(),
  ])
  return {
    ...payment,
    allocated: allocatedOf(payment),
    bankName: payment.bank ? bankName(services, payment.bank) : payment.provider,
    reference: bankReferenceOf(payment),
    statement: statement ?? null,
    bill: payment.billId
      ? { id: payment.billId, number: payment.billNumber!, kind: payment.kind!, status: payment.billStatus! }
      : null,
    allocations: allocations.map((row) => ({ ...row, at: row.at.toISOString() })),
    requests,
    alerts,
    refunds,
    report: report ? { ...report, body: withoutSecretText(report.body.toString('utf8')) } : null,
    proof: payment.proofFileId
      ? { url: downloadUrl(services, actor, payment.proofFileId), name: payment.proofName! }
      : null,
  }
}
