import { type ApprovalHandler, type ApprovalHandlers, approvalAbout } from './approvals/ask-approval.ts'
import { guarantee, installmentPlan, waiver } from './bills/exceptions/bill-exceptions.ts'
import { discountByHand } from './bills/exceptions/discount-by-hand.ts'
import { dueDate } from './bills/exceptions/due-date.ts'
import { promise } from './bills/exceptions/promise.ts'
import { tellOfException } from './bills/exceptions/tell-of-exception.ts'
import { allocation } from './money/allocation.ts'
import { manualPayment } from './money/enter/manual-payment.ts'
import { refund } from './money/give-back/refunds.ts'
import { reversal } from './money/give-back/reversal.ts'
import { heldAmount } from './money/waiting/held-amount.ts'
import { connectionChange } from './providers/settings/connection-change.ts'
import { bankAccountChange } from './reconciliation/bank-accounts.ts'
import { statementLine } from './reconciliation/lines/record-line.ts'

/** Also sends the payer the bill after the approval; handlers that move money send a message of their own. */
const thenTellPayer = (handler: ApprovalHandler) =>
  approvalAbout(['billId'], {
    ...handler,
    async apply(context, request) {
      await handler.apply(context, request)
      await tellOfException(context, request.billId)
    },
  })

export const approvalHandlers: ApprovalHandlers = {
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
