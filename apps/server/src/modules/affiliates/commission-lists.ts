import { type NotNull, sql } from 'kysely'
import {
  type holdStates,
  listApplications,
  listBalances,
  listCommission,
  listHolds,
  listPayouts,
  listRules,
  type ruleStates,
} from '#domain/affiliates/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { contains, type Db } from '#server/platform/database/database.ts'
import { ofWholeView } from '#server/platform/database/shared-rows.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { sentences } from '#server/platform/text.ts'

/** Commission concerns the whole university: a role limited to study programmes gets 403. */
const ofWholeUniversity = ofWholeView('settings_need_whole_view')

const nameOf = (column: string) => sql<string | null>`(SELECT name FROM accounts WHERE id = ${sql.ref(column)})`

/** Whether an entry belongs to a registration held by an alarm. */
export const isHeld = sql<boolean>`EXISTS (SELECT FROM commission_holds h WHERE h.registration_id = e.registration_id
  AND h.affiliate_id = e.affiliate_id AND h.decision IS NULL)`

const entriesOf = (db: Db) =>
  db
    .selectFrom('commissionEntries as e')
    .innerJoin('affiliates as f', 'f.id', 'e.affiliateId')
    .leftJoin('registrations as r', 'r.id', 'e.registrationId')

export const serveCommission = (app: App, services: Services) =>
  serveList(app, services, listCommission, {
    from: () => entriesOf(services.db),
    scope: ofWholeUniversity,
    filters: {
      kind: 'e.kind',
      stage: 'e.stage',
      affiliateId: 'e.affiliateId',
      q: (q) => sql<boolean>`(${contains('f.name', q)} OR starts_with(lower(f.code), lower(${q}))
        OR starts_with(lower(r.code), lower(${q})))`,
    },
    columns: (rows) =>
      rows
        .select(['e.id', 'e.createdAt', 'e.affiliateId', 'f.name as affiliate', 'r.code', 'e.stage', 'e.kind'])
        .select(['e.cause', 'e.amount', 'e.note', isHeld.as('held')]),
    sorts: { createdAt: { by: sql`e.created_at`, type: 'timestamptz' }, amount: { by: sql`e.amount`, type: 'bigint' } },
    id: sql`e.id`,
    sums: { amount: sql`e.amount` },
  })

export const serveBalances = (app: App, services: Services) =>
  serveList(app, services, listBalances, {
    from: () => services.db.selectFrom('affiliates as f').innerJoin('commissionBalances as b', 'b.affiliateId', 'f.id'),
    scope: ofWholeUniversity,
    filters: {
      kind: 'f.kind',
      q: (q) => sql<boolean>`(${contains('f.name', q)} OR starts_with(lower(f.code), lower(${q})))`,
    },
    columns: (rows) =>
      rows
        .select(['f.id', 'f.name as affiliate', 'f.code', 'f.kind', 'b.balance', 'b.held', 'b.frozen'])
        .$narrowType<{ balance: NotNull; held: NotNull; frozen: NotNull }>()
        .select(sql<number>`greatest(b.balance - b.held - b.frozen, 0)`.as('payable'))
        .select(people.as('people'))
        .select(sql<boolean>`f.bank_name IS NOT NULL AND f.bank_account IS NOT NULL`.as('bank')),
    sorts: {
      affiliate: { by: sql`lower(f.name)`, type: 'text' },
      people: { by: people, type: 'integer' },
      balance: { by: sql`b.balance`, type: 'bigint' },
    },
    id: sql`f.id`,
    exact: true,
    sums: { balance: sql`b.balance`, payable: sql`greatest(b.balance - b.held - b.frozen, 0)` },
  })

const people = sql<number>`(SELECT count(*)::int FROM referrals n WHERE n.affiliate_id = f.id)`

export const serveHolds = (app: App, services: Services) =>
  serveList(app, services, listHolds, {
    from: () =>
      services.db
        .selectFrom('commissionHolds as h')
        .innerJoin('affiliates as f', 'f.id', 'h.affiliateId')
        .innerJoin('registrations as r', 'r.id', 'h.registrationId'),
    scope: ofWholeUniversity,
    filters: {
      state: (state) => sql<boolean>`coalesce(h.decision, 'open') = ${state}`,
      reason: 'h.reason',
      q: (q) => sql<boolean>`(${contains('f.name', q)} OR starts_with(lower(r.code), lower(${q})))`,
    },
    columns: (rows) =>
      rows
        .select(['h.id', 'h.createdAt', 'f.name as affiliate', 'h.registrationId', 'r.code', 'h.reason', 'h.note'])
        .select([
          sql<(typeof holdStates)[number]>`coalesce(h.decision, 'open')`.as('state'),
          nameOf('h.decided_by').as('decidedBy'),
        ])
        .select(
          sql<number>`(SELECT coalesce(sum(e.amount), 0)::bigint FROM commission_entries e
          WHERE e.registration_id = h.registration_id AND e.affiliate_id = h.affiliate_id)`.as('amount'),
        ),
    sorts: { createdAt: { by: sql`h.created_at`, type: 'timestamptz' } },
    id: sql`h.id`,
  })

