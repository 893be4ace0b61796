import type { ClothesSize } from '#domain/applicants/profile.ts'
import { requireVisible } from '#server/modules/admissions/registrations/load-registrations.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import type { Context } from '#server/platform/use-case.ts'

type Signed = { signature: string | null; note: string | null }

/**
 * Locks the stock of these sizes, always in the same order so that desks cannot deadlock; returns the number of jackets
 * by size.
 */
async function lockStock(tx: Tx, sizes: readonly ClothesSize[]) {
  const rows = await tx
    .selectFrom('jacketStock')
    .select(['size', 'onHand'])
    .where('size', 'in', [...sizes])
    .orderBy('position')
    .forUpdate()
    .execute()
  return new Map(rows.map(({ size, onHand }) => [size, onHand]))
}

/** Locks the registration and returns its status. Two desks serving one student wait for each other. */
async function lockHolder(tx: Tx, actor: Actor, registrationId: string) {
  await requireVisible(tx, actor, registrationId)
  const { status } = await tx
    .selectFrom('registrations')
    .select('status')
    .where('id', '=', registrationId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return status
}

function refuseUnlessEnrolled(status: string) {
  if (status !== 'enrolled') throw conflict('wrong_status', { status })
}

const findHeld = (tx: Tx, registrationId: string) =>
  tx
    .selectFrom('jacketHandOuts')
    .select(['id', 'size'])
    .where('registrationId', '=', registrationId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()

/** The hand-out with this id; 409 if the student holds no jacket, or one from another hand-out. */
async function getHeld(tx: Tx, registrationId: string, handOutId: string) {
  const held = await findHeld(tx, registrationId)
  if (!held) throw conflict('jacket_not_held')
  if (held.id !== handOutId) throw conflict('jacket_other_held', { size: held.size })
  return held
}

/** Account and time of a movement. */
type Entry = { by: string | null; at: Date }
const entryOf = ({ clock }: Services, actor: Actor): Entry => ({ by: actor.accountId || null, at: clock.now() })

type Movement = {
  kind: 'delivery' | 'hand_out' | 'exchange' | 'return' | 'correction'
  size: ClothesSize
  quantity: number
  deliveryId?: string
  handOutId?: string
  reason?: string
}

const move = (tx: Tx, { at, by }: Entry, ...movements: Movement[]) =>
  tx
    .insertInto('jacketMovements')
    .values(movements.map((movement) => ({ ...movement, at, byAccountId: by })))
    .execute()

async function give(
  tx: Tx,
  entry: Entry,
  kind: 'hand_out' | 'exchange',
  jacket: { registrationId: string; size: ClothesSize } & Signed,
) {
  const { id } = await tx
    .insertInto('jacketHandOuts')
    .values({ ...jacket, handedAt: entry.at, handedBy: entry.by })
    .returning('id')
    .executeTakeFirstOrThrow()
  await move(tx, entry, { kind, size: jacket.size, quantity: -1, handOutId: id })
}

type TakenBack = { as: 'exchanged' | 'returned'; usable: boolean; reason: string }

/** Ends a hand-out. An unusable jacket leaves the stock by a correction. */
async function takeBack(
  tx: Tx,
  entry: Entry,
  { id, size }: { id: string; size: ClothesSize },
  { as, usable, reason }: TakenBack,
) {
  await tx
    .updateTable('jacketHandOuts')
    .set({ endedAt: entry.at, endedBy: entry.by, endedAs: as, endedReason: reason, usable })
    .where('id', '=', id)
    .execute()
  await move(tx, entry, { size, handOutId: id, kind: as === 'exchanged' ? 'exchange' : 'return', quantity: 1 })
  if (!usable) await move(tx, entry, { size, handOutId: id, kind: 'correction', quantity: -1, reason })
}

/** Hands a jacket to a student; 409 if the student already has one or is not enrolled, or the size is out of stock. */
export async function handOut(
  { tx, services, actor }: Context,
  { registrationId, size, ...signed }: { registrationId: string; size: ClothesSize } & Signed,
) {
  const status = await lockHolder(tx, actor, registrationId)
  if (await findHeld(tx, registrationId)) throw conflict('jacket_held')
  refuseUnlessEnrolled(status)
  if (!(await lockStock(tx, [size])).get(size)) throw conflict('jacket_out_of_stock', { size })
  await give(tx, entryOf(services, actor), 'hand_out', { registrationId, size, ...signed })
  await recordAudit(tx, actor, { action: 'jacket.hand-out', on: { registration: registrationId }, after: { size } })
}

type Return = { handOutId: string; usable: boolean; reason: string }

/**
 * Takes back the jacket of a hand-out and hands out another. 409 if the student holds no jacket or one from another
 * hand-out, is not enrolled, or the size is out of stock.
 */
export async function exchange(
  { tx, services, actor }: Context,
  registrationId: string,
  { handOutId, size, usable, reason, ...signed }: Return & { size: ClothesSize } & Signed,
) {
  const status = await lockHolder(tx, actor, registrationId)
  const held = await getHeld(tx, registrationId, handOutId)
  refuseUnlessEnrolled(status)
  const stock = await lockStock(tx, [held.size, size])
  // Checked before the jacket is taken back: in the same size it must not be exchanged for itself.
  if (!stock.get(size)) throw conflict('jacket_out_of_stock', { size })
  const entry = entryOf(services, actor)
  await takeBack(tx, entry, held, { as: 'exchanged', usable, reason })
  await give(tx, entry, 'exchange', { registrationId, size, ...signed })
  await recordAudit(tx, actor, {
    action: 'jacket.exchange',
    on: { registration: registrationId },
    before: { size: held.size },
    after: { size, usable },
    reason,
  })
}

/** Takes back the jacket of a hand-out; 409 if the student holds no jacket, or one from another hand-out. */
export async function takeReturn(
  { tx, services, actor }: Context,
  registrationId: string,
  { handOutId, usable, reason }: Return,
) {
  await lockHolder(tx, actor, registrationId)
  const held = await getHeld(tx, registrationId, handOutId)
  await lockStock(tx, [held.size])
  await takeBack(tx, entryOf(services, actor), held, { as: 'returned', usable, reason })
  await recordAudit(tx, actor, {
    action: 'jacket.return',
    on: { registration: registrationId },
    before: { size: held.size },
    after: { usable },
    reason,
  })
}

type Delivery = {
  supplier: string
  reference: string
  receivedOn: string
  sizes: readonly { size: ClothesSize; quantity: number }[]
}

/** Adds a delivery to the stock. A unique index refuses a delivery note entered before. */
export async function receive({ tx, services, actor }: Context, { supplier, reference, receivedOn, sizes }: Delivery) {
  const entry = entryOf(services, actor)
  const { id } = await tx
    .insertInto('jacketDeliveries')
    .values({ supplier, reference, receivedOn, createdAt: entry.at, createdBy: entry.by })
    .returning('id')
    .executeTakeFirstOrThrow()
  await lockStock(
    tx,
    sizes.map(({ size }) => size),
  )
  await move(
    tx,
    entry,
    ...sizes.map(({ size, quantity }): Movement => ({ kind: 'delivery', size, quantity, deliveryId: id })),
  )
  await recordAudit(tx, actor, {
    action: 'jacket.receive',
    on: { jacket: id },
    after: { supplier, reference, receivedOn, sizes },
  })
  return { id, received: sizes.reduce((sum, { quantity }) => sum + quantity, 0) }
}

/**
 * Corrects the stock of a size to the count; the difference becomes a movement with the reason. Throws 409 with the
 * current stock if it is no longer `onHand`: jackets moved meanwhile may or may not be in the count.
 */
export async function correctToCount(
  { tx, services, actor }: Context,
  { size, onHand, counted, reason }: { size: ClothesSize; onHand: number; counted: number; reason: string },
) {
  const before = (await lockStock(tx, [size])).get(size) ?? 0
  if (before !== onHand)
    throw new AppError(409, 'jacket_stock_moved', { size, count: before }, undefined, { onHand: before })
  const difference = counted - before
  if (difference !== 0) {
    await move(tx, entryOf(services, actor), { kind: 'correction', size, quantity: difference, reason })
    await recordAudit(tx, actor, {
      action: 'jacket.count',
      on: { jacket: size },
      before: { onHand: before },
      after: { onHand: counted },
      reason,
    })
  }
  return { onHand: counted, difference }
}
