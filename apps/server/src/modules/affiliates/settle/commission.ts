import type { ClosingRule, CommissionStage, entryCauses, entryKinds } from '#domain/affiliates/commission.ts'
import { shareOf, wholeInBasisPoints } from '#domain/rounding.ts'

export type EntryKind = (typeof entryKinds)[number]

export type EntryCause = (typeof entryCauses)[number]

export type Cause = { cause: EntryCause; causeId: string }

export type Rule = {
  id: string
  stage: CommissionStage
  /** Whole rupiah. */
  amount: number | null
  /** Hundredths of a percent of the money paid by then. */
  shareBps: number | null
  onClose: ClosingRule
}

export type Entry = Cause & {
  id: string
  stage: CommissionStage
  kind: EntryKind
  /** Whole rupiah; negative if taken back. */
  amount: number
  ruleId: string | null
  base: number | null
}

export type NewEntry = Cause & {
  stage: CommissionStage
  kind: Exclude<EntryKind, 'paid'>
  amount: number
  ruleId: string | null
  base: number | null
}

/** Current facts of one step of a registration. */
export type StageFacts = {
  stage: CommissionStage
  /** Id of the step; null if it has not been taken or was taken back. */
  stepId: string | null
  /** Rule in force when the step was taken. */
  rule: Rule | null
  /** Rupiah the person had paid for the step when it was taken. */
  paid: number
  /** Part of `paid` that the university still has. */
  money: number
}

export type CommissionFacts = {
  stages: readonly StageFacts[]
  /** Whether the registration is withdrawn, cancelled or expired. */
  closed: boolean
  /** Whether staff refused the commission after an alarm. */
  refused: boolean
  /** Newest event that reduced the commission: a closing, refund, reversal or decision. */
  loss: Cause | null
}

/** Rupiah a step earns if the person paid `base` for it. */
export function earnedBy(rule: Rule, base: number): number {
  if (rule.amount !== null) return rule.amount
  return rule.shareBps === null ? 0 : shareOf(base, rule.shareBps, wholeInBasisPoints)
}

/** Part of an earned amount that remains if `money` of `base` is still there; half a rupiah is rounded up. */
export const keptOf = (earned: number, money: number, base: number): number =>
  base === 0 ? earned : shareOf(earned, Math.min(Math.max(money, 0), base), base)

/**
 * Entries missing for the commission of a registration: they bring the sum of a step's entries to what the rules give
 * for the current facts, without changing existing entries. Once they are written, another call returns none.
 */
export function missingEntries(facts: CommissionFacts, entries: readonly Entry[]): NewEntry[] {
  return facts.stages.flatMap((stage) => missingOf(stage, facts, entries))
}

function missingOf(facts: StageFacts, { closed, refused, loss }: CommissionFacts, all: readonly Entry[]): NewEntry[] {
  const { stage, stepId, rule, paid, money } = facts
  const own = all.filter((entry) => entry.stage === stage)
  const sum = own.reduce((total, { amount }) => total + amount, 0)
  const ruleId = rule?.id ?? own.at(-1)?.ruleId ?? null
  const correct = (amount: number): NewEntry[] =>
    amount === 0 ? [] : [{ stage, ruleId, base: null, amount, ...correctionBy(amount, facts, loss, own) }]
  if (stepId === null || !rule || refused || (closed && rule.onClose === 'all')) return correct(-sum)
  const earned = earnedBy(rule, paid)
  const target = keptOf(earned, money, paid)
  if (target === 0 || own.some(({ kind, causeId }) => kind === 'earned' && causeId === stepId))
    return correct(target - sum)
  return [
    { stage, kind: 'earned', amount: earned, ruleId, base: paid, cause: 'step', causeId: stepId },
    ...correct(target - earned - sum),
  ]
}

/** Kind and cause of an entry that corrects a step's sum; a cause takes back once and gives back once. */
function correctionBy(amount: number, { stepId }: StageFacts, loss: Cause | null, own: readonly Entry[]) {
  const kind: 'clawback' | 'adjustment' = amount < 0 ? 'clawback' : 'adjustment'
  const isUsed = ({ cause, causeId }: Cause) =>
    own.some((entry) => entry.kind === kind && entry.cause === cause && entry.causeId === causeId)
  if (loss && !isUsed(loss)) return { kind, ...loss }
  const newest = own.at(-1)
  // No entry has the newest event as its cause yet.
  return newest
    ? { kind, cause: 'entry' as const, causeId: newest.id }
    : { kind, cause: 'step' as const, causeId: stepId! }
}

/** Rule in force at a moment: the affiliate's own before that of its kind, in the newest version approved by then. */
export function ruleAt<R extends { own: boolean; approvedAt: Date; version: number }>(
  rules: readonly R[],
  at: Date,
): R | undefined {
  const inForce = rules.filter(({ approvedAt }) => approvedAt <= at)
  const newestOf = (own: boolean) =>
    inForce.filter((rule) => rule.own === own).sort((one, other) => other.version - one.version)[0]
  return newestOf(true) ?? newestOf(false)
}

export type Balance = {
  /** Sum of all entries. */
  balance: number
  /** Part of the balance held by alarms. */
  held: number
  /** Part of the balance in a payout that awaits approval. */
  frozen: number
}

/** Rupiah the next payout transfers; 0 while the balance is negative, which is carried over. */
export const payableOf = ({ balance, held, frozen }: Balance): number => Math.max(balance - held - frozen, 0)

/** Income tax withheld from a payout, in whole rupiah; rounding never makes it the whole payout. */
export const taxOf = (amount: number, bps: number): number =>
  Math.min(shareOf(amount, bps, wholeInBasisPoints), Math.max(amount - 1, 0))
