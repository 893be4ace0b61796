import { sql } from 'kysely'
import { z } from 'zod'
import type { ProofReturn } from '#domain/payments/proofs/endpoints.ts'
import { paymentMoved } from '#server/modules/payments/bills/events.ts'
import { lineChanged } from '#server/modules/payments/reconciliation/events.ts'
import { systemActor } from '#server/platform/access/authorization.ts'
import { defineJob } from '#server/platform/jobs.ts'
import type { Services } from '#server/platform/services.ts'
import { inTransaction } from '#server/platform/use-case.ts'
import { returnProof } from './return-proof.ts'

type Changed = { paymentId?: string | undefined; lineId?: string | undefined }

/** Returns matched proofs to the cashier's queue if their payment or statement line no longer is their money. */
export const returnStaleProofsJob = defineJob({
  name: 'return-stale-proofs',
  on: [paymentMoved, lineChanged],
  data: z.object({ paymentId: z.uuid().optional(), lineId: z.uuid().optional() }),
  run: (services, changed) => returnStaleProofs(services, changed),
})

export const returnStaleProofs = (services: Services, { paymentId, lineId }: Changed) =>
  inTransaction(services, systemActor, async (context) => {
    const { tx } = context
    const proofs = await tx
      .selectFrom('transferProofs as t')
      .innerJoin('bills as b', 'b.id', 't.billId')
      .innerJoin('registrations as r', 'r.id', 'b.registrationId')
      .select(['t.id', 't.state', 't.version', 't.amount', 't.paymentId', 't.statementLineId', 't.reason'])
      .select(['b.accountId', 'b.number as billNumber', 'r.id as registrationId'])
      .where('t.state', '=', 'matched')
      .where(sql<boolean>`(t.payment_id = ${paymentId ?? null} OR t.statement_line_id = ${lineId ?? null}
        OR t.statement_line_id IN (SELECT id FROM statement_lines WHERE payment_id = ${paymentId ?? null}))`)
      .orderBy('t.id')
      .forNoKeyUpdate('t')
      .execute()
    for (const proof of proofs) {
      // Read after the lock of the proof, in a statement of its own, so that it sees what was committed meanwhile.
      const { rows } = await sql<{ because: ProofReturn | null }>`
        SELECT CASE
          WHEN l.state NOT IN ('new', 'matched') THEN 'line_changed'
          WHEN p.status = 'reversed' THEN 'payment_reversed'
          WHEN p.account_id <> b.account_id AND t.payment_id IS NULL THEN 'line_changed'
          WHEN p.account_id <> b.account_id OR (s.elsewhere > 0 AND s.here = 0) THEN 'payment_moved'
        END AS because
        FROM transfer_proofs t JOIN bills b ON b.id = t.bill_id
          LEFT JOIN statement_lines l ON l.id = t.statement_line_id
          LEFT JOIN payments p ON p.id = coalesce(t.payment_id, l.payment_id)
          LEFT JOIN LATERAL (
            SELECT coalesce(sum(a.amount) FILTER (WHERE o.registration_id = b.registration_id AND o.kind = b.kind), 0) AS here,
              coalesce(sum(a.amount) FILTER (WHERE o.registration_id <> b.registration_id OR o.kind <> b.kind), 0) AS elsewhere
            FROM allocations a JOIN bills o ON o.id = a.bill_id WHERE a.payment_id = p.id) s ON true
        WHERE t.id = ${proof.id}`.execute(tx)
      const because = rows[0]?.because
      if (because) await returnProof(context, proof, because)
    }
  })