const ruleState = sql<
  (typeof ruleStates)[number]
>`CASE WHEN c.refused_at IS NOT NULL THEN 'refused' WHEN c.approved_at IS NULL THEN 'pending'
  WHEN EXISTS (SELECT FROM commission_rules n WHERE n.stage = c.stage AND n.version > c.version AND n.approved_at IS NOT NULL
    AND (n.affiliate_id = c.affiliate_id OR n.kind = c.kind)) THEN 'replaced' ELSE 'in_force' END`

export const serveRules = (app: App, services: Services) =>
  serveList(app, services, listRules, {
    from: () => services.db.selectFrom('commissionRules as c').leftJoin('affiliates as f', 'f.id', 'c.affiliateId'),
    scope: ofWholeUniversity,
    filters: {
      state: (state) => sql<boolean>`${ruleState} = ${state}`,
      stage: 'c.stage',
      q: (q) => sql<boolean>`(${contains('f.name', q)} OR ${contains('c.reason', q)})`,
    },
    columns: (rows, { actor }) =>
      rows
        .select(['c.id', 'c.createdAt', 'f.name as whose', 'c.kind', 'c.stage', 'c.version', 'c.amount', 'c.onClose'])
        .select([sql<number | null>`c.share_bps::float / 10000`.as('percent'), 'c.reason', ruleState.as('state')])
        .select([nameOf('c.created_by').as('createdBy'), nameOf('c.approved_by').as('approvedBy')])
        .select(sql<boolean>`c.created_by IS NOT DISTINCT FROM ${actor.accountId}::uuid`.as('own')),
    toRows: (found, { language }) => {
      const say = sentences(language)
      const everyOf = (kind: string) => `${say(`affiliates:kind.${kind}`)}: ${say('affiliates:everyOfKind')}`
      return found.map(({ whose, ...row }) => ({ ...row, whose: whose ?? everyOf(row.kind!) }))
    },
    sorts: { createdAt: { by: sql`c.created_at`, type: 'timestamptz' } },
    id: sql`c.id`,
  })

export const servePayouts = (app: App, services: Services) =>
  serveList(app, services, listPayouts, {
    from: () => services.db.selectFrom('payoutRuns as p'),
    scope: ofWholeUniversity,
    filters: {
      status: 'p.status',
      q: (q) => contains('p.number', q),
    },
    columns: (rows) =>
      rows
        .select(['p.id', 'p.number', 'p.status', 'p.createdAt', 'p.paidAt'])
        .select([nameOf('p.created_by').as('createdBy'), nameOf('p.approved_by').as('approvedBy')])
        .$narrowType<{ createdBy: NotNull }>()
        .select(sql<number>`(SELECT count(*)::int FROM payout_lines l WHERE l.run_id = p.id)`.as('people'))
        .select(
          sql<number>`(SELECT coalesce(sum(l.amount), 0)::bigint FROM payout_lines l WHERE l.run_id = p.id)`.as(
            'amount',
          ),
        )
        .select(
          sql<number>`(SELECT coalesce(sum(l.tax), 0)::bigint FROM payout_lines l WHERE l.run_id = p.id)`.as('tax'),
        ),
    sorts: { createdAt: { by: sql`p.created_at`, type: 'timestamptz' }, number: { by: sql`p.number`, type: 'text' } },
    id: sql`p.id`,
  })

export const serveApplications = (app: App, services: Services) =>
  serveList(app, services, listApplications, {
    from: () => services.db.selectFrom('affiliateApplications as a').innerJoin('accounts as c', 'c.id', 'a.accountId'),
    scope: ofWholeUniversity,
    filters: {
      status: 'a.status',
      q: (q) => contains('a.name', q),
    },
    columns: (rows, { actor }) =>
      rows
        .select([
          'a.id',
          'a.createdAt',
          'a.name',
          'c.email',
          'a.kind',
          'a.phone',
          'a.reason',
          'a.biography',
          'a.status',
        ])
        .select([nameOf('a.decided_by').as('decidedBy'), 'a.note'])
        .select(sql<boolean>`a.account_id = ${actor.accountId}`.as('own')),
    sorts: { createdAt: { by: sql`a.created_at`, type: 'timestamptz' } },
    id: sql`a.id`,
  })
