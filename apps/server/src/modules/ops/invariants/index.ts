import type { InvariantName } from '#domain/ops/invariants.ts'
import { allocationInvariants } from './allocations.ts'
import { approvalInvariants } from './approvals.ts'
import { billInvariants } from './bills.ts'
import { commissionInvariants } from './commission.ts'
import { discountInvariants } from './discounts.ts'
import { factInvariants } from './facts.ts'
import type { Invariant } from './invariant.ts'
import { jacketInvariants } from './jackets.ts'
import { letterInvariants } from './letters.ts'
import { numberInvariants } from './numbers.ts'
import { paymentInvariants } from './payments.ts'
import { registrationInvariants } from './registrations.ts'
import { seasonInvariants } from './seasons.ts'
import { seatInvariants } from './seats.ts'
import { statementInvariants } from './statements.ts'
import { virtualAccountInvariants } from './virtual-accounts.ts'

/** Every check, by name. */
export const checks: Record<InvariantName, Invariant> = {
  ...billInvariants,
  ...allocationInvariants,
  ...paymentInvariants,
  ...approvalInvariants,
  ...virtualAccountInvariants,
  ...statementInvariants,
  ...discountInvariants,
  ...seatInvariants,
  ...jacketInvariants,
  ...numberInvariants,
  ...letterInvariants,
  ...commissionInvariants,
  ...registrationInvariants,
  ...seasonInvariants,
  ...factInvariants,
}
