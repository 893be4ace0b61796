import { z } from 'zod'
import { endpoint } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedText } from '#entities/define/typed-text.ts'
import { approvalKinds, approvalStatuses } from './approvals.ts'
import { effectSchema } from './effect-fields.ts'

/** Whole rupiah. */
const rupiah = z.int()

const idParams = z.object({ id: z.uuid() })

const person = z.object({ id: z.uuid(), name: z.string() })

const done = z.object({ data: z.object({ id: z.uuid() }) })

/** Null for requests about money without a payer. */
export const ofRegistration = {
  registrationId: z.uuid().nullable(),
  registrationCode: z.string().nullable(),
  applicantName: z.string().nullable(),
}

export const approvalBrief = z.object({
  id: z.uuid(),
  kind: z.enum(approvalKinds),
  status: z.enum(approvalStatuses),
  amount: rupiah,
  reason: z.string(),
  requestedBy: person,
  requestedAt: time,
  decidedBy: person.nullable(),
  decidedAt: time.nullable(),
  decisionReason: z.string().nullable(),
})

export const approvalRow = /* @__PURE__ */ approvalBrief.extend({
  /** Null for kinds of requests without a sum. */
  amount: rupiah.nullable(),
  /** Applicant's name, otherwise `about`. */
  applicant: z.string().nullable(),
  askedBy: z.string(),
  /** The line, account or connection, if the request has no registration. */
  about: z.string().nullable(),
  /** Rupiah approved earlier that count towards the same limit. */
  approvedBefore: rupiah,
  details: z.record(z.string(), z.unknown()),
  billNumber: z.string().nullable(),
  paymentId: z.uuid().nullable(),
  proof: z.object({ url: z.string(), name: z.string() }).nullable(),
  /** Why the reader may not decide; null if allowed. */
  whyNot: z
    .enum([
      'wrong_status',
      'own_request',
      'own_statement_line',
      'no_approval_limit',
      'above_approval_limit',
      'no_permission',
    ])
    .nullable(),
  ...ofRegistration,
})
export type ApprovalRow = z.output<typeof approvalRow>

/** Picture or PDF of a transfer slip, uploaded before the payment that refers to it. */
export const uploadProof = endpoint({
  method: 'POST',
  path: '/payment-proofs',
  access: 'pembayaran-mahasiswa-create',
  summary: 'Send the proof of a transfer (multipart, one file)',
  upload: true,
  response: z.object({ data: z.object({ id: z.uuid(), name: z.string() }) }),
})

/** A payment, waiting entry or statement line that a manual entry may duplicate. */
export const lookAlike = z.object({
  type: z.enum(['payment', 'request', 'statement_line']),
  id: z.uuid(),
  /** Features it shares with the entry. */
  why: z.array(z.enum(['reference', 'proof', 'sum'])),
  /** Null outside the reader's view, like all its details. */
  amount: rupiah.nullable(),
  at: time.nullable(),
  reference: z.string().nullable(),
  payerName: z.string().nullable(),
  /** Whether it confirms the entry rather than duplicating it. */
  expected: z.boolean(),
  /** Whether it is within the reader's view; otherwise only its type is returned. */
  visible: z.boolean(),
  ...ofRegistration,
})
export type LookAlike = z.output<typeof lookAlike>

/** Effect of approving: as requested, and as of now while the request is pending. */
export const readApprovalState = endpoint({
  method: 'GET',
  path: '/persetujuan/:id/state',
  access: 'persetujuan-view',
  summary: 'What approving a request would do now, and what an entry by hand looks like',
  params: idParams,
  response: z.object({
    data: z.object({
      stored: effectSchema,
      /** Null if decided, or if approving is impossible. */
      current: effectSchema.nullable(),
      /** Why approving is impossible. */
      impossible: z.string().nullable(),
      changed: z.boolean(),
      /** Whether the reader may renew the request with the current effect. */
      renewable: z.boolean(),
      lookAlikes: z.array(lookAlike),
    }),
  }),
})

export const decideApproval = endpoint({
  method: 'POST',
  path: '/persetujuan/:id/decide',
  access: 'persetujuan-update',
  summary: 'Approve or reject a request',
  params: idParams,
  body: z.strictObject({ approve: z.boolean(), reason: typedText().max(500).optional() }),
  rules: ({ approve, reason }) => ({ reason: approve === false && !reason ? 'field_required' : null }),
  response: done,
})

/** Each request is approved separately: refusing one leaves the others approved. */
export const approveMany = endpoint({
  method: 'POST',
  path: '/persetujuan/bulk/approve',
  access: 'persetujuan-update',
  summary: 'Approve several requests of one kind of money',
  body: z.strictObject({ ids: z.array(z.uuid()).min(1).max(100), reason: typedText().max(500).optional() }),
  response: z.object({
    data: z.object({
      done: z.array(z.uuid()),
      refused: z.array(z.object({ id: z.uuid(), reason: z.string() })),
    }),
  }),
})

export const withdrawApproval = endpoint({
  method: 'POST',
  path: '/persetujuan/:id/withdraw',
  // Accounts may withdraw their own requests without permission to read others'.
  access: 'signed-in',
  summary: 'Take back an own request',
  params: idParams,
  response: done,
})

/** For accounts that may make this kind of request, if its effect has changed since. */
export const renewApproval = endpoint({
  method: 'POST',
  path: '/persetujuan/:id/renew',
  access: 'persetujuan-view',
  summary: 'Ask again with the effect of now, in the place of a pending request',
  params: idParams,
  response: done,
})

/** Most rupiah each role may decide about, per kind; null: any sum. */
export const approvalLimits = z.object({
  roles: z.array(z.object({ id: z.uuid(), name: z.string() })),
  limits: z.array(z.object({ roleId: z.uuid(), kind: z.enum(approvalKinds), most: rupiah.min(1).nullable() })),
})
export type ApprovalLimits = z.output<typeof approvalLimits>

export const readApprovalLimits = endpoint({
  method: 'GET',
  path: '/settings/approval-limits',
  access: 'settings-approval-limits',
  summary: 'What each role may decide about',
  response: z.object({ data: approvalLimits }),
})

export const writeApprovalLimits = endpoint({
  method: 'PUT',
  path: '/settings/approval-limits',
  access: 'settings-approval-limits',
  summary: 'Set what each role may decide about',
  body: z.strictObject({ limits: approvalLimits.shape.limits }),
  rules: ({ limits = [] }) => {
    const keys = limits.map(({ roleId, kind }: { roleId?: string; kind?: string }) => `${roleId} ${kind}`)
    return { limits: new Set(keys).size < keys.length ? 'invalid_input' : null }
  },
  response: z.object({ data: approvalLimits }),
})
