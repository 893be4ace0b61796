import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { revokeCampusToken } from '#domain/students/campus/endpoints.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'

/** Revokes a token with a reason. */
export function RevokeDialog({ token, ...ends }: { token: { id: string; name: string } } & DialogEnds) {
  const { t } = useTranslation('campus')
  const { id, name } = token
  return (
    <ReasonDialog
      call={revokeCampusToken}
      params={{ id }}
      title={t('revoke.title', { name })}
      submit={t('revoke.action')}
      danger
      label={t('revoke.reason')}
      description={t('revoke.reasonHelp')}
      done={t('revoke.done', { name })}
      {...ends}
    >
      <Text size="sm">{t('revoke.text')}</Text>
    </ReasonDialog>
  )
}
