import { Alert, Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { HeldDecision } from '#domain/payments/approvals/held-money.ts'
import { askHeldAmount, listHeldAmounts, type PaymentAlert } from '#domain/payments/money/endpoints.ts'
import { isBookable } from '#domain/payments/money/held-amount.ts'
import { groupedNumber } from '#domain/payments/providers/virtual-account-number.ts'
import { dateTime, rupiah } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import { useMoneyWords } from '#web/modules/payments/approvals/words.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Amount of an alert, or the bank's own text if it is not a valid amount. */
export const amountOf = ({ amount, amountTold }: Pick<PaymentAlert, 'amount' | 'amountTold'>) =>
  amount === null && amountTold ? amountTold : rupiah(amount ?? 0)

/** Payments above their connection's maximum, each needing two people; renders nothing if there are none. */
export function HeldAmounts() {
  const { t } = useMoneyWords()
  const { t: a } = useTranslation('banks')
  const { language } = useSurroundings()
  const { data, error, refetch } = useEndpoint(listHeldAmounts)
  if (error && !data) return <Missing what={t('held.title')} error={error} onRetry={refetch} />
  if (!data || data.data.length === 0) return null
  return (
    <Alert color="orange" variant="light" role="status" title={t('held.title')} mb="md">
      <Stack gap="md">
        <Text size="sm">{t('held.text')}</Text>
        {data.data.map((heldAmount) => (
          <Stack gap="xs" key={heldAmount.id} style={{ overflowWrap: 'anywhere' }}>
            <Text fw={600}>{amountOf(heldAmount)}</Text>
            <Text size="sm">
              {heldAmount.registrationId && (
                <>
                  <Anchor component={Link} to={`/pendaftaran/${heldAmount.registrationId}`} size="sm">
                    {heldAmount.applicantName}
                  </Anchor>
                  <br />
                </>
              )}
              {t('held.through', { through: heldAmount.through, number: groupedNumber(heldAmount.number) })}
              <br />
              {a('alerts.reference', {
                reference: heldAmount.reference,
                at: dateTime(heldAmount.raisedAt, language),
              })}
            </Text>
            <HeldActions alert={heldAmount} />
          </Stack>
        ))}
      </Stack>
    </Alert>
  )
}

/** Buttons for a held amount, or a note that a request is pending. */
export function HeldActions({ alert }: { alert: PaymentAlert }) {
  const { t } = useMoneyWords()
  const { may } = useSession()
  const [openDecision, setOpenDecision] = useState<HeldDecision | null>(null)
  if (alert.asked) return <Text size="sm">{t('held.asked')}</Text>
  if (!may('pembayaran-mahasiswa-update')) return null
  return (
    <>
      <Group gap="sm">
        {isBookable(alert.amount) && (
          <Button variant="default" onClick={() => setOpenDecision('book')} children={t('held.book')} />
        )}
        <Button variant="default" onClick={() => setOpenDecision('dismiss')} children={t('held.dismiss')} />
      </Group>
      {openDecision && <HeldDialog alert={alert} decision={openDecision} onClose={() => setOpenDecision(null)} />}
    </>
  )
}

type DialogProps = { alert: PaymentAlert; decision: HeldDecision; onClose: () => void }

function HeldDialog({ alert, decision, onClose }: DialogProps) {
  const { t } = useMoneyWords()
  return (
    <ReasonDialog
      call={askHeldAmount}
      params={{ id: alert.id }}
      body={{ decision }}
      title={t(`held.${decision}Title`, { amount: amountOf(alert) })}
      submit={t(`held.${decision}`)}
      label={t('approvals:approval.reason')}
      description={t('approvals:reasonHelp')}
      done={t('approvals:asked')}
      onClose={onClose}
    >
      <Text>{t(`held.${decision}Text`)}</Text>
    </ReasonDialog>
  )
}
