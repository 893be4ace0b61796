import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type AccountDetail, resendInvitation, withdrawInvitation } from '#domain/accounts/staff-endpoints.ts'
import { dateTime } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useWayBack } from '#web/shell/way-back.ts'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { useAccountActions } from './use-account-actions.ts'

/** An open invitation, with buttons to send it again or withdraw it. */
export function InvitationCard({ account }: { account: AccountDetail }) {
  const { t } = useTranslation('staff-accounts')
  const { language } = useSurroundings()
  const { may } = useSession()
  const navigate = useNavigate()
  const wayBack = useWayBack()
  const { act, actOrThrow, running } = useAccountActions(account.id)
  const { id, invitation } = account
  if (!invitation) return null
  const sentText = dateTime(invitation.sentAt, language)
  const expiryText = dateTime(invitation.expiresAt, language)
  const isExpired = new Date(invitation.expiresAt) < new Date()
  const sentence = isExpired
    ? t('detail.invitationOver', { until: expiryText })
    : invitation.by
      ? t('detail.invitationOpen', { sent: sentText, until: expiryText, by: invitation.by })
      : t('detail.invitationOpenNobody', { sent: sentText, until: expiryText })
  const withdraw = async () => {
    await sendOnce(withdrawInvitation, { params: { id } })
    navigate(wayBack('/settings/accounts').to, { replace: true })
  }
  return (
    <Card title={t('detail.invitation')}>
      <Stack gap="md">
        <Text>{sentence}</Text>
        {may('settings-accounts-create') && (
          <Group gap="sm">
            <Button
              variant="default"
              loading={running !== undefined}
              onClick={() =>
                act(
                  'resend',
                  () => sendOnce(resendInvitation, { params: { id } }),
                  () => t('detail.resent'),
                )
              }
            >
              {t('detail.resend')}
            </Button>
            <ConfirmButton
              variant="outline"
              danger
              message={t('detail.withdrawText')}
              onConfirm={() => actOrThrow('withdraw', withdraw, () => t('detail.withdrawn'))}
            >
              {t('detail.withdraw')}
            </ConfirmButton>
          </Group>
        )}
      </Stack>
    </Card>
  )
}
