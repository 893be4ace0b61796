/** Kinds of tests marked by two assessors. */
const assessedKinds: readonly string[] = ['interview', 'portfolio']
export const hasAssessors = (kind: string) => assessedKinds.includes(kind)

/** Keys of the assessors' marks among a score's parts. */
export const assessorParts = ['assessor1', 'assessor2', 'assessor3'] as const

export type Marks = readonly [number | null, number | null, number | null]

/** Difference between the first two marks; null if one is missing. */
export const differenceOf = ([first, second]: Marks): number | null =>
  first === null || second === null ? null : Math.abs(Math.round((first - second) * 100)) / 100

/** Whether the first two marks differ by more than `limitPercent` of the highest score, so that a third decides. */
export function needsThird(marks: Marks, maxScore: number, limitPercent: number): boolean {
  const difference = differenceOf(marks)
  return difference !== null && difference > (maxScore * limitPercent) / 100
}

/** Mean of two marks with two decimals, or the third mark if they differ too much; null while one is missing. */
export function scoreOfMarks(marks: Marks, maxScore: number, limitPercent: number): number | null {
  const [first, second, third] = marks
  if (first === null || second === null) return null
  if (needsThird(marks, maxScore, limitPercent)) return third
  return Math.round((first + second) * 50) / 100
}

type Stored = { parts: Readonly<Record<string, number>>; markedBy: Readonly<Record<string, string>> }

/** Account behind each mark after `accountId` changed some; an unchanged mark keeps its account. */
export function assessorsAfter(
  { parts, markedBy }: Stored,
  next: Readonly<Record<string, number>>,
  accountId: string,
): Record<string, string> {
  return Object.fromEntries(
    assessorParts.flatMap((part) => {
      const by = next[part] === parts[part] ? markedBy[part] : accountId
      return next[part] !== undefined && by ? [[part, by]] : []
    }),
  )
}

/** Whether one account gave two of the marks. */
export const hasTwoMarksOfOne = (markedBy: Readonly<Record<string, string>>): boolean =>
  new Set(Object.values(markedBy)).size < Object.keys(markedBy).length

/** Assessors' marks among a score's parts. */
export const marksOf = (parts: Readonly<Record<string, number>>): Marks => [
  parts.assessor1 ?? null,
  parts.assessor2 ?? null,
  parts.assessor3 ?? null,
]
