import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useSession } from '#web/shell/session.tsx'
import { type ActedOnBill, ExceptionDialog } from './exception-dialog.tsx'

/** What a clerk may do about a bill that is still owed: enter money, give it a transfer number, ask for an exception. */
export function BillActions({ bill }: { bill: ActedOnBill }) {
  const { t } = useMoneyWords()
  const { may } = useSession()
  const [asking, setAsking] = useState(false)
  if (!isOwed(bill.status)) return null
  return (
    <>
      <Group gap="xs">
        {may('pembayaran-mahasiswa-create') && (
          <Button
            component={Link}
            size="compact-md"
            to={`/pembayaran-mahasiswa/create?registrationId=${bill.registrationId}`}
          >
            {t('money:enter.title')}
          </Button>
        )}
        {may('transaksi-va-create') && (
          <Button
            component={Link}
            variant="default"
            size="compact-md"
            to={`/transaksi-va/create?q=${encodeURIComponent(bill.number)}`}
          >
            {t('bills.giveNumber')}
          </Button>
        )}
        {may('pembayaran-mahasiswa-update') && (
          <Button variant="default" size="compact-md" onClick={() => setAsking(true)}>
            {t('exception.ask')}
          </Button>
        )}
      </Group>
      {asking && <ExceptionDialog bill={bill} onClose={() => setAsking(false)} />}
    </>
  )
}
