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

type Installment<Time> = Part & { position: number; dueAt: Time }

/** Next amount to pay on an owed bill and its deadline: the first unpaid of its `parts` in order, or the whole rest. */
export function nextPayment<Time>(
  bill: { total: number; paid: number; dueAt: Time },
  parts: readonly Installment<Time>[],
): { installmentId: string | null; position: number | null; amount: number; dueAt: Time } {
  const part = parts.find(({ amount, paid }) => paid < amount)
  return part
    ? { installmentId: part.id, position: part.position, amount: part.amount - part.paid, dueAt: part.dueAt }
    : { installmentId: null, position: null, amount: bill.total - bill.paid, dueAt: bill.dueAt }
}
