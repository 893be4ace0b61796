import { sql } from 'kysely'
import { type Facts, type Measure, timeGroups } from '#server/modules/reports/report.ts'
import { joinsOfRegistration, ofRegistration, withStored } from './of-registration.ts'

/** One row per issued bill, with today's paid and owed amounts. */
const issuedBillFacts: Facts = {
  ...ofRegistration,
  ...withStored(
    (registrations) => sql`bills b JOIN ${registrations} r ON r.id = b.registration_id ${joinsOfRegistration}`,
  ),
  groups: {
    ...ofRegistration.groups,
    ...timeGroups,
    billKind: { key: sql`b.kind`, label: sql`NULL::text`, words: 'billKind' },
  },
  id: sql`b.id`,
  order: sql`b.issued_at DESC`,
  search: sql`r.search_text`,
  path: { to: sql<string>`'/pendaftaran/' || r.id || '/pembayaran'`, access: 'pembayaran-mahasiswa-view' },
  columns: {
    ...ofRegistration.columns,
    billNumber: { value: sql`b.number`, kind: 'text' },
    billKind: { value: sql`b.kind`, kind: 'text', words: 'billKind' },
    amount: { value: sql`b.total`, kind: 'money' },
    paidTuition: { value: sql`b.paid`, kind: 'money' },
    owed: { value: sql`CASE WHEN b.status IN ('open', 'partly_paid') THEN b.total - b.paid ELSE 0 END`, kind: 'money' },
    issuedAt: { value: sql`b.issued_at`, kind: 'dateTime' },
    dueAt: { value: sql`b.due_at`, kind: 'dateTime' },
    plan: { value: sql`(SELECT l.name FROM installment_plans l WHERE l.id = b.installment_plan_id)`, kind: 'text' },
  },
}

/** Bills issued in the period and not cancelled by the moment. */
export const issuedBills: Measure = {
  facts: issuedBillFacts,
  at: sql`b.issued_at`,
  where: sql<boolean>`(b.status <> 'cancelled' OR b.closed_at > moment.at)`,
}
