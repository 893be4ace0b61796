import { sql } from 'kysely'
import { type CommissionStage, commissionStages } from '#domain/affiliates/commission.ts'
import { theOnly } from '#domain/must.ts'
import type { BillKind } from '#domain/payments/bills/bill-status.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Referral } from './attribute.ts'
import { type Cause, type CommissionFacts, type Entry, type Rule, ruleAt } from './commission.ts'

/** Bill that a step earns from. */
const billOf: Record<CommissionStage, BillKind> = {
  submitted: 'registration_fee',
  paid: 'registration_fee',
  enrolled: 're_registration',
}

type StoredRule = Rule & { own: boolean; approvedAt: Date; version: number }

/** Commission entries of a registration, in the order they were written. */
export async function readEntries(db: Db, registrationId: string): Promise<Entry[]> {
  const rows = await db
    .selectFrom('commissionEntries')
    .select(['id', 'stage', 'kind', 'amount', 'ruleId', 'base', 'cause', 'causeId'])
    .where('registrationId', '=', registrationId)
    .orderBy('seq')
    .execute()
  return rows as Entry[]
}

/** Everything that decides the commission of a registration, in its current state. */
export async function readFacts(
  db: Db,
  registrationId: string,
  { affiliateId, kind }: Referral,
  entries: readonly Entry[],
): Promise<CommissionFacts> {
  const { rows: steps } = await sql<{ id: string; step: string; at: Date; undoneAt: Date | null }>`
    SELECT id::text, step, at, undone_at FROM registration_steps WHERE registration_id = ${registrationId}
      AND step IN ('submitted', 'paid', 'enrolled', 'withdrawn', 'cancelled', 'expired') ORDER BY id`.execute(db)
  const standing = (...names: string[]) => steps.find(({ step, undoneAt }) => names.includes(step) && undoneAt === null)
  const rules = await readRules(db, affiliateId, kind)
  const stages = []
  for (const stage of commissionStages) {
    const step = standing(stage)
    const earned = step && entries.find((entry) => entry.kind === 'earned' && entry.causeId === step.id)
    const ofStage = rules.filter((rule) => rule.stage === stage)
    // A kind given to the affiliate later does not change what was earned.
    const rule = earned ? rules.find(({ id }) => id === earned.ruleId) : step && ruleAt(ofStage, step.at)
    const money = step ? await readMoney(db, registrationId, stage, step.at) : { paid: 0, money: 0 }
    stages.push({ stage, stepId: step?.id ?? null, rule: rule ?? null, ...money })
  }
  const closing = standing('withdrawn', 'cancelled', 'expired')
  const { refused, losses } = await readLosses(db, registrationId)
  const takenBack = steps.flatMap(({ id, undoneAt }) =>
    undoneAt ? [{ cause: 'step', causeId: id, at: undoneAt }] : [],
  )
  const all = [...losses, ...takenBack, ...(closing ? [{ cause: 'step', causeId: closing.id, at: closing.at }] : [])]
  const newest = all.sort((one, other) => other.at.getTime() - one.at.getTime())[0]
  return {
    stages,
    closed: closing !== undefined,
    refused,
    loss: newest ? ({ cause: newest.cause, causeId: newest.causeId } as Cause) : null,
  }
}

async function readRules(db: Db, affiliateId: string, kind: string): Promise<StoredRule[]> {
  const { rows } = await sql<StoredRule>`
    SELECT id, stage, amount, share_bps, on_close, version, approved_at, affiliate_id IS NOT NULL AS own
    FROM commission_rules WHERE approved_at IS NOT NULL
      AND (affiliate_id = ${affiliateId} OR kind = ${kind}
        OR id IN (SELECT rule_id FROM commission_entries WHERE affiliate_id = ${affiliateId}))`.execute(db)
  return rows
}

/** Whole rupiah paid by the time of a step, and the part that is still on bills or waits. */
async function readMoney(db: Db, registrationId: string, stage: CommissionStage, at: Date) {
  const { rows } = await sql<{ paid: number; money: number }>`
    SELECT coalesce(sum(least(p.amount, g.gross)), 0)::bigint AS paid,
      coalesce(sum(least(p.amount, g.gross, g.net + CASE WHEN p.status = 'reversed' THEN 0 ELSE p.waiting_amount END)), 0)::bigint AS money
    FROM (
      SELECT a.payment_id, sum(a.amount) FILTER (WHERE a.amount > 0 AND a.created_at <= ${at}) AS gross, sum(a.amount) AS net
      FROM allocations a JOIN bills b ON b.id = a.bill_id
      WHERE b.registration_id = ${registrationId} AND b.kind = ${billOf[stage]} GROUP BY 1
    ) g JOIN payments p ON p.id = g.payment_id WHERE g.gross > 0`.execute(db)
  return theOnly(rows)
}

/** Refunds and reversals of money that paid this registration, and staff decisions about alarms. */
async function readLosses(db: Db, registrationId: string) {
  const { rows } = await sql<{ cause: string; causeId: string; at: Date }>`
    WITH paying AS (SELECT DISTINCT a.payment_id FROM allocations a JOIN bills b ON b.id = a.bill_id
      WHERE b.registration_id = ${registrationId})
    SELECT 'refund' AS cause, f.id::text AS cause_id, f.created_at AS at FROM refunds f WHERE f.payment_id IN (SELECT * FROM paying)
    UNION ALL SELECT 'payment', p.id::text, p.reversed_at FROM payments p
      WHERE p.id IN (SELECT * FROM paying) AND p.reversed_at IS NOT NULL
    UNION ALL SELECT 'hold', h.id::text, h.decided_at FROM commission_holds h
      WHERE h.registration_id = ${registrationId} AND h.decision = 'take_back'`.execute(db)
  return { losses: rows, refused: rows.some(({ cause }) => cause === 'hold') }
}
