import type { ReportAnswer, ReportOutcome } from './provider.ts'

const statuses: Record<ReportOutcome, number> = {
  booked: 200,
  repeated: 200,
  // The first report stays and staff check the second; repeating the second would change nothing.
  contradicts: 200,
  // The money has moved, and a repetition makes the amount no more credible.
  held: 200,
  refused: 200,
  reversed: 200,
  reversed_early: 200,
  ignored: 200,
  wrong_signature: 401,
  malformed: 400,
  failed: 503,
}

/** The response gateways expect. They repeat every report that does not get 2xx. */
export const gatewayAnswer = (outcome: ReportOutcome): ReportAnswer => ({
  status: statuses[outcome],
  body: { result: outcome },
})

const failures: Record<number, string> = {
  404: 'unknown_connection',
  408: 'too_slow',
  413: 'too_large',
  429: 'too_many_requests',
}

/** The response to a gateway whose call could not be read. */
export const gatewayFailure = (status: number) => ({
  result: failures[status] ?? (status >= 500 ? 'try_again' : 'malformed'),
})
