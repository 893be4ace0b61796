import type { ClothesSize } from '#domain/applicants/profile.ts'
import { requireVisible } from '#server/modules/admissions/registrations/load-registrations.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { AppError, conflict } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'

type Signed = { signature: string | null; note: string | null }

/** Locks the stock of sizes, in one order for all desks, and returns how many jackets of each there are. */
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

/** Locks the registration, so that two desks serve one student one after the other; returns its status. */
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

/** The jacket of this hand-out; 409 if the student holds none, or another by now. */
async function getHeld(tx: Tx, registrationId: string, handOutId: string) {
  const held = await tx
    .selectFrom('jacketHandOuts')
    .select(['id', 'size'])
    .where('registrationId', '=', registrationId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  if (!held) throw conflict('jacket_not_held')
  if (held.id !== handOutId) throw conflict('jacket_other_held', { size: held.size })
  return held
}

type Movement = {
  kind: 'hand_out' | 'exchange' | 'return' | 'correction'
  size: ClothesSize
  quantity: number
  handOutId: string
  reason?: string
}

const move = (tx: Tx, actor: Actor, at: Date, movement: Movement) =>
  tx
    .insertInto('jacketMovements')
    .values({ ...movement, at, byAccountId: actor.accountId || null })
    .execute()

async function give(
  tx: Tx,
  actor: Actor,
  at: Date,
  kind: 'hand_out' | 'exchange',
  jacket: { registrationId: string; size: ClothesSize } & Signed,
) {
  const { id } = await tx
    .insertInto('jacketHandOuts')
    .values({ ...jacket, handedAt: at, handedBy: actor.accountId || null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await move(tx, actor, at, { kind, size: jacket.size, quantity: -1, handOutId: id })
}

/** Ends a hand-out; a jacket that cannot be worn again leaves the stock by a correction. */
async function takeBack(
  tx: Tx,
  actor: Actor,
  at: Date,
  held: { id: string; size: ClothesSize },
  as: 'exchanged' | 'returned',
  { usable, reason }: { usable: boolean; reason: string },
) {
  await tx
    .updateTable('jacketHandOuts')
    .set({ endedAt: at, endedBy: actor.accountId || null, endedAs: as, endedReason: reason, usable })
    .where('id', '=', held.id)
    .execute()
  const movement = { size: held.size, handOutId: held.id }
  await move(tx, actor, at, { ...movement, kind: as === 'exchanged' ? 'exchange' : 'return', quantity: 1 })
  if (!usable) await move(tx, actor, at, { ...movement, kind: 'correction', quantity: -1, reason })
}

/** Hands a jacket to a student; 409 if the student has one already, is not enrolled, or none of the size is left. */
export async function handOut(
  tx: Tx,
  { clock }: Services,
  actor: Actor,
  { registrationId, size, ...signed }: { registrationId: string; size: ClothesSize } & Signed,
) {
  const status = await lockHolder(tx, actor, registrationId)
  const held = await tx
    .selectFrom('jacketHandOuts')
    .select('id')
    .where('registrationId', '=', registrationId)
    .where('endedAt', 'is', null)
    .executeTakeFirst()
  if (held) throw conflict('jacket_held')
  refuseUnlessEnrolled(status)
  if (!(await lockStock(tx, [size])).get(size)) throw conflict('jacket_out_of_stock', { size })
  await give(tx, actor, clock.now(), 'hand_out', { registrationId, size, ...signed })
  await recordAudit(tx, actor, 'jacket.hand-out', { type: 'registration', id: registrationId }, { after: { size } })
}

type Return = { handOutId: string; usable: boolean; reason: string }

/** Takes the jacket of a hand-out back and hands out another; 409 as `handOut`, or if another jacket is held by now. */
export async function exchange(
  tx: Tx,
  { clock }: Services,
  actor: Actor,
  registrationId: string,
  { handOutId, size, usable, reason, ...signed }: Return & { size: ClothesSize } & Signed,
) {
  const status = await lockHolder(tx, actor, registrationId)
  const held = await getHeld(tx, registrationId, handOutId)
  refuseUnlessEnrolled(status)
  const stock = await lockStock(tx, [held.size, size])
  // A faulty jacket may be exchanged for one of the same size, but not for itself.
  if (!stock.get(size)) throw conflict('jacket_out_of_stock', { size })
  const now = clock.now()
  await takeBack(tx, actor, now, held, 'exchanged', { usable, reason })
  await give(tx, actor, now, 'exchange', { registrationId, size, ...signed })
  await recordAudit(
    tx,
    actor,
    'jacket.exchange',
    { type: 'registration', id: registrationId },
    { before: { size: held.size }, after: { size, usable }, reason },
  )
}

/** Takes the jacket of a hand-out back; 409 if the student holds none, or another by now. */
export async function takeReturn(
  tx: Tx,
  { clock }: Services,
  actor: Actor,
  registrationId: string,
  { handOutId, usable, reason }: Return,
) {
  await lockHolder(tx, actor, registrationId)
  const held = await getHeld(tx, registrationId, handOutId)
  await lockStock(tx, [held.size])
  await takeBack(tx, actor, clock.now(), held, 'returned', { usable, reason })
  await recordAudit(
    tx,
    actor,
    'jacket.return',
    { type: 'registration', id: registrationId },
    { before: { size: held.size }, after: { usable }, reason },
  )
}

type Delivery = {
  supplier: string
  reference: string
  receivedOn: string
  sizes: readonly { size: ClothesSize; quantity: number }[]
}

/** Adds a delivery to the stock; a delivery note entered before is refused by its unique index. */
export async function receive(
  tx: Tx,
  { clock }: Services,
  actor: Actor,
  { supplier, reference, receivedOn, sizes }: Delivery,
) {
  const now = clock.now()
  const { id } = await tx
    .insertInto('jacketDeliveries')
    .values({ supplier, reference, receivedOn, createdAt: now, createdBy: actor.accountId || null })
    .returning('id')
    .executeTakeFirstOrThrow()
  await lockStock(
    tx,
    sizes.map(({ size }) => size),
  )
  await tx
    .insertInto('jacketMovements')
    .values(
      sizes.map(({ size, quantity }) => ({
        kind: 'delivery',
        size,
        quantity,
        deliveryId: id,
        at: now,
        byAccountId: actor.accountId || null,
      })),
    )
    .execute()
  await recordAudit(
    tx,
    actor,
    'jacket.receive',
    { type: 'jacket', id },
    { after: { supplier, reference, receivedOn, sizes } },
  )
  return { id, received: sizes.reduce((sum, { quantity }) => sum + quantity, 0) }
}

/**
 * Corrects the stock of a size to what was counted; the difference is a movement with the reason. Throws 409 with the
 * present stock if it is no longer `onHand`: what moved meanwhile may or may not have been on the shelf that was counted.
 */
export async function correctToCount(
  tx: Tx,
  { clock }: Services,
  actor: Actor,
  { size, onHand, counted, reason }: { size: ClothesSize; onHand: number; counted: number; reason: string },
) {
  const before = (await lockStock(tx, [size])).get(size) ?? 0
  if (before !== onHand)
    throw new AppError(409, 'jacket_stock_moved', { size, count: before }, undefined, { onHand: before })
  const difference = counted - before
  if (difference !== 0) {
    await tx
      .insertInto('jacketMovements')
      .values({
        kind: 'correction',
        size,
        quantity: difference,
        reason,
        at: clock.now(),
        byAccountId: actor.accountId || null,
      })
      .execute()
    await recordAudit(
      tx,
      actor,
      'jacket.count',
      { type: 'jacket', id: size },
      { before: { onHand: before }, after: { onHand: counted }, reason },
    )
  }
  return { onHand: counted, difference }
}
