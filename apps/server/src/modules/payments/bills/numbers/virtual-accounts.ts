import type { Selectable } from 'kysely'
import {
  type VirtualAccountAction,
  type VirtualAccountStatus,
  virtualAccountTransitions,
} from '#domain/payments/bills/virtual-account-status.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { tellBanksJob } from './tell-banks.job.ts'

export type VirtualAccount = Selectable<Database['virtualAccounts']>

/** All columns by name, because a statement with `*` is planned again each time. */
export const virtualAccountColumns = [
  ...(['id', 'billId', 'installmentId', 'provider', 'bank', 'number', 'providerReference', 'replacesId'] as const),
  ...(['amount', 'amountType', 'received', 'status', 'createdAt', 'expiresAt', 'activatedAt', 'closedAt'] as const),
  ...(['closedReason', 'attempts', 'claimedUntil', 'problem', 'problemDetail'] as const),
  ...(['tell', 'tellAt', 'tellTries', 'toldAt', 'askAt', 'asks', 'askedAt', 'qrText', 'payUrl'] as const),
] satisfies (keyof VirtualAccount)[]

const day = 86_400_000
/** Longest life of a number in days; afterwards the applicant can request a new one. */
const longestDays = 30

/**
 * A number expires when the money is promised or due, the latter at most `longestDays` from now. Overdue money, or
 * money without a due date, gives a number for one day.
 */
export function expiryOf(now: Date, dueAt: Date | null, promisedUntil: Date | null): Date {
  if (promisedUntil && promisedUntil > now) return promisedUntil
  if (!dueAt || dueAt.getTime() <= now.getTime()) return new Date(now.getTime() + day)
  return new Date(Math.min(dueAt.getTime(), now.getTime() + longestDays * day))
}

type Which = { id: string } | { billId: string } | { installmentId: string }
type Closing = Exclude<VirtualAccountAction, 'settle' | 'activate' | 'fail'>

/** Milliseconds from the end of a number until the bank is asked about payments on it, because reports may be late. */
const askAfterClosing = 60 * 60_000

/** Whether changes of a number are sent to its provider; true for a provider removed from the settings. */
export const isTold = async ({ tx, services }: Omit<Context, 'actor'>, code: string) =>
  (await findProvider(services, code, tx))?.keepsNumbers ?? true

/** Queues `tellBanksJob`; it starts once the transaction is committed. */
export const tellBanks = ({ tx, services }: Omit<Context, 'actor'>) =>
  services.jobs.enqueue(tx, tellBanksJob, {}, { singletonKey: 'soon' })

/** Fields that queue the tasks of an ended number: ask the bank once more, and tell it about the end. */
const endValues = (now: Date, tell: 'expire' | 'cancel', tellsBank: boolean) => ({
  closedAt: now,
  askAt: new Date(now.getTime() + askAfterClosing),
  asks: 0,
  ...(tellsBank && { tell, tellAt: now, tellTries: 0 }),
})

/** Closes open numbers. A job tells the bank after the transaction and repeats until the bank confirms. */
export async function closeVirtualAccounts(
  context: Omit<Context, 'actor'>,
  which: Which,
  action: Closing,
  reason?: string,
) {
  const { tx } = context
  const open = await tx
    .selectFrom('virtualAccounts')
    .select(['id', 'provider'])
    .where('status', 'in', virtualAccountTransitions[action].from as unknown as VirtualAccountStatus[])
    .$if('id' in which, (q) => q.where('id', '=', (which as { id: string }).id))
    .$if('billId' in which, (q) => q.where('billId', '=', (which as { billId: string }).billId))
    .$if('installmentId' in which, (q) =>
      q.where('installmentId', '=', (which as { installmentId: string }).installmentId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  await closeLocked(context, open, action, reason)
}

type Locked = { id: string; provider: string }

async function closeLocked(context: Omit<Context, 'actor'>, open: readonly Locked[], action: Closing, reason?: string) {
  const { tx, services } = context
  const now = services.clock.now()
  let anyTold = false
  for (const [provider, accounts] of Map.groupBy(open, (account) => account.provider)) {
    const tellsBank = await isTold(context, provider)
    anyTold ||= tellsBank
    await tx
      .updateTable('virtualAccounts')
      .set({
        status: virtualAccountTransitions[action].to,
        closedReason: reason ?? null,
        ...endValues(now, action === 'expire' ? 'expire' : 'cancel', tellsBank),
      })
      .where(
        'id',
        'in',
        accounts.map(({ id }) => id),
      )
      .execute()
  }
  if (anyTold) await tellBanks(context)
}

/**
 * Extends the open numbers of a bill to at least `until`. Numbers of banks that do not learn about a later end are
 * closed instead; the next number requested lasts until then.
 */
export async function prolongVirtualAccounts(context: Omit<Context, 'actor'>, billId: string, until: Date) {
  const { tx, services } = context
  const open = await tx
    .selectFrom('virtualAccounts')
    .select(['id', 'provider', 'status', 'amountType'])
    .where('billId', '=', billId)
    .where('status', 'in', ['pending', 'active'])
    .where('expiresAt', '<', until)
    .orderBy('id')
    .forUpdate()
    .execute()
  for (const account of open) {
    const { id, status, amountType } = account
    const provider = await findProvider(services, account.provider, tx)
    const learnsOfIt = status === 'active' && amountType === 'partial' && provider?.update
    if (provider?.keepsNumbers === false || learnsOfIt) {
      await tx.updateTable('virtualAccounts').set({ expiresAt: until }).where('id', '=', id).execute()
      await tellRemaining(context, account)
    } else await closeLocked(context, [account], 'replace')
  }
}

/** Closes a number that received its full amount, so that the bank takes no more money on it. */
export async function settleVirtualAccount(context: Omit<Context, 'actor'>, { id, provider }: Locked) {
  const { tx, services } = context
  const { from, to } = virtualAccountTransitions.settle
  const tellsBank = await isTold(context, provider)
  await tx
    .updateTable('virtualAccounts')
    .set({ status: to, ...endValues(services.clock.now(), 'cancel', tellsBank) })
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .execute()
  if (tellsBank) await tellBanks(context)
}

/** Queues telling the bank the lower remaining amount of an open number, if the bank stores amounts. */
export async function tellRemaining(context: Omit<Context, 'actor'>, { id, provider }: Locked) {
  const { tx, services } = context
  if (!(await isTold(context, provider))) return
  await tx
    .updateTable('virtualAccounts')
    .set({ tell: 'update', tellAt: services.clock.now(), tellTries: 0 })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .execute()
  await tellBanks(context)
}

/** Marks expired numbers, in batches; each transaction skips rows locked by others. */
export async function expireVirtualAccounts(services: Services, batch = 500): Promise<number> {
  const now = services.clock.now()
  let expired = 0
  for (;;) {
    const count = await inTransaction(services, systemActor, async (context) => {
      const { tx } = context
      const rows = await tx
        .selectFrom('virtualAccounts')
        .select(['id', 'provider'])
        .where('status', 'in', [...virtualAccountTransitions.expire.from])
        .where('expiresAt', '<=', now)
        .orderBy('expiresAt')
        .limit(batch)
        .forUpdate()
        .skipLocked()
        .execute()
      await closeLocked(context, rows, 'expire')
      return rows.length
    })
    expired += count
    if (count < batch) return expired
  }
}
