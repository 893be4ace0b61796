// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code of the product.
import type { Fault } from './fault.ts'

const rounding = 'packages/domain/src/rounding.test.ts'
const sameRupiah = 'apps/server/src/modules/payments/same-rupiah.test.ts'
const settling = 'apps/server/src/modules/payments/money/settling.test.ts'

const proofs = 'apps/server/src/modules/payments/proofs/proofs.test.ts'
const links = 'apps/server/src/modules/payments/links/links.test.ts'
const sameNumbers = 'apps/server/src/modules/prospectus/same-numbers.test.ts'

export const moneyFaults: Fault[] = [
  {
    name: 'a payment link that was taken back meanwhile still gets a transfer number',
    file: 'apps/server/src/modules/payments/bills/numbers/request-virtual-account.ts',
    find: '  await request.guard?.(tx)\n',
    replace: '',
    foundBy: [
      {
        file: links,
        test: 'a link taken back while somebody asks for a number through it gives none',
        beside: 'a link that was taken back shows no bill, and a new one has another address',
      },
    ],
  },
  {
    name: 'a proof of transfer is answered without the version its page showed',
    file: 'apps/server/src/modules/payments/proofs/answer-proof.ts',
    find: "  if (proof.version !== version) throw conflict('stale_version')\n",
    replace: '',
    foundBy: [
      {
        file: proofs,
        test: 'of two cashiers who answer one proof at once, the second gets 409 with the first answer kept',
        beside: 'a proof is a line for the cashier with its picture, and no money',
      },
    ],
  },
  {
    name: 'a signed id is taken without its signature',
    file: 'apps/server/src/platform/signed-text.ts',
    find: 'sameText(text, signedId(services, kind, id)) ? id : null',
    replace: 'id',
    foundBy: [
      {
        file: links,
        test: 'no other bill is reached: links are known by their signature',
        beside: 'the page behind a link asks in both languages for the amount of one bill',
      },
    ],
  },
  {
    name: 'the public page splits what may not be paid in instalments',
    file: 'apps/server/src/modules/payments/bills/prices/price-list.ts',
    find: 'upfront: upfrontOf(lines)',
    replace: 'upfront: 0',
    foundBy: [
      {
        file: sameNumbers,
        test: 'applicants get the bills that the public page named',
        beside: 'a class without tuition has no amount on the page',
      },
    ],
  },
  {
    name: 'the public page judges the discounts of a later bill by today',
    file: 'apps/server/src/modules/prospectus/facts.ts',
    find: 'fee_component: notBefore(window?.resultsAt)',
    replace: 'fee_component: now',
    foundBy: [
      {
        file: sameNumbers,
        test: 'an early discount counts on the page if it does on the first day of the bill',
        beside: 'a class without tuition has no amount on the page',
      },
    ],
  },
  {
    name: 'half a rupiah of a percentage is rounded down',
    file: 'packages/domain/src/rounding.ts',
    find: '(2n * money * partUnits + wholeUnits) / (2n * wholeUnits)',
    replace: '(money * partUnits) / wholeUnits',
    foundBy: [{ file: rounding, test: 'half a rupiah is rounded up', beside: '12.500 is read digit by digit' }],
  },
  {
    name: 'the shares of instalments are rounded down each',
    file: 'packages/domain/src/payments/bills/split-installments.ts',
    find: 'Math.min(shareOf(shared, term.shareBps ?? 0, shares), left)',
    replace: 'Math.floor((shared * (term.shareBps ?? 0)) / shares)',
    foundBy: [
      {
        file: sameRupiah,
        test: 'an instalment, the share that unlocks a student number, a refund and a raised price',
        beside: 'a discount on the whole bill is rounded once, whatever its lines',
      },
    ],
  },
  {
    name: 'a percent discount is rounded apart from every other percentage',
    file: 'apps/server/src/modules/payments/bills/prices/choose-discounts.ts',
    find: 'percentOf(base, rule.value)',
    replace: 'Math.floor((base * rule.value) / 100)',
    foundBy: [
      {
        file: sameRupiah,
        test: 'a discount on the whole bill is rounded once, whatever its lines',
        beside: 'an instalment, the share that unlocks a student number, a refund and a raised price',
      },
    ],
  },
  {
    name: 'two payments at the same moment do not wait for the lock of their bill',
    file: 'apps/server/src/modules/payments/bills/change/standing-bill.ts',
    find: "query.where('status', '<>', 'cancelled').forNoKeyUpdate().executeTakeFirst()",
    replace: "query.where('status', '<>', 'cancelled').executeTakeFirst()",
    foundBy: [
      {
        file: settling,
        test: 'a second payment with another reference waits in full',
        beside: 'an underpaid number stays open for the rest',
      },
    ],
  },
  {
    name: 'a repeated report of a bank is booked as a second payment',
    file: 'apps/server/src/modules/payments/money/book-payment.ts',
    find: "    .onConflict((oc) => oc.columns(['provider', 'providerReference']).doNothing())\n",
    replace: '',
    foundBy: [
      {
        file: settling,
        test: 'twenty identical reports at once make one payment',
        beside: 'an underpaid number stays open for the rest',
      },
    ],
  },
  {
    name: 'a report is booked without the signature of the bank',
    file: 'apps/server/src/modules/payments/banks/receive-report.ts',
    find: 'const unsigned = provider.refuseUnsigned(report)\n',
    replace: 'const unsigned = report.body.length > 0 ? null : provider.refuseUnsigned(report)\n',
    foundBy: [
      {
        file: settling,
        test: 'with a changed amount gets 401',
        beside: 'an underpaid number stays open for the rest',
      },
    ],
  },
  {
    name: 'a refund exceeds what may be given back',
    file: 'apps/server/src/modules/payments/money/give-back/refunds.ts',
    find: 'if (amount > most || (amount > fromWaiting && !billId))',
    replace: 'if (amount > fromWaiting && !billId)',
    foundBy: [
      {
        file: 'apps/server/src/modules/payments/money/give-back/refunds.test.ts',
        test: 'returns an overpayment in full, whatever the policy',
        beside: 'makes the bill owed again and marks the payment as reversed',
      },
    ],
  },
  {
    name: 'the account that asks for a change of a bill approves it too',
    file: 'packages/domain/src/payments/approvals/approvals.ts',
    find: "  if (askedBy.includes(accountId)) return 'own_request'\n",
    replace: '',
    foundBy: [
      {
        file: 'apps/server/src/modules/payments/approvals/approvals.test.ts',
        test: 'an account that renews a request cannot decide it',
        beside: 'a renewed request is compared with the limit by its new sum',
      },
    ],
  },
  {
    name: 'a commission is counted again each time it is computed',
    file: 'apps/server/src/modules/affiliates/settle/commission.ts',
    find: "own.some(({ kind, causeId }) => kind === 'earned' && causeId === stepId)",
    replace: "own.some(({ kind, causeId }) => kind === 'adjustment' && causeId === stepId)",
    foundBy: [
      {
        file: 'apps/server/src/modules/affiliates/settle/commission.test.ts',
        test: 'is earned once, however often it is computed',
        beside: 'is an amount, or a share of the money paid, in whole rupiah',
      },
    ],
  },
]
