import type { z } from 'zod'
import { mustGet } from '#domain/must.ts'
import type { scoreMethod } from '#domain/scores/methods.ts'

export type ScoreMethod = z.output<typeof scoreMethod>

/** One raw score. Its group is the session and package for `standard`, the package for `linear`. */
export type RawScore = {
  score: number
  sessionId: string | null
  package: string | null
  parts: Readonly<Record<string, number>>
}

type Moments = { count: number; mean: number; deviation: number }

/** Count, mean and population standard deviation (divided by n). */
export function momentsOf(values: readonly number[]): Moments {
  const count = values.length
  const mean = values.reduce((sum, value) => sum + value, 0) / count
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { count, mean, deviation: Math.sqrt(squares / count) }
}

const round = (value: number) => {
  const rounded = Math.round(value * 10_000) / 10_000
  return rounded === 0 ? 0 : rounded
}

export type MethodProblem = 'missing_part' | 'missing_reference' | 'missing_anchor' | 'no_spread' | 'out_of_range'

/** Scores by position with four decimals; or why the method cannot be applied, and the group or part where it fails. */
export type Outcome = { scores: number[] } | { problem: MethodProblem; at: string }

/** Largest value of `final_scores.score`, numeric(12, 4). */
const maxFinalScore = 99_999_999

/** Computes the final scores of one test. Pure; the input's order only affects the output's order. */
export function finalScores(raw: readonly RawScore[], method: ScoreMethod): Outcome {
  const outcome = unrounded(raw, method)
  if ('problem' in outcome) return outcome
  const scores = outcome.scores.map(round)
  return scores.every((score) => Math.abs(score) <= maxFinalScore)
    ? { scores }
    : { problem: 'out_of_range', at: method.kind }
}

function unrounded(raw: readonly RawScore[], method: ScoreMethod): Outcome {
  switch (method.kind) {
    case 'raw':
      return { scores: raw.map(({ score }) => score * method.factor) }
    case 'weights':
      return weighted(raw, method)
    case 'standard':
      return standardized(raw, method)
    case 'linear':
      return equated(raw, method)
  }
}

function weighted(raw: readonly RawScore[], { weights, constant }: ScoreMethod & { kind: 'weights' }): Outcome {
  const scores: number[] = []
  for (const { parts } of raw) {
    let sum = constant
    for (const [name, weight] of Object.entries(weights)) {
      const part = parts[name]
      if (part === undefined) return { problem: 'missing_part', at: name }
      sum += part * weight
    }
    scores.push(sum)
  }
  return { scores }
}

const sessionAndPackage = ({ sessionId, package: name }: RawScore) => `${sessionId ?? ''} ${name ?? ''}`

const packageOf = ({ package: name }: RawScore) => name ?? ''

/** A group without spread, such as a single person, gets the mean. */
function standardized(raw: readonly RawScore[], { mean, deviation }: ScoreMethod & { kind: 'standard' }): Outcome {
  const groups = Map.groupBy(raw, sessionAndPackage)
  const moments = new Map([...groups].map(([key, rows]) => [key, sortedMoments(rows.map(({ score }) => score))]))
  return {
    scores: raw.map((row) => {
      const group = mustGet(moments, sessionAndPackage(row))
      return group.deviation === 0 ? mean : mean + (deviation * (row.score - group.mean)) / group.deviation
    }),
  }
}

/** Moments of the sorted values, since a floating-point sum depends on the order. */
const sortedMoments = (values: number[]) => momentsOf(values.sort((a, b) => a - b))

type Line = { slope: number; intercept: number }

/** Mean-sigma line that maps values with the moments `from` to the moments `to`. */
const lineFrom = (from: Moments, to: Moments): Line => {
  const slope = to.deviation / from.deviation
  return { slope, intercept: to.mean - slope * from.mean }
}

const along = ({ slope, intercept }: Line, value: number) => slope * value + intercept

/** A part of each person's score; undefined if somebody lacks it. */
function partsOf(rows: readonly RawScore[], name: string): number[] | undefined {
  const values = rows.flatMap(({ parts }) => parts[name] ?? [])
  return values.length === rows.length ? values : undefined
}

/**
 * Linear equating (Kolen & Brennan, Test Equating, Scaling, and Linking, ch. 2: equivalent groups; ch. 4: chained linear
 * equating through common items). The reference package keeps its raw scores.
 */
function equated(raw: readonly RawScore[], { reference, anchor }: ScoreMethod & { kind: 'linear' }): Outcome {
  const packages = Map.groupBy(raw, packageOf)
  const base = packages.get(reference)
  if (!base) return { problem: 'missing_reference', at: reference }
  const lines = new Map<string, readonly Line[]>([[reference, []]])
  const scoresOf = (rows: readonly RawScore[]) => sortedMoments(rows.map(({ score }) => score))
  const stepsOf = (rows: readonly RawScore[]): [Moments, Moments][] | undefined => {
    if (anchor === null) return [[scoresOf(rows), scoresOf(base)]]
    const [anchors, baseAnchors] = [partsOf(rows, anchor), partsOf(base, anchor)]
    return (
      anchors &&
      baseAnchors && [
        [scoresOf(rows), sortedMoments(anchors)],
        [sortedMoments(baseAnchors), scoresOf(base)],
      ]
    )
  }
  for (const [name, rows] of packages) {
    if (name === reference) continue
    const steps = stepsOf(rows)
    if (!steps) return { problem: 'missing_anchor', at: name }
    if (steps.some(([from, to]) => from.deviation === 0 || to.deviation === 0))
      return { problem: 'no_spread', at: name }
    lines.set(
      name,
      steps.map(([from, to]) => lineFrom(from, to)),
    )
  }
  return {
    scores: raw.map((row) => mustGet(lines, packageOf(row)).reduce((value, line) => along(line, value), row.score)),
  }
}
