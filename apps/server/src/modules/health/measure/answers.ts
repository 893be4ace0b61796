import type { Services } from '#server/platform/services.ts'
import { above, type MeasuredLine } from './line.ts'

/** With fewer answers in an hour, shares and percentiles say nothing. */
const leastAnswers = 20

/** How fast this server answered within the last hour, and the share of answers that failed. */
export function measureAnswers({ answerTimes, clock }: Services): MeasuredLine[] {
  const { all } = answerTimes.lastHour(clock.now().getTime())
  const { count, failed, p50Ms, p95Ms, slowestMs } = all
  if (count === 0)
    return [
      { name: 'answers', state: null, code: 'answers-none', facts: {} },
      { name: 'failures', state: null, code: 'answers-none', facts: {} },
    ]
  const few = count < leastAnswers
  return [
    {
      name: 'answers',
      state: few ? 'ok' : above(p95Ms, { soon: 1_000, red: 3_000 }),
      code: 'answers',
      facts: { total: count, p50Ms, p95Ms, slowestMs },
    },
    {
      name: 'failures',
      state: few ? 'ok' : above(failed / count, { soon: 0.01, red: 0.05 }),
      code: 'failures',
      facts: { failed, total: count, failedShare: failed / count },
    },
  ]
}

/** The ten slowest routes of the last hour, by 95th percentile. */
export const slowestRoutes = ({ answerTimes, clock }: Services) =>
  answerTimes
    .lastHour(clock.now().getTime())
    .routes.toSorted((a, b) => b.p95Ms - a.p95Ms)
    .slice(0, 10)
