import type { ApprovalKind } from '#domain/payments/approvals.ts'
import { connectionChange } from '../provider-settings/connection-change.ts'
import { bankAccountChange } from '../reconciliation/bank-accounts.ts'
import { statementLine } from '../reconciliation/record-line.ts'
import { allocation } from './allocation.ts'
import type { ApprovalHandler } from './ask-approval.ts'
import { guarantee, installmentPlan, waiver } from './bill-exceptions.ts'
import { discountByHand } from './discount-by-hand.ts'
import { dueDate } from './due-date.ts'
import { heldAmount } from './held-amount.ts'
import { manualPayment } from './manual-payment.ts'
import { promise } from './promise.ts'
import { refund } from './refunds.ts'
import { reversal } from './reversal.ts'
import { tellOfException } from './tell-of-exception.ts'

/** Tells the payer of the bill as well; handlers that move money send a message of their own. */
const thenTellPayer = ({ apply, ...handler }: ApprovalHandler): ApprovalHandler => ({
  ...handler,
  async apply(tx, services, actor, request) {
    await apply(tx, services, actor, request)
    await tellOfException(tx, services, request.billId!)
  },
})

/** The handler of each kind of request. */
export const approvalHandlers: Record<ApprovalKind, ApprovalHandler> = {
  manual_payment: manualPayment,
  reversal,
  refund,
  waiver: thenTellPayer(waiver),
  discount: thenTellPayer(discountByHand),
  guarantee: thenTellPayer(guarantee),
  due_date: thenTellPayer(dueDate),
  installment_plan: thenTellPayer(installmentPlan),
  promise: thenTellPayer(promise),
  statement_line: statementLine,
  allocation,
  bank_account: bankAccountChange,
  provider_connection: connectionChange,
  held_amount: heldAmount,
}
