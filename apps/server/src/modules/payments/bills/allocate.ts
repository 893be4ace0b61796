export type AllocationTarget = { id: string; remaining: number; priority?: number; dueAt?: Date | string | null }
export type AllocationPart = { id: string; amount: number }

const when = (dueAt: AllocationTarget['dueAt']) => (dueAt ? new Date(dueAt).getTime() : Number.POSITIVE_INFINITY)

/**
 * Allocates money to targets: lowest priority number first, then earliest due date, then the given order. The parts and
 * `left` (what fits no target) add up to the amount.
 */
export function allocate(
  amount: number,
  targets: readonly AllocationTarget[],
): { parts: AllocationPart[]; left: number } {
  const ordered = targets
    .map((target, index) => ({ target, index }))
    .sort(
      (a, b) =>
        (a.target.priority ?? 100) - (b.target.priority ?? 100) ||
        compare(when(a.target.dueAt), when(b.target.dueAt)) ||
        a.index - b.index,
    )
  const parts: AllocationPart[] = []
  let left = amount
  for (const { target } of ordered) {
    const part = Math.min(left, Math.max(target.remaining, 0))
    if (part <= 0) continue
    parts.push({ id: target.id, amount: part })
    left -= part
  }
  return { parts, left }
}

const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

export type PricedLine = { id: string; amount: number; componentId: string | null; priority: number }

/** Rupiah paid on each line of a bill. Discounts first reduce their component's lines, then any line. */
export function paidPerLine(paid: number, lines: readonly PricedLine[]): Map<string, number> {
  const owed = lines.filter((line) => line.amount > 0).map((line) => ({ ...line, remaining: line.amount }))
  for (const discount of lines.filter((line) => line.amount < 0)) {
    let off = -discount.amount
    const ownFirst = [
      ...owed.filter((line) => line.componentId === discount.componentId),
      ...owed.filter((line) => line.componentId !== discount.componentId),
    ]
    for (const line of ownFirst) {
      const part = Math.min(off, line.remaining)
      line.remaining -= part
      off -= part
    }
  }
  const { parts } = allocate(paid, owed)
  return new Map(parts.map((part) => [part.id, part.amount]))
}
