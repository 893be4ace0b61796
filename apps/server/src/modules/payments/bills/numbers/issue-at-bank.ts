import { z } from 'zod'
import { callUnlessPaused } from '#server/modules/payments/providers/breaker.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { BankFailure, type IssuedAccount } from '#server/modules/payments/providers/provider.ts'
import type { Services } from '#server/platform/services.ts'
import { activateNumber, failNumber } from './activate-number.ts'

const minute = 60_000

/** Queue of `issueAtBankJob`. Declared beside `issueAtBank`, which adds its own retries. */
export const issueAtBankQueue = { name: 'issue-at-bank', data: z.object({ virtualAccountId: z.uuid() }) }

/**
 * Registers a reserved number at its bank. One caller calls the bank, the others wait for the result. If the bank does
 * not answer, a job tries again, so applicants need not stay on the page.
 */
export async function issueAtBank(services: Services, id: string) {
  const claimed = await claim(services, id)
  if (!claimed) return waitForOther(services, id)
  const provider = await findProvider(services, claimed.provider)
  let issued: IssuedAccount
  try {
    if (!provider) throw new BankFailure('refused', 'the provider is gone')
    issued = await callUnlessPaused(services, provider.code, () =>
      provider.issue({
        id,
        bank: claimed.bank,
        number: claimed.number,
        amount: claimed.amount,
        amountType: claimed.amountType,
        payerName: claimed.payerName,
        description: claimed.billNumber,
        expiresAt: claimed.expiresAt,
      }),
    )
  } catch (error) {
    if (!(error instanceof BankFailure)) throw await release(services, id, error)
    await noteFailure(services, claimed, error)
    return readAccount(services, id)
  }
  await activateNumber(services, claimed, issued)
  return readAccount(services, id)
}

const readAccount = ({ db }: Services, id: string) =>
  db.selectFrom('virtualAccounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** Claims the number for this caller, for a little longer than a call to the bank may take. */
async function claim({ db, clock, config }: Services, id: string) {
  const now = clock.now()
  const claimed = await db
    .updateTable('virtualAccounts')
    .set((eb) => ({
      claimedUntil: new Date(now.getTime() + 2 * config.bankTimeoutMs + 10_000),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where((eb) => eb.or([eb('claimedUntil', 'is', null), eb('claimedUntil', '<=', now)]))
    .returningAll()
    .executeTakeFirst()
  if (!claimed) return undefined
  const bill = await db
    .selectFrom('bills as b')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .innerJoin('applicants as a', 'a.id', 'r.applicantId')
    .select(['b.number as billNumber', 'a.fullName as payerName'])
    .where('b.id', '=', claimed.billId)
    .executeTakeFirstOrThrow()
  return { ...claimed, ...bill }
}
type Claimed = NonNullable<Awaited<ReturnType<typeof claim>>>

async function release({ db }: Services, id: string, error: unknown) {
  await db.updateTable('virtualAccounts').set({ claimedUntil: null }).where('id', '=', id).execute()
  return error
}

/** Waits for the result of another caller that is calling the bank. */
async function waitForOther(services: Services, id: string) {
  const deadlineMs = performance.now() + services.config.bankTimeoutMs + 1_000
  for (;;) {
    const found = await readAccount(services, id)
    const claimed = found.claimedUntil && found.claimedUntil > services.clock.now()
    if (found.status !== 'pending' || !claimed || performance.now() > deadlineMs) return found
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** Milliseconds until the bank is asked again: a minute at first, doubled each time, at most half an hour. */
const retryAfter = (attempts: number) => Math.min(minute * 2 ** Math.max(0, attempts - 1), 30 * minute)

async function noteFailure(services: Services, claimed: Claimed, failure: BankFailure) {
  const { db, clock, jobs, log } = services
  const { id, attempts, expiresAt } = claimed
  log.warn({ number: claimed.number, provider: claimed.provider, detail: failure.detail }, 'a bank gave no number')
  const next = new Date(clock.now().getTime() + retryAfter(attempts))
  if (failure.kind === 'refused' || next >= expiresAt) return failNumber(services, id, failure.kind, failure.detail)
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('virtualAccounts')
      .set({ claimedUntil: null, problem: failure.kind, problemDetail: failure.detail })
      .where('id', '=', id)
      .execute()
    await jobs.enqueue(tx, issueAtBankQueue, { virtualAccountId: id }, { startAfter: next, singletonKey: id })
  })
}
