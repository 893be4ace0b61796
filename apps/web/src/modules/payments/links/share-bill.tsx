import { Button, Group, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { isOwed } from '#domain/payments/bills/bill-status.ts'
import { type BillView, listRegistrationBills } from '#domain/payments/bills/endpoints.ts'
import {
  listPaymentLinks,
  type PaymentLink,
  sharePayment,
  takeBackPaymentLink,
} from '#domain/payments/links/endpoints.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useAction } from '#web/api/use-action.ts'
import classes from '#web/modules/payments/bills/bills.module.css'
import { CopyField } from '#web/modules/payments/bills/pay/copy-field.tsx'
import { useBills } from '#web/modules/payments/bills/use-bills.ts'
import { deadline } from '#web/modules/payments/bills/words.ts'
import { useBranding } from '#web/shell/branding.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

const pollMs = 15_000

/** Lets the applicant send a bill to those who pay it, and shows whether the link was opened. */
export function ShareBill({ bill }: { bill: BillView }) {
  const { t } = useTranslation('payment-links')
  const { may } = useSession()
  const { data, dataUpdatedAt, error, refetch } = useEndpoint(
    listPaymentLinks,
    { params: { id: bill.registrationId } },
    { staleTime: 0, refetchInterval: ({ state }) => (state.data?.data.length ? pollMs : false) },
  )
  const { running, act } = useAction(keyOf(listPaymentLinks))
  const link = data?.data.find(({ billId }) => billId === bill.id)
  const owed = isOwed(bill.status)
  const queries = useQueryClient()
  const isWaiting = owed && link !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: somebody may pay by the link, so bills are read as often
  useEffect(() => {
    if (isWaiting) void queries.invalidateQueries({ queryKey: keyOf(listRegistrationBills) })
  }, [dataUpdatedAt, isWaiting])
  if (bill.status === 'cancelled' || !may('pendaftaran-edit')) return null
  if (!data) return owed && <Missing error={error} onRetry={refetch} />
  if (!owed && !link) return null
  const share = () => act('share', () => sendOnce(sharePayment, { params: { id: bill.id } }))
  return (
    <Card title={t('title')}>
      {link ? (
        <MadeLink bill={bill} link={link} />
      ) : (
        <Stack gap="sm">
          <Text>{t('text')}</Text>
          <Button
            variant="default"
            classNames={{ root: classes.action, label: classes.actionLabel }}
            loading={running === 'share'}
            onClick={share}
          >
            {t('make')}
          </Button>
        </Stack>
      )}
    </Card>
  )
}

function MadeLink({ bill, link }: { bill: BillView; link: PaymentLink }) {
  const { t } = useTranslation('payment-links')
  const { shortName, name } = useBranding()
  const { data: bills } = useBills(bill.registrationId)
  const { language } = useSurroundings()
  const { actOrThrow } = useAction(keyOf(listPaymentLinks))
  const { url, visits, lastOpenedAt, createdAt } = link
  const { next } = bill
  const message =
    url &&
    next &&
    t(next.dueAt ? 'message' : 'messageAnytime', {
      name: firstName(bills?.data.registration.applicantName ?? ''),
      kind: t(`kind.${bill.kind}`),
      university: shortName || name,
      amount: rupiah(next.amount),
      due: next.dueAt && deadline(next.dueAt, language),
      url,
    })
  const takeBack = () => sendOnce(takeBackPaymentLink, { params: { id: link.id } })
  return (
    <Stack gap="sm">
      <StatusDot
        tone={next ? (lastOpenedAt ? 'progress' : 'waiting') : 'done'}
        label={
          next
            ? lastOpenedAt
              ? t('opened', { count: visits, time: dateTime(lastOpenedAt, language) })
              : t('notOpened')
            : t('paid')
        }
      />
      {message && (
        <Button
          component="a"
          href={`https://wa.me/?text=${encodeURIComponent(message)}`}
          target="_blank"
          rel="noreferrer"
          variant="default"
          classNames={{ root: classes.action, label: classes.actionLabel }}
        >
          {t('whatsapp')}
        </Button>
      )}
      {url && (
        <CopyField label={t('address')} displayText={shortAddress(url)} value={url} copyLabel={t('copyAddress')} />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('made', { time: dateTime(createdAt, language) })}
        </Text>
        <ConfirmButton
          variant="subtle"
          danger
          mih={44}
          message={t('takeBackText')}
          onConfirm={() => actOrThrow('takeBack', takeBack, () => t('takenBack'))}
        >
          {t('takeBack')}
        </ConfirmButton>
      </Group>
    </Stack>
  )
}

/** `M. Rizki Pratama` → `Rizki`: the first word that is not abbreviated. */
const firstName = (fullName: string) =>
  fullName.split(/\s+/).find((word) => word.length > 1 && !word.endsWith('.')) ?? fullName

/** Site and first digits: nobody reads the rest, and it is copied whole. */
const shortAddress = (url: string) => `${url.replace(/^https?:\/\//, '').slice(0, -44)}…`
