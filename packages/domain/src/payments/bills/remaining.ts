type Part = { id: string; amount: number; paid: number }

/** What is left to pay on a number now: its instalment's rest, never more than the bill's. */
export function remainingOn(
  account: { installmentId: string | null },
  bill: { total: number; paid: number },
  parts: readonly Part[],
): number {
  const rest = bill.total - bill.paid
  const part = parts.find((row) => row.id === account.installmentId)
  return part ? Math.min(part.amount - part.paid, rest) : rest
}
