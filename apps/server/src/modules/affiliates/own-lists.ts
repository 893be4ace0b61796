import { sql } from 'kysely'
import type { referredStages } from '#domain/affiliates/affiliates.ts'
import { listOwnCommission, listReferred } from '#domain/affiliates/lists.ts'
import { serveList } from '#server/list/serve-list.ts'
import { maskName } from '#server/platform/access/masks.ts'
import type { App } from '#server/platform/http/serve.ts'
import type { Services } from '#server/platform/services.ts'
import { isHeld } from './commission-lists.ts'
import { findOwnAffiliate } from './own-affiliate.ts'

/** An id without an affiliate, which makes the lists of other accounts empty. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** Registrations with the code of an affiliate, or with one of the affiliate's vouchers. */
export const referredBy = (affiliateId: string) => sql`
  SELECT n.registration_id FROM referrals n WHERE n.affiliate_id = ${affiliateId}
  UNION SELECT r.id FROM registrations r JOIN affiliates f ON lower(r.referral_code) = lower(f.code)
    WHERE f.id = ${affiliateId} AND NOT EXISTS (SELECT FROM referrals n WHERE n.registration_id = r.id)
  UNION SELECT u.registration_id FROM discount_uses u JOIN vouchers v ON v.id = u.voucher_id
    WHERE v.affiliate_id = ${affiliateId} AND u.released_at IS NULL
      AND NOT EXISTS (SELECT FROM referrals n WHERE n.registration_id = u.registration_id)`

/** Stage of a registration as its affiliate sees it; never reveals a decision. */
const stage = sql<
  (typeof referredStages)[number]
>`CASE WHEN r.status IN ('withdrawn', 'cancelled', 'expired') THEN 'closed'
  WHEN r.enrolled_at IS NOT NULL THEN 'enrolled' WHEN r.paid_at IS NOT NULL THEN 'paid'
  WHEN r.submitted_at IS NOT NULL THEN 'submitted' ELSE 'started' END`

/** People referred by the reader's own affiliate; that link replaces the row scope. */
export const serveReferred = (app: App, services: Services) =>
  serveList(app, services, listReferred, {
    from: () => services.db.selectFrom('registrations as r').innerJoin('applicants as a', 'a.id', 'r.applicantId'),
    scope: async ({ actor }) =>
      sql<boolean>`r.id IN (${referredBy((await findOwnAffiliate(services.db, actor)) ?? nobody)})`,
    filters: {},
    columns: (rows) =>
      rows
        .select(['r.id', 'a.fullName as name', 'r.createdAt as startedAt', stage.as('stage')])
        .select(
          sql<number>`(SELECT coalesce(sum(e.amount), 0)::bigint FROM commission_entries e
          WHERE e.registration_id = r.id)`.as('commission'),
        )
        .select(
          sql<boolean>`EXISTS (SELECT FROM commission_holds h WHERE h.registration_id = r.id AND h.decision IS NULL)`.as(
            'held',
          ),
        ),
    toRows: (found) => found.map((row) => ({ ...row, name: maskName(row.name) })),
    sorts: { startedAt: { by: sql`r.created_at`, type: 'timestamptz' } },
    id: sql`r.id`,
  })

export const serveOwnCommission = (app: App, services: Services) =>
  serveList(app, services, listOwnCommission, {
    from: () =>
      services.db
        .selectFrom('commissionEntries as e')
        .leftJoin('registrations as r', 'r.id', 'e.registrationId')
        .leftJoin('applicants as a', 'a.id', 'r.applicantId'),
    scope: async ({ actor }) => {
      const own = (await findOwnAffiliate(services.db, actor)) ?? nobody
      return (eb) => eb('e.affiliateId', '=', own)
    },
    filters: {},
    columns: (rows) =>
      rows.select([
        'e.id',
        'e.createdAt',
        'a.fullName as person',
        'e.stage',
        'e.kind',
        'e.cause',
        'e.amount',
        isHeld.as('held'),
      ]),
    toRows: (found) => found.map((row) => ({ ...row, person: row.person && maskName(row.person) })),
    sorts: { createdAt: { by: sql`e.created_at`, type: 'timestamptz' } },
    id: sql`e.id`,
    sums: { amount: sql`e.amount` },
  })
