import { sql } from 'kysely'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { joinedRegistrationFacts, storedRegistrations } from './registration-facts.ts'

/** One row per allocation of money to a bill. A reversed allocation has a second row with the opposite amount. */
const incomeFacts: Facts = {
  ...joinedRegistrationFacts,
  from: sql`${joinedRegistrationFacts.from} JOIN bills ab ON ab.registration_id = r.id
    JOIN allocations al ON al.bill_id = ab.id`,
  storedIsDivided: true,
  stored: sql`${storedRegistrations} JOIN (SELECT registration_id, wave_id, at AS created_at, amount FROM money_facts
    WHERE kind = 'received') al ON al.registration_id = r.id AND al.wave_id = r.wave_id`,
  id: sql`al.id`,
  order: sql`al.created_at`,
  columns: {
    ...joinedRegistrationFacts.columns,
    amount: { value: sql`al.amount`, kind: 'money' },
    billNumber: { value: sql`ab.number`, kind: 'text' },
    receivedAt: { value: sql`al.created_at`, kind: 'dateTime' },
  },
}

/** Rupiah booked on bills by the moment. */
export const income: Measure = { facts: incomeFacts, at: sql`al.created_at`, sum: sql`al.amount`, kind: 'money' }
