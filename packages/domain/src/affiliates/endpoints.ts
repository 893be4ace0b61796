import { z } from 'zod'
import { endpoint, type Problem } from '#domain/endpoint.ts'
import { time } from '#entities/define/answer-time.ts'
import { typedLine, typedText } from '#entities/define/typed-text.ts'
import { affiliateKinds, applicationStates, payoutLineStates, payoutStates, slugPattern } from './affiliates.ts'
import { closingRules, commissionStages } from './commission.ts'

const byId = z.object({ id: z.uuid() })
const line = (max: number) => typedLine().min(1).max(max)
const reason = typedText().min(3).max(500)
const rupiah = z.int()
const doneAnswer = z.object({ data: z.object({ id: z.uuid() }) })

/** SVG path of rectangles, in modules of the code. */
const qr = z.object({ size: z.int(), path: z.string() })

const publicCard = z.object({
  /** Last path segment of the page. */
  path: z.string(),
  name: z.string(),
  kind: z.enum(affiliateKinds),
  photo: z.string().nullable(),
  biography: z.string().nullable(),
  programmes: z.array(z.string()),
  /** People who submitted a registration; null without the affiliate's consent. */
  helped: z.int().nullable(),
})
export type PublicAffiliate = z.output<typeof publicCard>

export const listPublicAffiliates = endpoint({
  method: 'GET',
  path: '/afiliator',
  access: 'public',
  summary: 'Affiliates with a public page',
  response: z.object({ data: z.array(publicCard) }),
})

const byPath = z.object({ id: z.string().min(1).max(60) })

export const readPublicAffiliate = endpoint({
  method: 'GET',
  path: '/afiliator/:id',
  access: 'public',
  summary: 'The public page of an affiliate, by its address, its code or its id',
  params: byPath,
  response: z.object({ data: publicCard.extend({ code: z.string(), link: z.string(), qr }) }),
})

export const readAffiliatePhoto = endpoint({
  method: 'GET',
  path: '/afiliator/:id/photo',
  access: 'public',
  summary: 'The photo on the public page of an affiliate',
  params: byPath,
  response: z.any(),
})

const ownPage = z.object({
  slug: typedLine().min(3).max(60).regex(slugPattern).nullable(),
  biography: typedText().max(2000),
  programmeIds: z.array(z.uuid()).max(40),
  /** Whether the page shows the number of people. */
  counted: z.boolean(),
})

const application = z.object({
  id: z.uuid(),
  status: z.enum(applicationStates),
  createdAt: time,
  note: z.string().nullable(),
})

const ownAffiliate = z.object({
  id: z.uuid(),
  code: z.string(),
  name: z.string(),
  kind: z.enum(affiliateKinds),
  public: z.boolean(),
  path: z.string(),
  /** Link to share, with the code. */
  link: z.string(),
  qr,
  photo: z.string().nullable(),
  bank: z.string().nullable(),
  version: z.int(),
  page: ownPage,
  /** Study programmes the page may name. */
  programmes: z.array(z.object({ id: z.uuid(), name: z.string() })),
  balance: z.object({ balance: rupiah, held: rupiah, frozen: rupiah, payable: rupiah }),
  people: z.object({ touches: z.int(), started: z.int(), submitted: z.int(), enrolled: z.int() }),
  rules: z.array(
    z.object({ stage: z.enum(commissionStages), amount: rupiah.nullable(), shareBps: z.int().nullable() }),
  ),
  vouchers: z.array(
    z.object({
      code: z.string(),
      discount: z.string(),
      uses: z.int(),
      maxUses: z.int().nullable(),
      validTo: z.string().nullable(),
    }),
  ),
  payouts: z.array(
    z.object({
      number: z.string(),
      status: z.enum(payoutStates),
      line: z.enum(payoutLineStates),
      amount: rupiah,
      tax: rupiah,
      at: time,
    }),
  ),
})
export type OwnAffiliate = z.output<typeof ownAffiliate>

const ownAnswer = z.object({
  data: z.object({ affiliate: ownAffiliate.nullable(), application: application.nullable() }),
})

export const readOwnAffiliate = endpoint({
  method: 'GET',
  path: '/account/affiliate',
  access: 'afiliator-saya',
  summary: "The caller's own part as an affiliate, or the request to become one",
  response: ownAnswer,
})

