import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { releaseParticipants, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds } from '#web/list/actions/row-action.ts'

type Props = { session: SessionDetail; rows: readonly { id: string; name: string }[] } & DialogEnds

/** Releases seats with a reason that the people read. */
export function ReleaseDialog({ session, rows, ...ends }: Props) {
  const { t } = useTranslation('test-sessions')
  const count = rows.length
  return (
    <ReasonDialog
      call={releaseParticipants}
      params={{ id: session.id }}
      body={{ ids: rows.map(({ id }) => id) }}
      title={t('release.title')}
      submit={t('release.button', { count })}
      danger
      label={t('release.reason')}
      done={({ data }) => t('release.done', { count: data.released })}
      {...ends}
    >
      <Text>{t('release.text', { count })}</Text>
      <Text size="sm" c="dimmed">
        {rows.map(({ name }) => name).join(', ')}
      </Text>
    </ReasonDialog>
  )
}
