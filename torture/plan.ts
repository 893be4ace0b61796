import type { OpenBill } from './bills.ts'
import type { Random } from './random.ts'

/** Money that arrived at the bank: a line of the bank's own books. */
export type Transfer = {
  reference: string
  number: string
  amount: number
  paidAt: Date
}

/** A report sent to the server; `kind` decides the expected answer. */
export type Delivery =
  | { kind: 'genuine'; transfer: Transfer }
  /** A changed amount under the old amount's signature, or no valid signature at all. */
  | { kind: 'forged'; transfer: Transfer; how: 'amount' | 'seal' | 'none' }
  /** The same transaction id with another amount and a valid signature; sent after the first was acknowledged. */
  | { kind: 'contradiction'; transfer: Transfer; amount: number }
  /** A body that is not a report, with a valid signature. */
  | { kind: 'malformed'; body: string }

export type Plan = { books: Transfer[]; deliveries: Delivery[] }

/** Picks how a bill is paid: simultaneous amounts, and later ones. */
function pickHabit({ total, parts }: OpenBill, random: Random): { atOnce: number[]; later: number[] } {
  const part = random.whole(1, 49) * 1_000
  if (parts.length === 0) {
    const half = Math.floor(total / 2)
    return random.pick([
      { atOnce: [total], later: [] },
      { atOnce: [total], later: [] },
      { atOnce: [half, total - half], later: [] },
      { atOnce: [half, total - half], later: [] },
      { atOnce: [total - part], later: [] },
      { atOnce: [total - part], later: [part] },
      { atOnce: [total + part], later: [] },
      { atOnce: [total, total], later: [] },
      { atOnce: [half], later: [total] },
    ])
  }
  const [first = 0, second = 0, third = 0] = parts
  return random.pick([
    { atOnce: [first], later: [] },
    { atOnce: [first, second], later: [] },
    { atOnce: [first, second], later: [third] },
    { atOnce: [first, second, third], later: [] },
    { atOnce: [total], later: [] },
    { atOnce: [total + part], later: [] },
    { atOnce: [first - part], later: [] },
    { atOnce: [first, first], later: [part] },
  ])
}

/**
 * A bank's day: transfers on every bill and on unknown numbers, their reports out of order and repeated, and attacks.
 */
export function planOf(bills: readonly OpenBill[], round: string, reports: number, random: Random): Plan {
  const books: Transfer[] = []
  const groups: Delivery[][] = []
  // The numbers exist by now, and bank clocks may be ahead, but by less than an hour.
  const startMs = Date.now()
  const receive = (number: string, amount: number): Transfer => {
    const transfer = {
      reference: `TRT${round}-${String(books.length + 1).padStart(6, '0')}`,
      number,
      amount,
      paidAt: new Date(startMs + random.whole(0, 1_800_000)),
    }
    books.push(transfer)
    return transfer
  }
  const genuine = (transfer: Transfer): Delivery => ({ kind: 'genuine', transfer })
  for (const bill of bills) {
    const { atOnce, later } = pickHabit(bill, random)
    // One group, so that the reports are in flight at the same moment.
    groups.push(atOnce.map((amount) => genuine(receive(bill.number, amount))))
    for (const amount of later) groups.push([genuine(receive(bill.number, amount))])
  }
  for (let stray = 0; stray < Math.ceil(bills.length / 20); stray++)
    groups.push([genuine(receive(`990018${String(stray).padStart(10, '0')}`, random.whole(1, 500) * 1_000))])

  const remainingReports = () => reports - groups.reduce((sum, group) => sum + group.length, 0)
  const attacks = Math.floor(remainingReports() / 5)
  for (let attack = 0; attack < attacks; attack++) {
    const transfer = random.pick(books)
    const stolen = { ...transfer, reference: `FORGED${round}-${attack}`, amount: transfer.amount + 1_000_000 }
    const draw = random.next()
    groups.push([
      draw < 0.5
        ? { kind: 'forged', transfer: stolen, how: random.pick(['amount', 'seal', 'none']) }
        : draw < 0.8
          ? { kind: 'contradiction', transfer, amount: transfer.amount + random.whole(1, 9) * 1_000 }
          : { kind: 'malformed', body: random.pick(['', '{', 'null', '[]', '{"transactionId":"x"}', '\u0000']) },
    ])
  }
  // The rest are repetitions, some of them several at the same moment.
  while (remainingReports() > 0) {
    const repetition = genuine(random.pick(books))
    groups.push(Array.from({ length: Math.min(remainingReports(), random.pick([1, 1, 1, 2, 5])) }, () => repetition))
  }
  return { books, deliveries: random.shuffle(groups).flat() }
}
