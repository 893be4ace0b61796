import { z } from 'zod'
import { typedLine } from '#entities/define/typed-text.ts'
import { partName } from './mapping.ts'

const weight = z.number().min(-1000).max(1000)

/**
 * How a run computes final scores from the raw scores of one test.
 * - `raw`: the score times `factor`.
 * - `weights`: the sum of the parts, each times its weight, plus `constant`.
 * - `standard`: `mean + deviation × z`, with z within each session and package; 0 and 1 give z itself, 50 and 10 T
 *   scores.
 * - `linear`: linear equating to the scale of the package `reference`. With an `anchor` (the part that holds the score
 *   on common items) chained through it; without one, the packages must have been taken by equivalent groups.
 */
export const scoreMethod = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('raw'), factor: weight.default(1) }),
  z.strictObject({
    kind: z.literal('weights'),
    weights: z.record(partName, weight).refine((weights) => Object.keys(weights).length > 0),
    constant: weight.default(0),
  }),
  z.strictObject({
    kind: z.literal('standard'),
    mean: z.number().min(-1000).max(1000).default(50),
    deviation: z.number().gt(0).max(1000).default(10),
  }),
  z.strictObject({ kind: z.literal('linear'), reference: typedLine().max(40), anchor: partName.nullable() }),
])

export const methodKinds = ['raw', 'weights', 'standard', 'linear'] as const
