import { sql } from 'kysely'
import { type Facts, type Measure, timeGroups } from '#server/modules/reports/report.ts'
import { paymentsVisibleTo } from '#server/platform/access/row-scope.ts'
import { programmeToday, withStored } from './of-registration.ts'
import { registrationColumns, registrationPlaces } from './registration-facts.ts'

/**
 * One row per payment with its bill. An unmatched payment has no bill and counts in the academic year in which it was
 * received.
 */
const paymentFacts: Facts = {
  ...withStored(
    (
      registrations,
    ) => sql`payments y LEFT JOIN bills b ON b.id = y.bill_id LEFT JOIN ${registrations} r ON r.id = b.registration_id
    LEFT JOIN waves w ON w.id = r.wave_id LEFT JOIN tracks t ON t.id = r.track_id
    LEFT JOIN study_programmes p ON p.id = ${programmeToday} LEFT JOIN faculties f ON f.id = p.faculty_id`,
  ),
  scope: (actor) => paymentsVisibleTo(actor, 'y'),
  year: sql<string>`coalesce(w.academic_year, (SELECT max(o.academic_year) FROM waves o WHERE o.opens_at <= y.received_at))`,
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
