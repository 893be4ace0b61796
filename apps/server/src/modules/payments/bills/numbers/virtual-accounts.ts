import type { Selectable } from 'kysely'
import {
  type VirtualAccountAction,
  type VirtualAccountStatus,
  virtualAccountTransitions,
} from '#domain/payments/bills/virtual-account-status.ts'
import { findProvider } from '#server/modules/payments/providers/index.ts'
import type { Database, Db, Tx } from '#server/platform/database/database.ts'
import type { Services } from '#server/platform/services.ts'
import { tellBanks } from './tell-banks.job.ts'

export type VirtualAccount = Selectable<Database['virtualAccounts']>

const day = 86_400_000
/** Longest life of a number; the applicant can always ask for a new one. */
const longestDays = 30

/** A number lives until the money is due, or is promised; for money overdue already it lives one more day. */
export function expiryOf(now: Date, dueAt: Date | null, promisedUntil: Date | null): Date {
  if (promisedUntil && promisedUntil > now) return promisedUntil
  if (!dueAt || dueAt.getTime() <= now.getTime()) return new Date(now.getTime() + day)
  return new Date(Math.min(dueAt.getTime(), now.getTime() + longestDays * day))
}

type Which = { id: string } | { billId: string } | { installmentId: string }
type Closing = Exclude<VirtualAccountAction, 'settle' | 'activate' | 'fail'>

/** When a bank is asked what it received on a number that has ended: reports may be late. */
const askAfterClosing = 60 * 60_000

/** Whether a provider is told what becomes of a number; one that is gone from the settings counts as a bank that is. */
export const isTold = async (tx: Db, services: Services, code: string) =>
  (await findProvider(services, code, tx))?.keepsNumbers ?? true

/** What a number that ends leaves to be done: to ask the bank once more, and to tell it. */
const ending = (now: Date, tell: 'expire' | 'cancel', told: boolean) => ({
  closedAt: now,
  askAt: new Date(now.getTime() + askAfterClosing),
  asks: 0,
  ...(told && { tell, tellAt: now, tellTries: 0 }),
})

/** Closes open numbers; the bank is told after the transaction, and again until it has understood. */
export async function closeVirtualAccounts(tx: Tx, services: Services, which: Which, action: Closing, reason?: string) {
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
  await closeLocked(tx, services, open, action, reason)
}

type Locked = { id: string; provider: string }

async function closeLocked(tx: Db, services: Services, open: readonly Locked[], action: Closing, reason?: string) {
  const now = services.clock.now()
  let anyTold = false
  for (const [provider, accounts] of Map.groupBy(open, (account) => account.provider)) {
    const told = await isTold(tx, services, provider)
    anyTold ||= told
    await tx
      .updateTable('virtualAccounts')
      .set({
        status: virtualAccountTransitions[action].to,
        closedReason: reason ?? null,
        ...ending(now, action === 'expire' ? 'expire' : 'cancel', told),
      })
      .where(
        'id',
        'in',
        accounts.map(({ id }) => id),
      )
      .execute()
  }
  if (anyTold) await tellBanks(tx, services)
}

/**
 * Lets the open numbers of a bill live at least until a moment. Those of banks that cannot be told of a later end are
 * replaced: the next one that is asked for lives as long.
 */
export async function prolongVirtualAccounts(tx: Tx, services: Services, billId: string, until: Date) {
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
      await tellRemaining(tx, services, account)
    } else await closeLocked(tx, services, [account], 'replace')
  }
}

/** A number took what it was made for: the bank need not take more on it. */
export async function settleVirtualAccount(tx: Tx, services: Services, { id, provider }: Locked) {
  const { from, to } = virtualAccountTransitions.settle
  const told = await isTold(tx, services, provider)
  await tx
    .updateTable('virtualAccounts')
    .set({ status: to, ...ending(services.clock.now(), 'cancel', told) })
    .where('id', '=', id)
    .where('status', 'in', [...from])
    .execute()
  if (told) await tellBanks(tx, services)
}

/** Less is left to pay on a number that goes on: a bank that keeps the sum is told. */
export async function tellRemaining(tx: Tx, services: Services, { id, provider }: Locked) {
  if (!(await isTold(tx, services, provider))) return
  await tx
    .updateTable('virtualAccounts')
    .set({ tell: 'update', tellAt: services.clock.now(), tellTries: 0 })
    .where('id', '=', id)
    .where('status', '=', 'active')
    .execute()
  await tellBanks(tx, services)
}

/** Marks numbers whose time is over, in batches; each transaction takes only rows nobody else is working on. */
export async function expireVirtualAccounts(services: Services, db: Db, batch = 500): Promise<number> {
  const now = services.clock.now()
  let expired = 0
  for (;;) {
    const count = await db.transaction().execute(async (tx) => {
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
      await closeLocked(tx, services, rows, 'expire')
      return rows.length
    })
    expired += count
    if (count < batch) return expired
  }
}
