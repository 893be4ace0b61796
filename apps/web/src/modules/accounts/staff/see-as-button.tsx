import type { ButtonProps } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconEye } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { seeAs } from '#domain/accounts/staff-endpoints.ts'
import { useSend } from '#web/api/send.ts'
import { seeAs as goOnAs } from '#web/shell/see-as.ts'
import { useSession } from '#web/shell/session.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'

type Props = ButtonProps & { account: { id: string; name: string }; refusal?: string | null }

/** Begins seeing the product as somebody else; says before what that means. */
export function SeeAsButton({ account, refusal, ...button }: Props) {
  const send = useSend(seeAs)
  const { t } = useTranslation('staff-accounts')
  const { may, user, seenBy } = useSession()
  const navigate = useNavigate()
  if (!may('settings-accounts-impersonate') || user?.id === account.id || seenBy) return null
  const icon = <IconEye size={18} aria-hidden />
  if (refusal)
    return (
      <DisabledReason variant="default" leftSection={icon} reason={refusal} {...button}>
        {t('detail.seeAs')}
      </DisabledReason>
    )
  const begin = async () => {
    try {
      await goOnAs(await send({ params: { id: account.id } }))
      navigate('/dashboard')
    } catch (error) {
      notifications.show({ color: 'red', message: (error as Error).message })
      throw error
    }
  }
  return (
    <ConfirmButton
      variant="default"
      leftSection={icon}
      title={t('detail.seeAsTitle', { name: account.name })}
      message={t('detail.seeAsText', { name: account.name })}
      confirmLabel={t('detail.seeAsStart')}
      onConfirm={begin}
      {...button}
    >
      {t('detail.seeAs')}
    </ConfirmButton>
  )
}
