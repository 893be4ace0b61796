import { sql } from 'kysely'
import type { Facts, Measure } from '#server/modules/reports/report.ts'
import { seesAll } from '#server/platform/access/row-scope.ts'
import { joinedRegistrationFacts, reached } from './registration-facts.ts'

/** One row per registration and voucher used, or per registration with an affiliate's code and no voucher. */
const referralFacts: Facts = {
  ...joinedRegistrationFacts,
  from: sql`${joinedRegistrationFacts.from}
    LEFT JOIN discount_uses du ON du.registration_id = r.id AND du.voucher_id IS NOT NULL
    LEFT JOIN vouchers v ON v.id = du.voucher_id
    LEFT JOIN affiliates coded ON lower(coded.code) = lower(r.referral_code)
    LEFT JOIN affiliates af ON af.id = coalesce(v.affiliate_id, coded.id)`,
  scope: (actor) => sql<boolean>`(${joinedRegistrationFacts.scope(actor)} AND (v.id IS NOT NULL OR af.id IS NOT NULL))`,
  filters: { ...joinedRegistrationFacts.filters, affiliateId: sql`af.id` },
  groups: {
    ...joinedRegistrationFacts.groups,
    affiliate: { key: sql`af.id`, label: sql`af.name` },
    voucher: { key: sql`v.id`, label: sql`v.code` },
  },
  id: sql`r.id, du.id`,
  columns: {
    ...joinedRegistrationFacts.columns,
    affiliate: { value: sql`af.name`, kind: 'text' },
    voucher: { value: sql`v.code`, kind: 'text' },
    usedAt: { value: sql`du.taken_at`, kind: 'dateTime' },
    discount: { value: sql`CASE WHEN du.released_at IS NULL THEN du.amount END`, kind: 'money' },
  },
}

/** Referred registrations that had taken a step by the moment. */
export const referred = (step: Parameters<typeof reached>[0]) => reached(step, referralFacts)

const use = {
  facts: referralFacts,
  at: sql`du.taken_at`,
  where: sql<boolean>`(du.released_at IS NULL OR du.released_at > moment.at)`,
}

/** Voucher uses not released by the moment. */
export const voucherUses: Measure = use

/** Rupiah of discount by vouchers. */
export const voucherDiscount: Measure = { ...use, sum: sql`du.amount`, kind: 'money' }

/** One row per commission entry of a registration. */
const commissionFacts: Facts = {
  ...joinedRegistrationFacts,
  from: sql`${joinedRegistrationFacts.from} JOIN commission_entries e ON e.registration_id = r.id
    JOIN affiliates af ON af.id = e.affiliate_id`,
  filters: { ...joinedRegistrationFacts.filters, affiliateId: sql`af.id` },
  groups: { ...joinedRegistrationFacts.groups, affiliate: { key: sql`af.id`, label: sql`af.name` } },
  id: sql`r.id, e.id`,
  columns: {
    ...joinedRegistrationFacts.columns,
    affiliate: { value: sql`af.name`, kind: 'text' },
    usedAt: { value: sql`e.created_at`, kind: 'dateTime' },
    commission: { value: sql`e.amount`, kind: 'money' },
  },
}

/** Rupiah earned by the moment, less claw-backs. */
export const commissionEarned: Measure = {
  facts: commissionFacts,
  at: sql`e.created_at`,
  sum: sql`e.amount`,
  kind: 'money',
}

/** Visits and payouts belong to no study programme, so only readers of the whole university count them. */
const whole: Facts['scope'] = (actor) => (seesAll(actor) ? sql<boolean>`true` : sql<boolean>`false`)
const ofAffiliate = {
  scope: whole,
  filters: { affiliateId: sql`af.id` },
  groups: { affiliate: { key: sql`af.id`, label: sql<string>`af.name` } },
  order: sql`af.name`,
} as const

/** One row per device and day with a visit by an affiliate's link or voucher. */
export const visits: Measure = {
  facts: {
    ...ofAffiliate,
    from: sql`affiliate_touches x JOIN affiliates af ON af.id = x.affiliate_id`,
    id: sql`x.id`,
    columns: { affiliate: { value: sql`af.name`, kind: 'text' }, usedAt: { value: sql`x.at`, kind: 'dateTime' } },
  },
  at: sql`x.at`,
}

/** One row per commission entry of a payout, with its payout. */
const payoutFacts: Facts = {
  ...ofAffiliate,
  from: sql`commission_entries x JOIN affiliates af ON af.id = x.affiliate_id AND x.cause = 'payout'
    JOIN payout_lines pl ON pl.id::text = x.cause_id JOIN payout_runs pr ON pr.id = pl.run_id`,
  id: sql`x.id`,
  columns: {
    affiliate: { value: sql`af.name`, kind: 'text' },
    usedAt: { value: sql`x.created_at`, kind: 'dateTime' },
    commission: { value: sql`-x.amount`, kind: 'money' },
  },
}
const ofPayout = { facts: payoutFacts, sum: sql`-x.amount`, kind: 'money' } as const

/** Rupiah of approved payouts including tax, less transfers that the bank returned. */
export const commissionApproved: Measure = { ...ofPayout, at: sql`x.created_at` }

/** Rupiah of approved payouts that the bank has transferred. */
export const commissionPaid: Measure = {
  ...ofPayout,
  at: sql`greatest(x.created_at, pr.paid_at)`,
  where: sql<boolean>`pr.paid_at IS NOT NULL`,
}
