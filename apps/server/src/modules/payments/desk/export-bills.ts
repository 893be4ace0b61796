import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { exportBills as exported } from '#domain/payments/desk-endpoints.ts'
import { promiseState } from '#domain/payments/promise.ts'
import { actorOf } from '#server/platform/authorization.ts'
import { languageOfRequest } from '#server/platform/error-handler.ts'
import type { Services } from '#server/platform/services.ts'
import { readRows } from '#server/platform/sheets/read-rows.ts'
import { sendExport } from '#server/platform/sheets/send-export.ts'
import { sentences } from '#server/platform/text.ts'
import { matching } from './bill-list.ts'

/** Every bill of the current filter as XLSX, CSV or PDF, in the reader's words. */
export async function exportBills(services: Services, request: FastifyRequest, reply: FastifyReply) {
  const { db, clock } = services
  const t = sentences(languageOfRequest(request))
  const { format, columns: _columns, sort: _sort, ...filter } = request.query as z.output<typeof exported.query>
  const found = matching(db, actorOf(request), clock.now(), filter)
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .leftJoin('studyProgrammes as s', 's.id', 'r.programmeId')
    .select([
      'b.number',
      'b.kind',
      'b.status',
      'b.total',
      'b.paid',
      'b.issuedAt',
      'b.dueAt',
      'b.paidAt',
      'b.promisedUntil',
    ])
    .select(['r.code', 'a.fullName as name', 's.name as programme'])
    .orderBy('b.issuedAt', 'desc')
    .orderBy('b.id')
  async function* rows() {
    for await (const row of readRows(db, found)) {
      const bill = row as Awaited<ReturnType<(typeof found)['executeTakeFirstOrThrow']>>
      yield {
        ...bill,
        kind: t(`payments:kind.${bill.kind}`),
        status: t(`payments:billStatus.${bill.status}`),
        rest: bill.total - bill.paid,
        promise: wordOf('promise', promiseState(bill, clock.now()) ?? ''),
      }
    }
  }
  const wordOf = (name: string, value: string) =>
    name === 'promise'
      ? value && t(`payments:promise.state.${value}`)
      : name === 'status'
        ? t(`payments:billStatus.${value}`)
        : name === 'kind'
          ? t(`payments:kind.${value}`)
          : name === 'overdue'
            ? t(value === 'true' ? 'common:yes' : 'common:no')
            : value
  return sendExport(services, request, reply, {
    name: 'bills',
    title: t('desk:bills.title'),
    format,
    columns: [
      { key: 'number', label: t('desk:approval.bill'), kind: 'text' },
      { key: 'code', label: t('payments:staff.registration'), kind: 'text' },
      { key: 'name', label: t('desk:approval.applicant'), kind: 'text' },
      { key: 'programme', label: t('desk:bills.programme'), kind: 'text' },
      { key: 'kind', label: t('payments:staff.registrationKind'), kind: 'text' },
      { key: 'status', label: t('desk:approval.status'), kind: 'text' },
      { key: 'total', label: t('desk:bills.total'), kind: 'money' },
      { key: 'paid', label: t('desk:bills.paid'), kind: 'money' },
      { key: 'rest', label: t('desk:bills.rest'), kind: 'money' },
      { key: 'issuedAt', label: t('desk:bills.issuedAt'), kind: 'dateTime' },
      { key: 'dueAt', label: t('desk:bills.dueAt'), kind: 'dateTime' },
      { key: 'promise', label: t('desk:bills.filter.promise'), kind: 'text' },
      { key: 'promisedUntil', label: t('desk:exception.payBy'), kind: 'dateTime' },
    ],
    rows: rows(),
    filter: Object.entries(filter).flatMap(([name, value]) =>
      value === undefined ? [] : [{ label: t(`desk:bills.filter.${name}`), value: wordOf(name, String(value)) }],
    ),
  })
}
