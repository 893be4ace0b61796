import { Accordion, Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { checkVirtualAccount } from '#domain/payments/banks/endpoints.ts'
import { listRegistrationBills, type VirtualAccountView } from '#domain/payments/bills/endpoints.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { rupiah } from '#locales/format.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { useNow } from '#web/modules/payments/bills/use-bills.ts'
import { deadline } from '#web/modules/payments/bills/words.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { CopyField } from './copy-field.tsx'
import { payPlace } from './pay-place.ts'

const channels = ['mobile', 'internet', 'atm'] as const

export type KnownNumber = VirtualAccountView & { number: string }

/** Number, amount, deadline and instructions of a transfer. */
export function TransferNumber({ account, payerName }: { account: KnownNumber; payerName: string }) {
  const { t } = useTranslation('bills')
  const { language } = useSurroundings()
  const queries = useQueryClient()
  const isTransfer = account.way === 'transfer'
  const secondsLeft = Math.max(0, Math.floor((new Date(account.expiresAt).getTime() - useNow(true)) / 1000))
  const check = useMutation({
    mutationFn: () => sendOnce(checkVirtualAccount, { params: { id: account.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(listRegistrationBills) }),
  })
  return (
    <Stack gap="sm">
      {isTransfer ? <NumberToTransfer account={account} /> : <CodeToPay account={account} />}
      <Text size="sm">
        {secondsLeft > 0 ? (
          <>
            {t('account.validUntil', { time: deadline(account.expiresAt, language) })} (
            <Countdown secondsLeft={secondsLeft} />
            ). {t('account.thenNew')}
          </>
        ) : (
          t('account.expired')
        )}
        {isTransfer && (
          <>
            <br />
            {t('account.name', { name: payerName })}
          </>
        )}
      </Text>
      <Text c="dimmed" size="sm">
        {t('account.waiting')}
      </Text>
      <Group>
        <Button
          variant="default"
          classNames={{ root: classes.action, label: classes.actionLabel }}
          onClick={() => check.mutate()}
          loading={check.isPending}
        >
          {t('account.check')}
        </Button>
      </Group>
      <div role="status">
        {check.isSuccess && check.data.data.found === 0 && <Text size="sm">{t('account.checkedNone')}</Text>}
        {check.isError && <Alert color="red">{check.error.message}</Alert>}
      </div>
      {isTransfer && <HowToTransfer account={account} payerName={payerName} />}
    </Stack>
  )
}

function NumberToTransfer({ account }: { account: KnownNumber }) {
  const { t } = useTranslation('bills')
  return (
    <>
      {account.qr && <DemoCode number={account.number} qr={account.qr} />}
      <Stack gap="sm" role="group" aria-label={account.bankName} {...payPlace}>
        <Text fw={600}>{account.bankName}</Text>
        <CopyField
          label={t('account.number')}
          displayText={groupedNumber(account.number)}
          value={account.number}
          copyLabel={t('account.copyNumber')}
        />
      </Stack>
      <CopyField
        label={t('account.amount')}
        displayText={rupiah(account.amount)}
        value={String(account.amount)}
        copyLabel={t('account.copyAmount')}
      />
    </>
  )
}

/** A QRIS code to scan, or the link to a wallet. Both carry the amount, so there is nothing to copy. */
function CodeToPay({ account: { way, qr, payUrl, bankName, amount } }: { account: KnownNumber }) {
  const { t } = useTranslation('bills')
  return (
    <>
      <Text fw={600} {...payPlace}>
        {bankName}
      </Text>
      {qr && <Code {...qr} label={t('account.qrisCode')} />}
      {payUrl && (
        <Button component="a" href={payUrl} size="lg" fullWidth>
          {t('account.openWallet', { wallet: bankName })}
        </Button>
      )}
      <Text>
        {t(`account.pay.${way === 'qris' ? 'qris' : 'wallet'}`, { wallet: bankName, amount: rupiah(amount) })}
      </Text>
    </>
  )
}

function HowToTransfer({ account, payerName }: { account: KnownNumber; payerName: string }) {
  const { t } = useTranslation('bills')
  return (
    <div>
      <Text fw={600} mb={4}>
        {t('how.title')}
      </Text>
      <Accordion variant="contained" order={3}>
        {channels.map((channel) => (
          <Accordion.Item key={channel} value={channel}>
            <Accordion.Control>{t(`how.${channel}`)}</Accordion.Control>
            <Accordion.Panel>
              <ol className={classes.steps}>
                {(
                  t(`how.steps.${channel}`, {
                    returnObjects: true,
                    bank: account.bankName,
                    number: groupedNumber(account.number),
                    name: payerName,
                    amount: rupiah(account.amount),
                  }) as string[]
                ).map((step) => (
                  <li key={step}>{step}</li>
                ))}
              </ol>
            </Accordion.Panel>
          </Accordion.Item>
        ))}
      </Accordion>
    </div>
  )
}

function Code({ size, path, label }: NonNullable<KnownNumber['qr']> & { label: string }) {
  return (
    <svg className={classes.qr} viewBox={`-4 -4 ${size + 8} ${size + 8}`} role="img" aria-label={label}>
      <rect x={-4} y={-4} width={size + 8} height={size + 8} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}

/** The demo bank's code to scan, first on the page, and the way to the same page on this phone. */
function DemoCode({ number, qr }: { number: string; qr: NonNullable<KnownNumber['qr']> }) {
  const { t } = useTranslation('bills')
  return (
    <div className={classes.demo}>
      <Code {...qr} label={t('account.qr')} />
      {t('account.demo')} {t('account.scan')}{' '}
      <Anchor component={Link} to={`/sandbox-bank/${number}`} target="_blank">
        {t('account.openDemo')}
      </Anchor>
    </div>
  )
}

function Countdown({ secondsLeft }: { secondsLeft: number }) {
  const { t } = useTranslation('bills')
  const days = Math.floor(secondsLeft / 86_400)
  const hours = Math.floor((secondsLeft % 86_400) / 3_600)
  const minutes = Math.floor((secondsLeft % 3_600) / 60)
  const key = days > 0 ? 'days' : hours > 0 ? 'hours' : 'minutes'
  // Not a live region, because screen readers would announce every second.
  return (
    <span className="tabular" style={{ whiteSpace: 'nowrap' }} role="timer" aria-live="off">
      {t(`account.left.${key}`, { days, hours, minutes, seconds: secondsLeft % 60 })}
    </span>
  )
}
