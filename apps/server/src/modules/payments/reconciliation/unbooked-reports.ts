import { boundsOfDay } from '#domain/payments/reconciliation.ts'
import type { Tx } from '#server/platform/database.ts'
import type { Services } from '#server/platform/services.ts'
import { banksOf, findProvider } from '../providers/index.ts'
import type { PaymentProvider, ReportedPayment } from '../providers/provider.ts'
import type { OwnAccount } from './account-queue.ts'

export type UnbookedReport = {
  id: string
  provider: string
  /** Nothing where the bytes cannot be read again. */
  reference: string | null
  amount: number | null
  /** What is in the books under this reference; null when nothing is. */
  booked: number | null
  paymentId: string | null
}

/** A report that did not end by then is not being worked on any more. */
const patience = 10 * 60_000

/** What the banks of an account reported on a day and is not in the books as it was reported. */
export async function unbookedReports(
  tx: Tx,
  services: Services,
  account: OwnAccount,
  day: string,
): Promise<UnbookedReport[]> {
  const banks = banksOf(services).filter(({ code }) => account.sources.includes(code))
  const codes = [...new Set(banks.map(({ provider }) => provider.code))]
  if (codes.length === 0) return []
  const [from, to] = boundsOfDay(day)
  const unanswered = new Date(services.clock.now().getTime() - patience)
  const reports = await tx
    .selectFrom('bankReports')
    .select(['id', 'provider', 'body', 'headers', 'outcome'])
    .where('provider', 'in', codes)
    .where('receivedAt', '>=', from)
    .where('receivedAt', '<', to)
    .where((eb) =>
      eb.or([
        eb('outcome', 'in', ['failed', 'contradicts']),
        eb.and([eb('outcome', 'is', null), eb('receivedAt', '<', unanswered)]),
      ]),
    )
    .orderBy('receivedAt')
    .limit(500)
    .execute()
  const unbooked = new Map<string, UnbookedReport>()
  for (const { id, provider, body, headers } of reports) {
    const read = await readAgain(findProvider(services, provider), body, headers)
    if (!read) {
      unbooked.set(id, { id, provider, reference: null, amount: null, booked: null, paymentId: null })
      continue
    }
    const { reference, virtualAccountNumber: number, amount } = read
    if (!banks.some((bank) => bank.provider.code === provider && number.startsWith(bank.prefix))) continue
    const payment = await tx
      .selectFrom('payments')
      .select(['id', 'amount', 'virtualAccountNumber'])
      .where('provider', '=', provider)
      .where('providerReference', '=', reference)
      .executeTakeFirst()
    if (payment && payment.amount === amount && payment.virtualAccountNumber === number) continue
    unbooked.set(`${provider} ${reference} ${amount}`, {
      id,
      provider,
      reference,
      amount,
      booked: payment?.amount ?? null,
      paymentId: payment?.id ?? null,
    })
  }
  return [...unbooked.values()]
}

async function readAgain(
  provider: PaymentProvider | undefined,
  body: Buffer,
  headers: unknown,
): Promise<ReportedPayment | null> {
  try {
    const read = await provider?.readReport({ body, headers: headers as Record<string, string> })
    return read?.kind === 'payment' ? read.payment : null
  } catch {
    return null
  }
}
