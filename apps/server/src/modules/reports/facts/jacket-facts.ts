import { sql } from 'kysely'
import type { Facts, Measure, Sql } from '#server/modules/reports/report.ts'
import { storedProfile } from './of-registration.ts'
import { joinedRegistrationFacts, reached, storedRegistrations } from './registration-facts.ts'

/**
 * Position of every confirmed registration without a jacket in the queue for its size, across all programmes and years.
 */
const lineOf = (registrations: Sql) => sql`(
  SELECT k.id, b.clothes_size AS size,
    row_number() OVER (PARTITION BY b.clothes_size ORDER BY k.confirmed_at, k.id) AS place
  FROM ${registrations}
    LEFT JOIN (SELECT DISTINCT x.registration_id FROM jacket_hand_outs x WHERE x.handed_at <= moment.at) had ON had.registration_id = k.id
  WHERE k.confirmed_at <= moment.at AND (k.closed_at IS NULL OR k.closed_at > moment.at) AND b.clothes_size IS NOT NULL
    AND had.registration_id IS NULL)`
const line = lineOf(sql`registrations k JOIN applicants b ON b.id = k.applicant_id`)
const storedLine = lineOf(sql`registration_facts k CROSS JOIN LATERAL (SELECT k.clothes_size) b`)

/** Joins the jacket held at the moment, the place in the queue for its size, and the stock. */
const joinsOf = (queue: Sql) => sql`
  LEFT JOIN jacket_hand_outs held ON held.registration_id = r.id AND held.handed_at <= moment.at
    AND (held.ended_at IS NULL OR held.ended_at > moment.at)
  LEFT JOIN LATERAL ${queue} line ON line.id = r.id
  LEFT JOIN LATERAL (SELECT m.size, sum(m.quantity) AS on_hand FROM jacket_movements m WHERE m.at <= moment.at GROUP BY m.size)
    stock ON stock.size = line.size`

const size = sql`coalesce(held.size, a.clothes_size)`

/** One row per registration, with the size of the jacket held at the moment, else that of the profile. */
const jacketFacts: Facts = {
  ...joinedRegistrationFacts,
  only: sql<boolean>`(r.confirmed_at IS NOT NULL OR undone.registration_id IS NOT NULL OR held.id IS NOT NULL)`,
  from: sql`${joinedRegistrationFacts.from} JOIN applicants a ON a.id = r.applicant_id ${joinsOf(line)}`,
  stored: sql`${storedRegistrations} ${storedProfile} ${joinsOf(storedLine)}`,
  groups: {
    ...joinedRegistrationFacts.groups,
    size: { key: size, label: sql`NULL::text`, words: 'size', isOrdered: true },
    gender: { key: sql`a.gender`, label: sql`NULL::text`, words: 'gender' },
  },
  columns: {
    ...joinedRegistrationFacts.columns,
    size: { value: size, kind: 'text' },
    gender: { value: sql`a.gender`, kind: 'text', words: 'gender' },
    handedAt: { value: sql`held.handed_at`, kind: 'dateTime' },
  },
}

const stays = sql<boolean>`(r.closed_at IS NULL OR r.closed_at > moment.at)`

/** Registrations that are confirmed or enrolled and have not ended. */
export const jacketsFor = (step: 'confirmed' | 'enrolled'): Measure => ({
  ...reached(step),
  facts: jacketFacts,
  where: stays,
})

/** Jackets that students hold. */
export const handedOut: Measure = { facts: jacketFacts, at: sql`held.handed_at` }

/** Students in the queue for a size beyond its jackets in stock. */
export const toOrder: Measure = { facts: jacketFacts, where: sql<boolean>`line.place > coalesce(stock.on_hand, 0)` }

/** One row per stock movement. The stock serves every year and study programme. */
const movementFacts: Facts = {
  from: sql`jacket_movements m LEFT JOIN jacket_deliveries d ON d.id = m.delivery_id`,
  scope: () => sql<boolean>`true`,
  filters: {},
  groups: { size: { key: sql`m.size`, label: sql`NULL::text`, words: 'size' } },
  id: sql`m.id`,
  order: sql`m.at DESC`,
  columns: {
    size: { value: sql`m.size`, kind: 'text' },
    movedAt: { value: sql`m.at`, kind: 'dateTime' },
    movement: { value: sql`m.kind`, kind: 'text', words: 'movement' },
    quantity: { value: sql`m.quantity`, kind: 'number' },
    supplier: { value: sql`d.supplier || ' · ' || d.reference`, kind: 'text' },
  },
}

/** Jackets received from suppliers, or in stock after all movements. */
export const jacketStock = (part: 'received' | 'inStock'): Measure => ({
  facts: movementFacts,
  at: sql`m.at`,
  ...(part === 'received' && { where: sql<boolean>`m.kind = 'delivery'` }),
  sum: sql`m.quantity`,
})
