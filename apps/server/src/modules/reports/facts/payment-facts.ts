import { sql } from 'kysely'
import { type Facts, type Measure, timeGroups } from '#server/modules/reports/report.ts'
import { paymentsVisibleTo } from '#server/platform/access/row-scope.ts'
import { programmeToday } from './of-registration.ts'
import { registrationColumns, registrationPlaces } from './registration-facts.ts'

const joinsOfPayment = sql`LEFT JOIN tracks t ON t.id = r.track_id
  LEFT JOIN study_programmes p ON p.id = ${programmeToday} LEFT JOIN faculties f ON f.id = p.faculty_id`
const yearReceived = sql<string>`(SELECT max(o.academic_year) FROM waves o WHERE o.opens_at <= y.received_at)`

/**
 * One row per payment with its bill. An unmatched payment has no bill and counts in the academic year in which it was
 * received.
 */
const paymentFacts: Facts = {
  from: sql`payments y LEFT JOIN bills b ON b.id = y.bill_id LEFT JOIN registrations r ON r.id = b.registration_id
    LEFT JOIN waves w ON w.id = r.wave_id ${joinsOfPayment}`,
  // The wave is joined by the column of the payment, so that PostgreSQL joins registrations only where they are asked for.
  stored: sql`payment_facts y CROSS JOIN LATERAL (SELECT y.bill_kind AS kind) b
    LEFT JOIN registration_facts r ON r.id = y.registration_id LEFT JOIN waves w ON w.id = y.wave_id ${joinsOfPayment}`,
  scope: (actor) => paymentsVisibleTo(actor, 'y'),
  year: sql<string>`coalesce(w.academic_year, ${yearReceived})`,
  storedOfYear: (
    year,
  ) => sql<boolean>`(y.wave_id = ANY (ARRAY(SELECT o.id FROM waves o WHERE o.academic_year = ${year}))
    OR y.wave_id IS NULL AND ${yearReceived} = ${year})`,
  filters: { ...registrationPlaces.filters, classProgrammeId: sql`r.class_programme_id` },
  groups: {
    ...registrationPlaces.groups,
    ...timeGroups,
    channel: { key: sql`coalesce(y.channel, y.provider)`, label: sql`coalesce(y.channel, y.provider)` },
    provider: { key: sql`y.provider`, label: sql`y.provider` },
    billKind: { key: sql`b.kind`, label: sql`NULL::text`, words: 'billKind' },
  },
  id: sql`y.id`,
  order: sql`y.received_at DESC`,
  search: sql`r.search_text`,
  path: { to: sql<string>`'/pembayaran-mahasiswa/' || y.id`, access: 'pembayaran-mahasiswa-view' },
  columns: {
    ...registrationColumns,
    programme: { value: sql`p.name`, kind: 'text' },
    receipt: { value: sql`y.receipt_number`, kind: 'text' },
    billNumber: { value: sql`b.number`, kind: 'text' },
    billKind: { value: sql`b.kind`, kind: 'text', words: 'billKind' },
    channel: { value: sql`coalesce(y.channel, y.provider)`, kind: 'text' },
    virtualAccount: { value: sql`y.virtual_account_number`, kind: 'text' },
    receivedAt: { value: sql`y.received_at`, kind: 'dateTime' },
    paidAt: { value: sql`y.paid_at`, kind: 'dateTime' },
    amount: { value: sql`y.amount`, kind: 'money' },
    waitingAmount: { value: sql`y.waiting_amount`, kind: 'money' },
    refundedAmount: { value: sql`y.refunded_amount`, kind: 'money' },
  },
}

const stands = {
  facts: paymentFacts,
  // Not `paid_at`: a transfer entered late must not change earlier days.
  at: sql`y.received_at`,
  where: sql<boolean>`(y.reversed_at IS NULL OR y.reversed_at > moment.at)`,
} satisfies Measure

/** Payments not reversed by the moment. */
export const payments: Measure = stands
/** Rupiah of those payments. */
export const paidAmount: Measure = { ...stands, sum: sql`y.amount`, kind: 'money' }
/** Rupiah of those payments that wait for a bill today. */
export const waitingAmount: Measure = { ...stands, sum: sql`y.waiting_amount`, kind: 'money' }
/** Rupiah of those payments refunded by today. */
export const refundedAmount: Measure = { ...stands, sum: sql`y.refunded_amount`, kind: 'money' }