export const saveOwnAffiliate = endpoint({
  method: 'PUT',
  path: '/account/affiliate',
  access: 'afiliator-saya',
  summary: 'The public page of the own affiliate',
  body: z.strictObject({ ...ownPage.shape, version: z.int() }),
  response: ownAnswer,
})

export const applyAsAffiliate = endpoint({
  method: 'POST',
  path: '/account/affiliate/application',
  access: 'afiliator-saya',
  summary: 'Ask to become an affiliate',
  body: z.strictObject({
    kind: z.enum(affiliateKinds),
    phone: line(20),
    reason: line(1000),
    biography: typedText().max(2000),
  }),
  response: ownAnswer,
})

export const approveApplication = endpoint({
  method: 'POST',
  path: '/komisi/applications/:id/approve',
  access: 'komisi-update',
  summary: 'Make an affiliate of somebody who asked, linked to the account',
  params: byId,
  body: z.strictObject({
    code: typedLine()
      .min(2)
      .max(20)
      .regex(/^[A-Za-z0-9-]+$/),
  }),
  response: doneAnswer,
})

export const refuseApplication = endpoint({
  method: 'POST',
  path: '/komisi/applications/:id/refuse',
  access: 'komisi-update',
  summary: 'Refuse a request to become an affiliate; the person reads the reason',
  params: byId,
  body: z.strictObject({ reason }),
  response: doneAnswer,
})

const linked = z.object({
  data: z.object({
    affiliate: z.object({ id: z.uuid(), code: z.string(), name: z.string() }),
    account: z.object({ id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
    balance: z.object({ balance: rupiah, held: rupiah, frozen: rupiah, payable: rupiah }),
  }),
})

export const readAffiliateAccount = endpoint({
  method: 'GET',
  path: '/komisi/affiliates/:id',
  access: 'komisi-view',
  summary: 'Account and balance of an affiliate',
  params: byId,
  response: linked,
})

export const linkAffiliateAccount = endpoint({
  method: 'PUT',
  path: '/komisi/affiliates/:id/account',
  access: 'master-afiliator-update',
  summary: 'Link an account to an affiliate, or end the link with an empty address',
  params: byId,
  body: z.strictObject({ email: typedText().max(254) }),
  response: linked,
})

type NewRule = {
  affiliateId?: string | null
  kind?: string | null
  stage: string
  amount?: number | null
  percent?: number | null
}

/** Problems with a new rule, by field. */
export function ruleProblems({ affiliateId, kind, stage, amount, percent }: NewRule) {
  const problems: Record<string, Problem | null> = {
    kind: !affiliateId === !kind ? 'give_one_of_two' : null,
    amount: amount && percent ? 'give_one_of_two' : null,
    percent: stage === 'submitted' && percent ? 'commission_needs_money' : null,
  }
  return problems
}

export const createCommissionRule = endpoint({
  method: 'POST',
  path: '/komisi/rules',
  access: 'komisi-update',
  summary:
    'A new version of the commission of an affiliate or a kind at a step; in force once another person approves it',
  body: z.strictObject({
    affiliateId: z.uuid().nullable(),
    kind: z.enum(affiliateKinds).nullable(),
    stage: z.enum(commissionStages),
    /** Rupiah; without amount and percent, the step no longer earns anything. */
    amount: rupiah.min(1).max(1_000_000_000).nullable(),
    /** Percent of the money paid by then, with up to two decimals. */
    percent: z.number().min(0.01).max(100).multipleOf(0.01).nullable(),
    onClose: z.enum(closingRules),
    reason,
  }),
  rules: ruleProblems,
  response: doneAnswer,
})

export const approveCommissionRule = endpoint({
  method: 'POST',
  path: '/komisi/rules/:id/approve',
  access: 'komisi-approve',
  summary: 'Put a rule in force that somebody else wrote',
  params: byId,
  response: doneAnswer,
})

export const refuseCommissionRule = endpoint({
  method: 'POST',
  path: '/komisi/rules/:id/refuse',
  access: 'komisi-approve',
  summary: 'Refuse a rule; it is never in force',
  params: byId,
  response: doneAnswer,
})

export const decideHold = endpoint({
  method: 'POST',
  path: '/komisi/holds/:id/decide',
  access: 'komisi-update',
  summary: 'Release held commission, or take it back',
  params: byId,
  body: z.strictObject({ decision: z.enum(['release', 'take_back']), reason }),
  response: doneAnswer,
})
