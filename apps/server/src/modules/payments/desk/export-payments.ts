import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { exportPayments as exported } from '#domain/payments/desk-endpoints.ts'
import { actorOf } from '#server/platform/authorization.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { filtered } from '../list-payments.ts'
import { bankName } from '../providers/index.ts'

/** Every payment of the current filter as XLSX, CSV or PDF, in the reader's words. */
export async function exportPayments(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const { db } = services
  const t = sentences(languageOfRequest(request))
  const { format, columns: _columns, ...filter } = request.query as z.output<typeof exported.query>
  const found = filtered(db, actorOf(request), filter)
    .leftJoin('applicants as a', 'a.id', 'r.applicantId')
    .select([
      'p.receiptNumber',
      'p.amount',
      'p.status',
      'p.waitingAmount',
      'p.refundedAmount',
      'p.paidAt',
      'p.receivedAt',
    ])
    .select(['p.virtualAccountNumber', 'p.provider', 'p.channel', 'p.providerReference', 'p.reference', 'v.bank'])
    .select(['r.code', 'a.fullName as name', 'b.number as billNumber', 'b.kind'])
    .orderBy('p.receivedAt', 'desc')
    .orderBy('p.id', 'desc')
  async function* rows() {
    for await (const row of readRows(db, found)) {
      const payment = row as Awaited<ReturnType<(typeof found)['executeTakeFirstOrThrow']>>
      yield {
        ...payment,
        kind: payment.kind ? t(`payments:kind.${payment.kind}`) : '',
        status: t(`payments:paymentStatus.${payment.status}`),
        through: payment.bank ? bankName(services, payment.bank) : t(`payments:manual.${payment.channel}`),
        reference: payment.reference ?? payment.providerReference,
      }
    }
  }
  const wordOf = (name: string, value: string) =>
    name === 'status' ? t(`payments:paymentStatus.${value}`) : name === 'kind' ? t(`payments:kind.${value}`) : value
  return sendExport(services, request, reply, {
    name: 'payments',
    title: t('desk:bills.tab.payments'),
    format,
    columns: [
      { key: 'receiptNumber', label: t('payments:receipt.number'), kind: 'text' },
      { key: 'code', label: t('payments:staff.registration'), kind: 'text' },
      { key: 'name', label: t('payments:staff.applicant'), kind: 'text' },
      { key: 'billNumber', label: t('payments:staff.bill'), kind: 'text' },
      { key: 'kind', label: t('payments:staff.registrationKind'), kind: 'text' },
      { key: 'amount', label: t('payments:staff.amount'), kind: 'money' },
      { key: 'status', label: t('payments:staff.status'), kind: 'text' },
      { key: 'waitingAmount', label: t('desk:waiting.amount'), kind: 'money' },
      { key: 'refundedAmount', label: t('desk:refund.title'), kind: 'money' },
      { key: 'through', label: t('desk:payment.through'), kind: 'text' },
      { key: 'virtualAccountNumber', label: t('payments:staff.number'), kind: 'text' },
      { key: 'reference', label: t('desk:enter.reference'), kind: 'text' },
      { key: 'paidAt', label: t('desk:enter.paidAt'), kind: 'dateTime' },
      { key: 'receivedAt', label: t('desk:payment.received'), kind: 'dateTime' },
    ],
    rows: rows(),
    filter: Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [{ label: t(`desk:bills.filter.${name}`), value: wordOf(name, String(value)) }],
    ),
  })
}
