import { z } from 'zod'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { virtualAccountTransitions } from '#domain/payments/bills/virtual-account-status.ts'
import { lockBill } from '#server/modules/payments/bills/change/standing-bill.ts'
import { callUnlessPaused } from '#server/modules/payments/providers/breaker.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import {
  BankFailure,
  type IssuedAccount,
  type ReportedPayment,
  usualFirstAskMs,
} from '#server/modules/payments/providers/provider.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { tellBanks } from './tell-banks.job.ts'
import type { VirtualAccount } from './virtual-accounts.ts'

const minute = 60_000

/** Asks the bank again for a number it did not issue at once. */
export const issueAtBankJob = defineJob({
  name: 'issue-at-bank',
  maxAttempts: 1,
  concurrency: 4,
  data: z.object({ virtualAccountId: z.uuid() }),
  run: (services, { virtualAccountId }) => issueAtBank(services, virtualAccountId),
})

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
  await activate(services, claimed, issued)
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

/**
 * Activates a number that the bank has issued. If the bill was paid or cancelled meanwhile, tells the bank to close the
 * number.
 */
async function activate(
  services: Services,
  { id, billId, provider: code }: Pick<Claimed, 'id' | 'billId' | 'provider'>,
  { number, reference }: IssuedAccount,
) {
  const { db, clock } = services
  const provider = await findProvider(services, code)
  try {
    await db.transaction().execute(async (tx) => {
      const bill = await lockBill(tx, billId)
      const now = clock.now()
      const { from, to } = virtualAccountTransitions.activate
      const issuedValues = {
        number,
        providerReference: reference,
        claimedUntil: null,
        problem: null,
        problemDetail: null,
      }
      const opened =
        bill && isOwed(bill.status)
          ? await tx
              .updateTable('virtualAccounts')
              .set({
                ...issuedValues,
                status: to,
                activatedAt: now,
                askAt: new Date(now.getTime() + (provider?.firstAskMs ?? usualFirstAskMs)),
              })
              .where('id', '=', id)
              .where('status', 'in', [...from])
              .returning('id')
              .executeTakeFirst()
          : undefined
      if (opened) return
      await tx
        .updateTable('virtualAccounts')
        .set((eb) => ({
          ...issuedValues,
          status: eb
            .case()
            .when('status', '=', 'pending')
            .then(virtualAccountTransitions.cancel.to)
            .else(eb.ref('status'))
            .end() as never,
          closedAt: now,
          ...(provider?.keepsNumbers !== false && { tell: 'cancel' as const, tellAt: now, tellTries: 0 }),
        }))
        .where('id', '=', id)
        // The gateway's own call may have reported the number first.
        .where((eb) => eb.not(eb.and([eb('status', 'in', ['active', 'paid']), eb('number', '=', number)])))
        .execute()
      await tellBanks(tx, services)
    })
  } catch (error) {
    // The gateway returned a number it had issued before; it is not used twice.
    if ((error as { code?: string }).code !== '23505') throw error
    await fail(services, id, 'number_used', number)
  }
}

/** Activates a pending number that a gateway reports as issued, perhaps before its response to our request arrives. */
export async function noteIssued(services: Services, id: string, issued: IssuedAccount) {
  const pending = await services.db
    .selectFrom('virtualAccounts')
    .select(['id', 'billId', 'provider'])
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  if (pending) await activate(services, pending, issued)
}

/**
 * Activates a pending number named by a payment report, which replaces the bank's lost response. Undefined if another
 * number has the same digits: then the money is booked on the bill without a number. The caller has locked the bill.
 */
export async function activatePaid(
  tx: Tx,
  services: Services,
  pending: VirtualAccount,
  { virtualAccountNumber, numberReference }: ReportedPayment,
): Promise<VirtualAccount | undefined> {
  const number = pending.number ?? virtualAccountNumber
  const sameNumber = await tx
    .selectFrom('virtualAccounts')
    .select('id')
    .where('number', '=', number)
    .where('id', '!=', pending.id)
    .executeTakeFirst()
  if (sameNumber || !/^\d{1,28}$/.test(number)) return undefined
  const now = services.clock.now()
  const provider = await findProvider(services, pending.provider, tx)
  return tx
    .updateTable('virtualAccounts')
    .set({
      number,
      providerReference: pending.providerReference ?? numberReference?.slice(0, 80) ?? null,
      status: virtualAccountTransitions.activate.to,
      activatedAt: now,
      askAt: new Date(now.getTime() + (provider?.firstAskMs ?? usualFirstAskMs)),
      claimedUntil: null,
      problem: null,
      problemDetail: null,
    })
    .where('id', '=', pending.id)
    .where('status', 'in', [...virtualAccountTransitions.activate.from])
    .returningAll()
    .executeTakeFirst()
}

async function fail({ db, clock }: Services, id: string, problem: string, detail: string) {
  await db
    .updateTable('virtualAccounts')
    .set({
      status: virtualAccountTransitions.fail.to,
      claimedUntil: null,
      closedAt: clock.now(),
      problem,
      problemDetail: detail.slice(0, 300),
    })
    .where('id', '=', id)
    .where('status', 'in', [...virtualAccountTransitions.fail.from])
    .execute()
}

/** Milliseconds until the bank is asked again: a minute at first, doubled each time, at most half an hour. */
export const retryAfter = (attempts: number) => Math.min(minute * 2 ** Math.max(0, attempts - 1), 30 * minute)

async function noteFailure(services: Services, claimed: Claimed, failure: BankFailure) {
  const { db, clock, jobs, log } = services
  const { id, attempts, expiresAt } = claimed
  log.warn({ number: claimed.number, provider: claimed.provider, detail: failure.detail }, 'a bank gave no number')
  const next = new Date(clock.now().getTime() + retryAfter(attempts))
  if (failure.kind === 'refused' || next >= expiresAt) return fail(services, id, failure.kind, failure.detail)
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable('virtualAccounts')
      .set({ claimedUntil: null, problem: failure.kind, problemDetail: failure.detail })
      .where('id', '=', id)
      .execute()
    await jobs.enqueue(tx, issueAtBankJob, { virtualAccountId: id }, { startAfter: next, singletonKey: id })
  })
}
