type Words = {
  /** Words of the line in lower case. */
  words: ReadonlySet<string>
  /** Long numbers among the words: a transfer, an account, a reference. */
  numbers: ReadonlySet<string>
  /** The line as the bank wrote it, without spaces. */
  raw: string
}

type Line = { day: string; reference: string; description: string; raw: string }

/** Numbers of this length identify one transfer; shorter ones are hours, branches and codes. */
const longNumber = /^\d{8,}$/

/** The words of a statement line, to compare it with another line of the same day and amount. */
export function wordsOf({ day, reference, description, raw }: Line): Words {
  const [year, month, date] = day.split('-') as [string, string, string]
  const ofDay = new Set([
    year + month + date,
    date + month + year,
    year.slice(2) + month + date,
    date + month + year.slice(2),
  ])
  const all = `${reference} ${description}`
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !ofDay.has(word))
  const words = new Set(all.slice(0, 100))
  return { words, numbers: new Set([...words].filter((word) => longNumber.test(word))), raw: raw.replace(/\s+/g, '') }
}

/**
 * Whether two lines of the same day and amount may be one transfer in different words: they share half of the words of
 * the shorter line, or one of them has no words. Two different numbers of the same kind (equal length and start) mean
 * two transfers.
 */
export function areNear(one: Words, other: Words): boolean {
  if (one.raw === other.raw) return true
  const without = (numbers: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...numbers].filter((number) => !others.has(number))
  const [mine, theirs] = [without(one.numbers, other.numbers), without(other.numbers, one.numbers)]
  const ofOneKind = (a: string, b: string) => a.length === b.length && a.slice(0, 4) === b.slice(0, 4)
  if (mine.some((a) => theirs.some((b) => ofOneKind(a, b)))) return false
  const [short, long] = one.words.size <= other.words.size ? [one.words, other.words] : [other.words, one.words]
  const shared = [...short].filter((word) => long.has(word)).length
  return shared * 2 >= short.size
}
