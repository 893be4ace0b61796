import type { IncomingHttpHeaders } from 'node:http'
import { notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { bookPayment } from './book-payment.ts'
import { findProvider } from './providers/index.ts'
import type { PaymentProvider, ReportAnswer, ReportOutcome } from './providers/provider.ts'

type Incoming = { headers: IncomingHttpHeaders; body: Buffer }

/** Headers worth keeping beside the bytes; secrets that arrive in them are not. */
const keptHeaders = (headers: IncomingHttpHeaders) => {
  const { authorization: _a, cookie: _c, 'x-callback-token': _t, ...kept } = headers
  return JSON.stringify(kept)
}

/**
 * Takes a bank's report: the bytes are stored first, on their own, so that nothing a bank says is ever lost; then they
 * are checked, booked, and answered only after the commit. A failure of ours is answered so that the bank tries again.
 */
export async function receiveReport(
  services: Services,
  code: string,
  { headers, body }: Incoming,
): Promise<ReportAnswer> {
  const provider = findProvider(services, code)
  if (!provider) throw notFound('provider')
  const { id } = await services.db
    .insertInto('bankReports')
    .values({ provider: code, body, headers: keptHeaders(headers), receivedAt: services.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow()
  let outcome: ReportOutcome
  try {
    outcome = await bookReport(services, provider, id, { headers, body })
  } catch (error) {
    services.log.error({ err: error, bankReportId: id }, 'a payment report could not be booked')
    outcome = 'failed'
  }
  await services.db
    .updateTable('bankReports')
    .set({ outcome, answeredAt: services.clock.now() })
    .where('id', '=', id)
    .execute()
  return provider.answer(outcome)
}

async function bookReport(
  services: Services,
  provider: PaymentProvider,
  reportId: string,
  raw: Incoming,
): Promise<ReportOutcome> {
  const read = provider.readReport(raw)
  if (read.kind !== 'payment') return read.kind
  return services.db.transaction().execute((tx) => bookPayment(tx, services, provider.code, read.payment, reportId))
}

/** Asks the bank what it received on a number and books what is missing; returns how many payments were found. */
export async function askBank(
  services: Services,
  account: { provider: string; bank: string; number: string; providerReference: string | null },
): Promise<number> {
  const provider = findProvider(services, account.provider)
  if (!provider) return 0
  const { bank, number, providerReference: reference } = account
  let found = 0
  for (const payment of await provider.inquire({ bank, number, reference })) {
    const booking = await services.db
      .transaction()
      .execute((tx) => bookPayment(tx, services, provider.code, payment, null))
    if (booking === 'booked') found++
  }
  return found
}
