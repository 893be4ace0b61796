import { sql } from 'kysely'
import { mustBeCredit, mustBeNew } from '#server/modules/payments/reconciliation/lines/settle-lines.ts'
import type { Actor } from '#server/platform/access/authorization.ts'
import { paymentsVisibleTo, visibleTo } from '#server/platform/access/row-scope.ts'
import { recordAudit } from '#server/platform/audit.ts'
import type { Tx } from '#server/platform/database/database.ts'
import { conflict, invalid, notFound } from '#server/platform/errors.ts'
import type { Services } from '#server/platform/services.ts'
import { type Context, inTransaction } from '#server/platform/use-case.ts'
import { isNamedByAnother, seesStatements } from './read-proofs.ts'
import { returnProof, tellSender } from './return-proof.ts'

/** Locks a proof the actor may see; of two answers at once the second finds another version. */
async function lockProof(tx: Tx, actor: Actor, id: string, version: number) {
  const proof = await tx
    .selectFrom('transferProofs as t')
    .innerJoin('bills as b', 'b.id', 't.billId')
    .innerJoin('registrations as r', 'r.id', 'b.registrationId')
    .select(['t.id', 't.state', 't.version', 't.amount', 't.paymentId', 't.statementLineId', 't.reason'])
    .select(['b.accountId', 'b.number as billNumber', 'r.id as registrationId'])
    .where('t.id', '=', id)
    .where(visibleTo(actor))
    .forNoKeyUpdate('t')
    .executeTakeFirst()
  if (!proof) throw notFound('transfer proof')
  if (proof.version !== version) throw conflict('stale_version')
  return proof
}
type Proof = Awaited<ReturnType<typeof lockProof>>

type Answer =
  | { state: 'matched'; paymentId: string | null; statementLineId: string | null; reason: null }
  | { state: 'refused'; paymentId: null; statementLineId: null; reason: string }

async function writeAnswer({ tx, actor, now }: Context, proof: Proof, answer: Answer) {
  if (proof.state !== 'open') throw conflict('proof_answered')
  await tx
    .updateTable('transferProofs')
    .set({ ...answer, answeredBy: actor.accountId, answeredAt: now, version: proof.version + 1 })
    .set({ returnedAt: null, returnedBecause: null })
    .where('id', '=', proof.id)
    .execute()
}

type Match = { version: number; paymentId?: string | undefined; statementLineId?: string | undefined }

/**
 * Notes which payment or statement line is the money of a proof. Changes neither: a line is recorded, and waiting money
 * is given to a bill, the usual ways.
 */
export const matchProof = (
  services: Services,
  actor: Actor,
  id: string,
  { version, paymentId, statementLineId }: Match,
) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const proof = await lockProof(tx, actor, id, version)
    if (paymentId) await refuseOtherPayment(tx, actor, proof, paymentId)
    if (statementLineId) await refuseOtherLine(tx, actor, proof, statementLineId)
    const money = { paymentId: paymentId ?? null, statementLineId: statementLineId ?? null }
    await writeAnswer(context, proof, { state: 'matched', ...money, reason: null })
    await recordAudit(tx, actor, { action: 'transfer-proof.match', on: { 'transfer-proof': id }, after: money })
    await tellSender(context, proof, 'transfer-proof-matched')
    return { id }
  })

export const refuseProof = (
  services: Services,
  actor: Actor,
  id: string,
  { version, reason }: { version: number; reason: string },
) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const proof = await lockProof(tx, actor, id, version)
    await writeAnswer(context, proof, { state: 'refused', paymentId: null, statementLineId: null, reason })
    await recordAudit(tx, actor, { action: 'transfer-proof.refuse', on: { 'transfer-proof': id }, reason })
    await tellSender(context, proof, 'transfer-proof-refused', reason)
    return { id }
  })

/** Takes an answer back, so that the proof waits again and its sender is told. */
export const reopenProof = (services: Services, actor: Actor, id: string, version: number) =>
  inTransaction(services, actor, async (context) => {
    const { tx } = context
    const proof = await lockProof(tx, actor, id, version)
    if (proof.state === 'open') throw conflict('wrong_status', { status: proof.state })
    await returnProof(context, proof, 'answer_taken_back')
    return { id }
  })

/** A payment answers one proof, of its payer; a payment of nobody answers any. */
async function refuseOtherPayment(tx: Tx, actor: Actor, proof: Proof, paymentId: string) {
  const payment = await tx
    .selectFrom('payments as p')
    .leftJoin('bills as b', 'b.id', 'p.billId')
    .leftJoin('registrations as r', 'r.id', 'b.registrationId')
    .select(['p.accountId', 'p.status'])
    .where('p.id', '=', paymentId)
    .where(paymentsVisibleTo(actor))
    // A reversal or move waits until the answer is noted, and then returns the proof.
    .forShare('p')
    .executeTakeFirst()
  if (!payment) throw notFound('payment')
  if (payment.status === 'reversed') throw conflict('wrong_status', { status: payment.status })
  if (payment.accountId !== null && payment.accountId !== proof.accountId)
    throw invalid({ paymentId: 'proof_of_another' })
  await refuseTaken(tx, proof, { paymentId, lineId: null })
}

/** A line that is money answers one proof, of its payer. Locked, so that it stays what it is until the answer is noted. */
async function refuseOtherLine(tx: Tx, actor: Actor, proof: Proof, lineId: string) {
  const line = seesStatements(actor)
    ? await tx
        .selectFrom('statementLines')
        .select(['amountSen', 'state', 'paymentId'])
        .where('id', '=', lineId)
        .forShare()
        .executeTakeFirst()
    : undefined
  if (!line) throw notFound('statement line')
  mustBeCredit(line)
  const { paymentId } = line
  if (paymentId === null) mustBeNew(line)
  else {
    const { accountId } = await tx
      .selectFrom('payments')
      .select('accountId')
      .where('id', '=', paymentId)
      .executeTakeFirstOrThrow()
    if (accountId && accountId !== proof.accountId) throw invalid({ statementLineId: 'proof_of_another' })
  }
  await refuseTaken(tx, proof, { paymentId, lineId })
}

type Money = { paymentId: string; lineId: string | null } | { paymentId: null; lineId: string }

async function refuseTaken(tx: Tx, { id }: Proof, money: Money) {
  if (await isTaken(tx, id, money)) throw conflict('proof_money_taken')
}

/**
 * Whether another proof was matched with this money, as a payment or as its statement line. Two matches at once take
 * turns: a line with a payment by the payment.
 */
export async function isTaken(tx: Tx, proofId: string, { paymentId, lineId }: Money): Promise<boolean> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('proof of ' || ${paymentId ?? lineId}, 0))`.execute(tx)
  const { taken } = await tx
    .selectNoFrom(
      isNamedByAnother(proofId, { payment: sql`${paymentId}::uuid`, line: sql`${lineId}::uuid` }).as('taken'),
    )
    .executeTakeFirstOrThrow()
  return taken
}
