import { Button, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { isVirtualAccountNumber } from '#domain/payments/providers/virtual-account-number.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Counter } from './counter.tsx'

/** Counter of the demo bank: pays a transfer number like real customers, including wrong amounts and repetitions. */
export default function SandboxBankPage() {
  const { number } = useParams()
  const { t } = useTranslation('bills')
  return (
    <>
      <PageHeader title={t('sandbox.title')} />
      <div className={classes.column}>
        <div className={classes.demo} role="note">
          {t('sandbox.notice')}
        </div>
        {number ? <Counter key={number} number={number} /> : <EnterNumber />}
      </div>
    </>
  )
}

function EnterNumber() {
  const { t } = useTranslation('bills')
  const navigate = useNavigate()
  const [numberText, setNumberText] = useState('')
  const digits = numberText.replace(/\D/g, '')
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (isVirtualAccountNumber(digits)) navigate(`/sandbox-bank/${digits}`)
  }
  return (
    <Card>
      <form onSubmit={open}>
        <Stack gap="sm">
          <TextInput
            label={t('sandbox.enter')}
            description={t('sandbox.enterHelp')}
            inputMode="numeric"
            value={numberText}
            onChange={(event) => setNumberText(event.currentTarget.value)}
            autoComplete="off"
          />
          <Button type="submit" disabled={!isVirtualAccountNumber(digits)}>
            {t('sandbox.open')}
          </Button>
        </Stack>
      </form>
    </Card>
  )
}
