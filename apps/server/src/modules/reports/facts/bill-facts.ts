import { sql } from 'kysely'
import type { Facts, Measure, Sql } from '#server/modules/reports/report.ts'
import { visibleTo } from '#server/platform/access/row-scope.ts'
import { programmeToday, withStored } from './of-registration.ts'
import { isOfWaves, registrationColumns, registrationPlaces } from './registration-facts.ts'

/**
 * One row per part of a bill with an amount owed at `moment.at`: an instalment, or the whole bill if it has none. The
 * amount is today's plus later payments and waivers, for bills issued by then. Waivers count on the last instalment;
 * due dates are today's.
 */
const owedParts = sql`
  SELECT b.id AS bill_id, i.id AS installment_id, b.registration_id, b.number, b.kind, b.promised_until, b.reminded_at, b.issued_at,
    i.position, coalesce(i.due_at, b.due_at) AS due_at,
    coalesce(i.amount, b.total) - coalesce(i.paid, b.paid) + coalesce(paid.sum, 0) + CASE
      WHEN let_off.sum IS NOT NULL
        AND NOT EXISTS (SELECT FROM installments n WHERE n.bill_id = b.id AND n.position > i.position)
      THEN let_off.sum ELSE 0 END AS owed
  FROM bills b
  LEFT JOIN installments i ON i.bill_id = b.id
  LEFT JOIN (SELECT l.bill_id, -sum(l.amount)::bigint AS sum FROM bill_lines l WHERE l.added_at > moment.at GROUP BY 1) let_off
    ON let_off.bill_id = b.id
  LEFT JOIN (SELECT a.bill_id, a.installment_id, sum(a.amount)::bigint AS sum FROM allocations a
    WHERE a.created_at > moment.at GROUP BY 1, 2) paid ON paid.bill_id = b.id AND paid.installment_id IS NOT DISTINCT FROM i.id
  WHERE b.issued_at <= moment.at AND (b.status IN ('open', 'partly_paid') OR b.paid_at > moment.at OR b.closed_at > moment.at)`

/** Calendar days since the due date, starting with 1; 0 before it. */
const daysLate = sql`CASE WHEN o.due_at < moment.at
  THEN greatest((moment.at AT TIME ZONE moment.zone)::date - (o.due_at AT TIME ZONE moment.zone)::date, 1) ELSE 0 END`

export const billFacts: Facts = {
  ...withStored(
    (
      registrations,
    ) => sql`LATERAL (${owedParts}) o JOIN ${registrations} r ON r.id = o.registration_id JOIN waves w ON w.id = r.wave_id
    LEFT JOIN tracks t ON t.id = r.track_id LEFT JOIN study_programmes p ON p.id = ${programmeToday}
    LEFT JOIN faculties f ON f.id = p.faculty_id`,
  ),
  scope: (actor) => visibleTo(actor),
  year: registrationPlaces.year,
  storedOfWaves: isOfWaves,
  filters: { ...registrationPlaces.filters, classProgrammeId: sql`r.class_programme_id` },
  groups: {
    ...registrationPlaces.groups,
    billKind: { key: sql`o.kind`, label: sql`NULL::text`, words: 'billKind' },
  },
  id: sql`o.bill_id, o.position`,
  order: sql`o.due_at`,
  search: sql`r.search_text`,
  path: { to: sql<string>`'/pendaftaran/' || r.id || '/pembayaran'`, access: 'pembayaran-mahasiswa-view' },
  columns: {
    ...registrationColumns,
    programme: { value: sql`p.name`, kind: 'text' },
    billNumber: { value: sql`o.number`, kind: 'text' },
    billKind: { value: sql`o.kind`, kind: 'text', words: 'billKind' },
    instalment: { value: sql`o.position`, kind: 'number' },
    virtualAccount: {
      value: sql`(SELECT string_agg(v.number, ', ' ORDER BY v.number) FROM virtual_accounts v WHERE v.bill_id = o.bill_id
        AND v.status = 'active' AND v.installment_id IS NOT DISTINCT FROM o.installment_id)`,
      kind: 'text',
    },
    dueAt: { value: sql`o.due_at`, kind: 'dateTime' },
    daysLate: { value: daysLate, kind: 'number' },
    owed: { value: sql`o.owed`, kind: 'money' },
    promisedUntil: { value: sql`o.promised_until`, kind: 'dateTime' },
    remindedAt: { value: sql`o.reminded_at`, kind: 'dateTime' },
  },
}

/** Rupiah owed: all parts, or those late by `from` to `to` days. */
export const owed = (late?: { from: number; to?: number }): Measure => ({
  facts: billFacts,
  where: lateBetween(late),
  sum: sql`o.owed`,
  kind: 'money',
})

function lateBetween(late: { from: number; to?: number } | undefined): Sql<boolean> {
  const most = late?.to === undefined ? sql`` : sql` AND ${daysLate} <= ${late.to}`
  return late ? sql<boolean>`o.owed > 0 AND ${daysLate} >= ${late.from}${most}` : sql<boolean>`o.owed > 0`
}
