import type { Words } from '#domain/surveys/definition.ts'
import { valuesOf } from '#domain/surveys/definition-problems.ts'
import type { QuestionResult } from '#domain/surveys/endpoints.ts'
import type { MergedQuestion } from './merged-questions.ts'

type Counted = QuestionResult['values'][number]
/**
 * How often each value was given. The empty value counts answers without a value, such as texts, and each answer of
 * kind `several`.
 */
export type ValueCounts = ReadonlyMap<string, number>

/** A chart of numbers, days or schools groups its bars if there are more than this. */
const maxBars = 20
const maxRanges = 10

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0)
const same = (text: string): Words => ({ id: text, en: text })

/**
 * Number of responses that answer the question. For kind `several`, the empty value has this number, because one answer
 * has many values.
 */
export const answeredIn = ({ kind }: Pick<MergedQuestion, 'kind'>, counts: ValueCounts) =>
  kind === 'several' ? (counts.get('') ?? 0) : sum(counts.values())

/** Schools by the id in an answer. A merged school has id and name of the school it was merged into. */
export type SchoolNames = ReadonlyMap<string, { id: string; name: string }>

/** Returns the bars of a question's chart. */
export function countedValues(question: MergedQuestion, counts: ValueCounts, schools: SchoolNames): Counted[] {
  const valueCounts = new Map([...counts].filter(([value]) => value !== ''))
  switch (question.kind) {
    case 'choice':
    case 'several': {
      const labels = new Map(question.options?.map(({ key, label }) => [key, label]))
      const listed = [...labels.keys(), ...[...valueCounts.keys()].filter((value) => !labels.has(value)).sort()]
      return listed.map((value) => ({ value, label: labels.get(value) ?? null, count: valueCounts.get(value) ?? 0 }))
    }
    case 'scale': {
      const steps = [...new Set([...valuesOf(question), ...valueCounts.keys()])].sort((a, b) => Number(a) - Number(b))
      return steps.map((value) => ({ value, label: null, count: valueCounts.get(value) ?? 0 }))
    }
    case 'number':
      return numberBars(valueCounts)
    case 'date':
      return dayBars(valueCounts)
    case 'school':
      return schoolBars(valueCounts, counts.get('') ?? 0, schools)
    default:
      return []
  }
}

function numberBars(valueCounts: ValueCounts): Counted[] {
  const numbers = [...valueCounts]
    .map(([value, count]) => ({ value: Number(value), count }))
    .sort((a, b) => a.value - b.value)
  const [least, most] = [numbers[0], numbers.at(-1)]
  if (!least || !most || numbers.length <= maxBars)
    return numbers.map(({ value, count }) => ({ value: String(value), label: null, count }))
  const width = niceWidth((most.value - least.value) / maxRanges)
  const bars = new Map<number, number>()
  for (const { value, count } of numbers) {
    const from = Math.floor(value / width) * width
    bars.set(from, (bars.get(from) ?? 0) + count)
  }
  return [...bars].map(([from, count]) => ({
    value: String(from),
    label: same(`${from} – < ${from + width}`),
    count,
  }))
}

/** Rounds up to 1, 2 or 5 times a power of ten. */
function niceWidth(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * (([1, 2, 5].find((step) => step * power >= least) ?? 10) as number)
}

function dayBars(valueCounts: ValueCounts): Counted[] {
  const days = valueCounts.size <= maxBars ? valueCounts : new Map<string, number>()
  if (days !== valueCounts)
    for (const [day, count] of valueCounts) {
      const month = day.slice(0, 7)
      ;(days as Map<string, number>).set(month, (days.get(month) ?? 0) + count)
    }
  return [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([value, count]) => ({ value, label: null, count }))
}

function schoolBars(valueCounts: ValueCounts, unlisted: number, schools: SchoolNames): Counted[] {
  const counts = new Map<string, number>()
  for (const [value, count] of valueCounts) {
    const id = schools.get(value)?.id ?? value
    counts.set(id, (counts.get(id) ?? 0) + count)
  }
  const bars = [...counts]
    .map(([value, count]) => ({ value, label: same(schools.get(value)?.name ?? '?'), count }))
    .sort((a, b) => b.count - a.count || a.label.id.localeCompare(b.label.id))
  const rest = sum(bars.slice(maxBars).map(({ count }) => count)) + unlisted
  const restBar = { value: '', label: { id: 'Sekolah lain', en: 'Other schools' }, count: rest }
  return [...bars.slice(0, maxBars), ...(rest > 0 ? [restBar] : [])]
}

/** Mean, median, minimum and maximum; null without numbers. */
export function numberFacts({ kind }: Pick<MergedQuestion, 'kind'>, counts: ValueCounts): QuestionResult['numbers'] {
  if (kind !== 'number' && kind !== 'scale') return null
  const numbers = [...counts]
    .filter(([value]) => value !== '')
    .map(([value, count]) => ({ value: Number(value), count }))
    .sort((a, b) => a.value - b.value)
  const total = sum(numbers.map(({ count }) => count))
  const [least, most] = [numbers[0], numbers.at(-1)]
  if (total === 0 || !least || !most) return null
  const mean = numbers.reduce((weighted, { value, count }) => weighted + value * count, 0) / total
  let passed = 0
  const median = numbers.find(({ count }) => {
    passed += count
    return passed >= total / 2
  })!.value
  return { mean, median, least: least.value, most: most.value }
}
