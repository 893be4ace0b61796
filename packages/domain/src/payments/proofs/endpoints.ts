import { z } from 'zod'
import { endpoint, type Problems } from '#domain/endpoint.ts'
import { ofRegistration } from '#domain/payments/approvals/endpoints.ts'
import { billKinds, billStatuses } from '#domain/payments/bills/bill-status.ts'
import { paymentStatuses } from '#domain/payments/bills/payment-status.ts'
import { statementStates } from '#domain/payments/reconciliation/statement-lines.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedMoment } from '#entities/define/typed-dates.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'

/** `matched`: staff found the money. What becomes of it is decided about the payment or statement line, never here. */
export const proofStates = ['open', 'matched', 'refused'] as const
export type ProofState = (typeof proofStates)[number]

/** Why an answered proof waits again. */
export const proofReturns = ['answer_taken_back', 'payment_reversed', 'payment_moved', 'line_changed'] as const
export type ProofReturn = (typeof proofReturns)[number]

/** Proofs of one bill that may be open at a time. */
export const mostOpenProofs = 3

const rupiah = z.int()
const idParams = z.object({ id: z.uuid() })
const done = z.object({ data: z.object({ id: z.uuid() }) })

export const uploadTransferProof = endpoint({
  method: 'POST',
  path: '/transfer-proof-files',
  access: 'pendaftaran-edit',
  summary: 'Send the picture of a transfer (multipart, one file); it counts once a proof names it',
  upload: true,
  response: z.object({ data: z.object({ id: z.uuid(), name: z.string() }) }),
})

const newProof = z.strictObject({
  fileId: z.uuid(),
  amount: rupiah.min(1).max(1_000_000_000),
  paidAt: typedMoment,
  fromBank: typedLine().min(2).max(60),
  note: typedText().max(300).optional(),
})
export type NewProof = z.output<typeof newProof>

export const newProofProblems = ({ paidAt }: Partial<NewProof>, now: Date): Problems => ({
  paidAt: paidAt && new Date(paidAt) > now ? 'in_the_future' : null,
})

export const sendTransferProof = endpoint({
  method: 'POST',
  path: '/bills/:id/transfer-proofs',
  access: 'pendaftaran-edit',
  summary: 'Say that a transfer for a bill was made and does not appear; books nothing',
  params: idParams,
  body: newProof,
  rules: newProofProblems,
  response: done,
})

const proof = z.object({
  id: z.uuid(),
  billId: z.uuid(),
  amount: rupiah,
  paidAt: time,
  fromBank: z.string(),
  state: z.enum(proofStates),
  reason: z.string().nullable(),
  /** Set while a proof that had an answer waits again. */
  returnedBecause: z.enum(proofReturns).nullable(),
  returnedAt: time.nullable(),
  sentAt: time,
  answeredAt: time.nullable(),
})
export type TransferProof = z.output<typeof proof>

export const listOwnProofs = endpoint({
  method: 'GET',
  path: '/pendaftaran/:id/transfer-proofs',
  access: 'pendaftaran-view',
  summary: 'Proofs of transfers that the applicant sent for a registration, and the hours an answer usually takes',
  params: idParams,
  response: z.object({ data: z.object({ proofs: z.array(proof), answerHours: z.int() }) }),
})

export const proofRow = proof.extend({
  note: z.string().nullable(),
  version: z.int(),
  /** Open for longer than an answer usually takes. */
  late: z.boolean(),
  billNumber: z.string(),
  billKind: z.enum(billKinds),
  billStatus: z.enum(billStatuses),
  programme: z.string().nullable(),
  answeredBy: z.string().nullable(),
  paymentId: z.uuid().nullable(),
  statementLineId: z.uuid().nullable(),
  ...ofRegistration,
})
export type ProofRow = z.output<typeof proofRow>

const sameness = z.array(z.enum(['amount', 'day', 'bill']))

export const readProof = endpoint({
  method: 'GET',
  path: '/bukti-transfer/:id',
  access: 'pembayaran-mahasiswa-view',
  summary: 'A proof of transfer with its picture, and the payments and statement lines that may be its money',
  params: idParams,
  response: z.object({
    data: proofRow.extend({
      file: z.object({ name: z.string(), url: z.string() }),
      /** Other proofs with the same picture, among those the reader may see. */
      samePicture: z.array(z.object({ id: z.uuid(), registrationCode: z.string() })),
      payments: z.array(
        z.object({
          id: z.uuid(),
          amount: rupiah,
          paidAt: time,
          label: z.string(),
          status: z.enum(paymentStatuses),
          why: sameness,
        }),
      ),
      /** Only for readers of statements. */
      lines: z.array(
        z.object({
          id: z.uuid(),
          amountSen: z.int(),
          day: z.iso.date(),
          label: z.string(),
          state: z.enum(statementStates),
          why: sameness,
        }),
      ),
    }),
  }),
})
export type ProofDetail = z.output<typeof readProof.response>['data']

const version = z.int()

export const matchProof = endpoint({
  method: 'POST',
  path: '/bukti-transfer/:id/match',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Say which payment or statement line a proof is about; books nothing',
  params: idParams,
  body: z.strictObject({ version, paymentId: z.uuid().optional(), statementLineId: z.uuid().optional() }),
  rules: ({ paymentId, statementLineId }: { paymentId?: string; statementLineId?: string }): Problems => ({
    paymentId: (paymentId === undefined) === (statementLineId === undefined) ? 'give_one_of_two' : null,
  }),
  response: done,
})

export const refuseProof = endpoint({
  method: 'POST',
  path: '/bukti-transfer/:id/refuse',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Answer a proof that its money was not found, with a reason for the applicant',
  params: idParams,
  body: z.strictObject({ version, reason: typedText().min(5).max(500) }),
  response: done,
})

export const reopenProof = endpoint({
  method: 'POST',
  path: '/bukti-transfer/:id/reopen',
  access: 'pembayaran-mahasiswa-update',
  summary: 'Take back the answer to a proof',
  params: idParams,
  body: z.strictObject({ version }),
  response: done,
})
