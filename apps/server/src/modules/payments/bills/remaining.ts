type Part = { id: string; amount: number; paid: number }

/** Rupiah left to pay on a number: the rest of its instalment, at most the rest of the bill. */
export function remainingOn(
  account: { installmentId: string | null },
  bill: { total: number; paid: number },
  parts: readonly Part[],
): number {
  const rest = bill.total - bill.paid
  const part = parts.find((row) => row.id === account.installmentId)
  return part ? Math.min(part.amount - part.paid, rest) : rest
}
