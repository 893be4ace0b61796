import { sql } from 'kysely'
import { type Facts, type Measure, type Sql, timeGroups } from '#server/modules/reports/report.ts'
import { joinsOfRegistration, ofRegistration, storedProfile } from './of-registration.ts'
import { agreements, schoolGroups } from './school-groups.ts'

/**
 * One row per movement on a bill: a charged line, a discount at issue, a later reduction, money booked or reversed, the
 * rest of a cancelled bill, and a refund. All but refunds add up to the outstanding amount at any moment.
 */
const movements = sql`(
  SELECT l.id::text AS id, l.bill_id, coalesce(l.added_at, b.issued_at) AS at, l.fee_component_id,
    CASE WHEN l.amount > 0 THEN 'billed' WHEN l.added_later THEN 'let_off' ELSE 'discount' END AS kind, abs(l.amount) AS amount,
    b.registration_id, b.number, b.kind AS bill_kind
  FROM bill_lines l JOIN bills b ON b.id = l.bill_id
  UNION ALL
  SELECT al.id::text, al.bill_id, al.created_at, NULL, 'received', al.amount, b.registration_id, b.number, b.kind
  FROM allocations al JOIN bills b ON b.id = al.bill_id
  UNION ALL
  SELECT b.id || '-rest', b.id, coalesce(b.closed_at, b.issued_at), NULL, 'cancelled', b.total - b.paid, b.registration_id,
    b.number, b.kind
  FROM bills b WHERE b.status = 'cancelled'
  UNION ALL
  SELECT f.id::text, b.id, f.created_at, NULL, 'refunded', f.amount, coalesce(q.registration_id, b.registration_id), f.number,
    b.kind
  FROM refunds f JOIN approval_requests q ON q.id = f.approval_request_id JOIN payments y ON y.id = f.payment_id
  LEFT JOIN bills b ON b.id = coalesce(q.bill_id, y.bill_id)
)`

type MovementKind = 'billed' | 'discount' | 'let_off' | 'received' | 'cancelled' | 'refunded'

const ofMovement = {
  ...ofRegistration,
  order: sql`x.at`,
  search: sql`r.search_text`,
  path: { to: sql<string>`'/pendaftaran/' || r.id || '/pembayaran'`, access: 'pembayaran-mahasiswa-view' },
  groups: {
    ...ofRegistration.groups,
    ...timeGroups,
    billKind: { key: sql`x.bill_kind`, label: sql`NULL::text`, words: 'billKind' },
    movementKind: { key: sql`x.kind`, label: sql`NULL::text`, words: 'movementKind' },
  },
  columns: {
    ...ofRegistration.columns,
    billNumber: { value: sql`x.number`, kind: 'text' },
    billKind: { value: sql`x.bill_kind`, kind: 'text', words: 'billKind' },
    movementKind: { value: sql`x.kind`, kind: 'text', words: 'movementKind' },
    bookedAt: { value: sql`x.at`, kind: 'dateTime' },
    amount: { value: sql`x.amount`, kind: 'money' },
  },
} satisfies Omit<Facts, 'from' | 'id'>

/** Stored movements `x` of registrations `r`; the wave is compared so that PostgreSQL reads those of a year by index. */
const storedMovements = sql`money_facts x JOIN registration_facts r ON r.id = x.registration_id AND r.wave_id = x.wave_id
  ${joinsOfRegistration}`

const moneyFacts: Facts = {
  ...ofMovement,
  from: sql`${movements} x JOIN registrations r ON r.id = x.registration_id ${joinsOfRegistration}`,
  storedIsDivided: true,
  stored: storedMovements,
  id: sql`x.kind, x.id`,
}

const ofSchool = sql`LEFT JOIN schools s ON s.id = a.school_id ${agreements}`

const schoolMoneyFacts: Facts = {
  ...moneyFacts,
  from: sql`${moneyFacts.from} JOIN applicants a ON a.id = r.applicant_id ${ofSchool}`,
  stored: sql`${storedMovements} ${storedProfile} ${ofSchool}`,
  groups: {
    ...ofMovement.groups,
    ...schoolGroups,
  },
}

/**
 * The same movements by fee component, in whole rupiah. A bill's components are stacked in the order in which they are
 * paid, less their own discounts. Money fills the stack from below, what is taken back at the same moment comes after it;
 * other reductions and the rest of a cancelled bill take from above. Only bills of the chosen year are computed.
 */
