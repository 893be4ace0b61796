import { isOwed } from '#domain/payments/bills/bill-status.ts'
import type { RowAction } from '#web/list/actions/row-action.ts'
import { RecordButtons } from '#web/list/actions/row-buttons.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { type ActedOnBill, ExceptionDialog } from './exception-dialog.tsx'

/** Staff actions on an unpaid bill: enter a payment, create a transfer number, request an exception. */
export function useBillActions<B extends ActedOnBill>(): RowAction<B>[] {
  const { t } = useMoneyWords()
  const suits = ({ status }: B) => isOwed(status)
  return [
    {
      key: 'enter',
      label: t('money:enter.title'),
      right: 'pembayaran-mahasiswa-create',
      main: true,
      suits,
      href: ({ registrationId, id }) => `/pembayaran-mahasiswa/create?registrationId=${registrationId}&billId=${id}`,
    },
    {
      key: 'number',
      label: t('bills.giveNumber'),
      right: 'transaksi-va-create',
      suits,
      href: ({ number }) => `/transaksi-va/create?q=${encodeURIComponent(number)}`,
    },
    {
      key: 'exception',
      label: t('exception.ask'),
      right: 'pembayaran-mahasiswa-update',
      suits,
      dialog: ([bill], { onClose }) => bill && <ExceptionDialog bill={bill} onClose={onClose} />,
    },
  ]
}

/** Buttons for a bill outside the list of bills. */
export const BillActions = ({ bill }: { bill: ActedOnBill }) => <RecordButtons actions={useBillActions()} row={bill} />
