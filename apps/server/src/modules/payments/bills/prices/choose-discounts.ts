import { percentOf } from '#domain/rounding.ts'

export type DiscountRule = {
  id: string
  /** `value` is a percentage with up to two decimals, or whole rupiah. */
  kind: 'percent' | 'fixed'
  value: number
  /** Component it reduces; null: the sum of all components. */
  feeComponentId: string | null
  stackable: boolean
  /** Most rupiah it subtracts; null: no limit. */
  most?: number | null
}
export type Discountable = { feeComponentId: string | null; amount: number }
export type GivenDiscount = { discountId: string; feeComponentId: string | null; amount: number }

/**
 * Chooses the discounts on these lines, in whole rupiah: one exclusive discount or all stackable ones, whichever is
 * worth more; the fewer if equal. Percentages apply to the full price, before fixed amounts; no component and no bill
 * falls below zero. Discounts of zero are left out.
 */
export function chooseDiscounts(lines: readonly Discountable[], rules: readonly DiscountRule[]): GivenDiscount[] {
  const together = rules.filter(({ stackable }) => stackable)
  const choices = [...rules.filter(({ stackable }) => !stackable).map((rule) => [rule]), together]
  const worth = (discounts: readonly GivenDiscount[]) => discounts.reduce((sum, { amount }) => sum + amount, 0)
  return choices
    .map((choice) => takeOff(lines, choice))
    .reduce((best, next) => {
      const more = worth(next) - worth(best)
      return more > 0 || (more === 0 && next.length < best.length) ? next : best
    }, [] as GivenDiscount[])
}

function takeOff(lines: readonly Discountable[], rules: readonly DiscountRule[]): GivenDiscount[] {
  const priced = lines.filter(({ amount }) => amount > 0)
  const full = (rule: DiscountRule) =>
    priced
      .filter(({ feeComponentId }) => rule.feeComponentId === null || feeComponentId === rule.feeComponentId)
      .reduce((sum, { amount }) => sum + amount, 0)
  const offComponent = new Map<string, number>()
  let left = priced.reduce((sum, { amount }) => sum + amount, 0)
  const discounts: GivenDiscount[] = []
  const ordered = rules.toSorted(
    (a, b) =>
      Number(a.kind === 'fixed') - Number(b.kind === 'fixed') ||
      Number(a.feeComponentId === null) - Number(b.feeComponentId === null) ||
      (a.id < b.id ? -1 : 1),
  )
  for (const rule of ordered) {
    const base = full(rule)
    const fullAmount = rule.kind === 'percent' ? percentOf(base, rule.value) : rule.value
    const off = rule.feeComponentId === null ? 0 : (offComponent.get(rule.feeComponentId) ?? 0)
    const amount = Math.min(fullAmount, rule.most ?? Infinity, base - off, left)
    if (amount <= 0) continue
    if (rule.feeComponentId !== null) offComponent.set(rule.feeComponentId, off + amount)
    left -= amount
    discounts.push({ discountId: rule.id, feeComponentId: rule.feeComponentId, amount })
  }
  return discounts
}

/**
 * Lines for a replacement bill: reductions other than discounts, such as a waiver, are kept up to the new total, so no
 * bill falls below zero.
 */
export function fitReductions<L extends { amount: number; discount?: unknown }>(lines: readonly L[]): L[] {
  const reduces = (line: L) => line.amount < 0 && !line.discount
  let left = lines.reduce((sum, line) => sum + (reduces(line) ? 0 : line.amount), 0)
  return lines.flatMap((line) => {
    if (!reduces(line)) return [line]
    const off = Math.min(-line.amount, Math.max(left, 0))
    left -= off
    return off > 0 ? [{ ...line, amount: -off }] : []
  })
}
