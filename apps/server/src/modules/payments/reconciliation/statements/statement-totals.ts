import type { StatementMapping } from '#domain/payments/reconciliation/statement-mapping.ts'
import { readAmount, type StatementLine, tidy } from './statement-values.ts'

/** Fields of a line, or of a movement not booked yet, that sums and balances need. */
export type Movement = Pick<StatementLine, 'lineNumber' | 'amountSen' | 'balanceSen' | 'raw'>

type Balanced = Movement & { balanceSen: number }
const isBalanced = (line: Movement): line is Balanced => line.balanceSen !== null

/**
 * Checks the balances of a file without storing its lines. Each must follow from its neighbour's, downwards or upwards,
 * because banks write newest lines first or last.
 */
export function balanceChain() {
  let before: Balanced | undefined
  let first: Balanced | undefined
  let gaps = false
  let downwards: Movement | undefined
  let upwards: Movement | undefined
  return {
    add(line: Movement) {
      if (!isBalanced(line)) {
        gaps = true
        return
      }
      if (before) {
        if (before.balanceSen + line.amountSen !== line.balanceSen) downwards ??= line
        // Upwards, a line's own amount leads from the balance below to its own.
        if (line.balanceSen + before.amountSen !== before.balanceSen) upwards ??= line
      }
      first ??= line
      before = line
    },
    /** The first line where the balances follow in neither direction. */
    broken: () => (!gaps && downwards && upwards ? { line: downwards.lineNumber, value: downwards.raw } : undefined),
    /** Balances before the first and after the last movement, for each valid direction; empty without balances. */
    ends(): { opening: number; closing: number }[] {
      if (gaps || !first || !before) return []
      const [top, bottom] = [first, before]
      return [
        ...(downwards ? [] : [{ opening: top.balanceSen - top.amountSen, closing: bottom.balanceSen }]),
        ...(upwards ? [] : [{ opening: bottom.balanceSen - bottom.amountSen, closing: top.balanceSen }]),
      ]
    },
  }
}

type Kind = 'opening' | 'closing' | 'credits' | 'debits'

const labels: Record<Kind, RegExp> = {
  opening: /^(saldo awal|opening balance|beginning balance|balance b\/?f)\b/i,
  closing: /^(saldo akhir|closing balance|ending balance|balance c\/?f)\b/i,
  credits: /^((mutasi|total|jumlah) (kredit|credit|cr)s?|total (uang )?masuk)\b/i,
  debits: /^((mutasi|total|jumlah) (debet|debit|db)s?|total (uang )?keluar)\b/i,
}
const kinds = Object.keys(labels) as Kind[]

type Named = { line: number; value: string; kind: Kind; sen: number }
/** A row of totals below its columns, with the sums of credits and debits up to that row. */
type Row = {
  line: number
  value: string
  credit: number | null
  debit: number | null
  balance: number | null
  last: number | null
  sofar: Sums
  since: Sums
}
type Sums = { credits: number; debits: number }

/** Collects the totals that a file states and finds those that disagree with its lines. */
export function totalsOf(mapping: StatementMapping) {
  const { amount: how } = mapping
  const named: Named[] = []
  const rows: Row[] = []
  const sofar: Sums = { credits: 0, debits: 0 }
  let since: Sums = { credits: 0, debits: 0 }
  let last: number | null = null
  const amountIn = (text: string | undefined) => {
    const read = readAmount((text ?? '').replace(/^\s*[:=]\s*/, ''), mapping)
    return 'amountSen' in read ? read.amountSen : null
  }

  /** `Saldo Akhir : 1.000.000,00`, in one cell or in the next non-empty one. */
  const words = (line: number, cells: readonly string[]) => {
    let found = false
    for (const [at, cell] of cells.entries()) {
      const text = tidy(cell, 200)
      const kind = kinds.find((one) => labels[one].test(text))
      if (!kind) continue
      found = true
      const own = amountIn(text.replace(labels[kind], ''))
      const next = cells.slice(at + 1).find((one) => !/^\s*[:=]?\s*$/.test(one))
      const sen = own ?? amountIn(next)
      if (sen !== null) named.push({ kind, sen, line, value: cells.join(' ') })
    }
    return found
  }

  return {
    add({ amountSen, balanceSen }: Movement) {
      last = balanceSen
      for (const sums of [sofar, since])
        if (amountSen > 0) sums.credits += amountSen
        else sums.debits -= amountSen
    },
    words,
    /** A row that is no movement: named balances and sums, or a total below each column. */
    row(line: number, cells: readonly string[], raw: string) {
      if (words(line, cells) || !/^(grand )?(total|jumlah)\b/i.test(tidy(cells.find((cell) => cell.trim()) ?? '', 60)))
        return
      const two = how.kind === 'two'
      rows.push({
        ...{ line, value: raw, last, sofar: { ...sofar }, since },
        credit: two ? amountIn(cells[how.credit]) : null,
        debit: two ? amountIn(cells[how.debit]) : null,
        balance: mapping.balance === null ? null : amountIn(cells[mapping.balance]),
      })
      since = { credits: 0, debits: 0 }
    },
    /** The first stated total that disagrees with the lines. */
    wrong(chain: Pick<ReturnType<typeof balanceChain>, 'ends'>) {
      const ends = chain.ends()
      const net = sofar.credits - sofar.debits
      const toldAs = (kind: Kind) => named.flatMap((one) => (one.kind === kind ? one.sen : []))
      const [openings, closings] = [toldAs('opening'), toldAs('closing')]
      const agrees: Record<Kind, (sen: number) => boolean> = {
        credits: (sen) => Math.abs(sen) === sofar.credits,
        debits: (sen) => Math.abs(sen) === sofar.debits,
        opening: (sen) =>
          ends.length > 0
            ? ends.some(({ opening }) => opening === sen)
            : closings.length === 0 || closings.includes(sen + net),
        closing: (sen) =>
          ends.length > 0
            ? ends.some(({ closing }) => closing === sen)
            : openings.length === 0 || openings.includes(sen - net),
      }
      const rowAgrees = ({ credit, debit, balance, last: above, sofar: until, since: part }: Row) => {
        const sums = [until, part, sofar]
        return (
          (credit === null || sums.some(({ credits }) => credits === Math.abs(credit))) &&
          (debit === null || sums.some(({ debits }) => debits === Math.abs(debit))) &&
          (balance === null ||
            ends.length === 0 ||
            balance === above ||
            ends.some(({ closing }) => closing === balance))
        )
      }
      return [...named.filter(({ kind, sen }) => !agrees[kind](sen)), ...rows.filter((row) => !rowAgrees(row))].map(
        ({ line, value }) => ({ line, value: tidy(value, 80) }),
      )
    },
  }
}