const componentMovements = sql`LATERAL (
  WITH bills AS (
    SELECT b.id, b.registration_id, b.number, b.kind, b.issued_at, b.closed_at, b.status, b.total, b.paid
    FROM bills b JOIN registrations r ON r.id = b.registration_id JOIN waves w ON w.id = r.wave_id
    WHERE moment.year IS NULL OR w.academic_year = moment.year
  ), own AS (
    SELECT l.bill_id, l.fee_component_id, min(l.sort_order) AS position, sum(l.amount)::bigint AS net
    FROM bill_lines l JOIN bills b ON b.id = l.bill_id WHERE NOT l.added_later AND (l.amount > 0 OR l.fee_component_id IS NOT NULL)
    GROUP BY l.bill_id, l.fee_component_id
  ), stack AS (
    SELECT o.bill_id, o.fee_component_id, sum(o.net) OVER s - o.net AS bottom, sum(o.net) OVER s AS top,
      sum(o.net) OVER (PARTITION BY o.bill_id) AS height
    FROM own o LEFT JOIN fee_components k ON k.id = o.fee_component_id
    WINDOW s AS (PARTITION BY o.bill_id ORDER BY coalesce(k.allocation_priority, 100), o.position, o.fee_component_id)
  ), filled AS (
    SELECT al.id::text AS id, al.bill_id, al.created_at AS at, 'received' AS kind, al.amount AS moved,
      sum(al.amount) OVER (PARTITION BY al.bill_id ORDER BY al.created_at, al.amount < 0, al.amount, al.id) AS upto,
      false AS from_above
    FROM allocations al JOIN bills b ON b.id = al.bill_id
    UNION ALL
    SELECT l.id::text, l.bill_id, coalesce(l.added_at, b.issued_at), CASE WHEN l.added_later THEN 'let_off' ELSE 'discount' END,
      -l.amount, sum(-l.amount) OVER (PARTITION BY l.bill_id ORDER BY l.added_at NULLS FIRST, l.sort_order, l.amount, l.id), true
    FROM bill_lines l JOIN bills b ON b.id = l.bill_id
    WHERE l.amount < 0 AND (l.added_later OR l.fee_component_id IS NULL)
    UNION ALL
    SELECT b.id || '-rest', b.id, coalesce(b.closed_at, b.issued_at), 'cancelled', b.total - b.paid, b.total, false
    FROM bills b WHERE b.status = 'cancelled'
  ), spans AS (
    SELECT m.*, least(m.upto, m.upto - m.moved) AS low, greatest(m.upto, m.upto - m.moved) AS high FROM filled m
  )
  SELECT l.id::text AS id, l.bill_id, b.issued_at AS at, l.fee_component_id,
    CASE WHEN l.amount > 0 THEN 'billed' ELSE 'discount' END AS kind, abs(l.amount)::bigint AS amount, b.registration_id,
    b.number, b.kind AS bill_kind
  FROM bill_lines l JOIN bills b ON b.id = l.bill_id
  WHERE NOT l.added_later AND (l.amount > 0 OR l.fee_component_id IS NOT NULL)
  UNION ALL
  SELECT n.id, n.bill_id, n.at, n.fee_component_id, n.kind, n.amount, b.registration_id, b.number, b.kind
  FROM (
    SELECT m.id, m.bill_id, m.at, k.fee_component_id, m.kind, sign(m.moved)::bigint * greatest(0,
      least(CASE WHEN m.from_above THEN k.height - m.low ELSE m.high END, k.top)
        - greatest(CASE WHEN m.from_above THEN k.height - m.high ELSE m.low END, k.bottom))::bigint AS amount
    FROM spans m JOIN stack k ON k.bill_id = m.bill_id
  ) n JOIN bills b ON b.id = n.bill_id WHERE n.amount <> 0
)`

/** The registration fee has no components, so its bill kind is the name. */
const componentName = sql<string | null>`coalesce(fc.name, x.bill_kind)`

const namedComponent = sql`LEFT JOIN fee_components fc ON fc.id = x.fee_component_id`

const componentFacts: Facts = {
  ...ofMovement,
  from: sql`${componentMovements} x JOIN registrations r ON r.id = x.registration_id ${joinsOfRegistration}
    ${namedComponent}`,
  storedByComponent: true,
  stored: sql`(SELECT * FROM money_facts WHERE NOT beyond) x
    JOIN registration_facts r ON r.id = x.registration_id AND r.wave_id = x.wave_id ${joinsOfRegistration} ${namedComponent}`,
  id: sql`x.kind, x.id, x.fee_component_id`,
  groups: {
    ...ofMovement.groups,
    component: { key: sql`coalesce(fc.id::text, x.bill_kind)`, label: componentName, words: 'billKind' },
  },
  columns: { ...ofMovement.columns, component: { value: componentName, kind: 'text', words: 'billKind' } },
}

const sumOf = (facts: Facts, where: Sql<boolean>, sum: Sql = sql`x.amount`): Measure => ({
  facts,
  at: sql`x.at`,
  where,
  sum,
  kind: 'money',
})

const moved = (facts: Facts) => (kind: MovementKind) => sumOf(facts, sql<boolean>`x.kind = ${kind}`)
const restOf = (facts: Facts) =>
  sumOf(facts, sql<boolean>`x.kind <> 'refunded'`, sql`CASE x.kind WHEN 'billed' THEN x.amount ELSE -x.amount END`)

/** Rupiah of one kind of movement. */
export const movement = moved(moneyFacts)
/** Rupiah charged and neither paid, reduced nor cancelled. */
export const outstanding = restOf(moneyFacts)

/** The same by fee component. */
export const componentMovement = moved(componentFacts)
export const componentOutstanding = restOf(componentFacts)

/** The same by school. */
export const schoolMovement = moved(schoolMoneyFacts)
