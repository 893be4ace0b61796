import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { cancelSession, type SessionDetail } from '#domain/testing/sessions/endpoints.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'

/** Cancels a session, after explaining what happens to its people. */
export function CancelDialog({ session, onClose }: { session: SessionDetail; onClose: () => void }) {
  const { t } = useTranslation('test-sessions')
  const { id, version, taken } = session
  return (
    <ReasonDialog
      call={cancelSession}
      params={{ id }}
      body={{ version }}
      title={t('cancelling.title')}
      submit={t('cancelling.button')}
      danger
      label={t('cancelling.reason')}
      done={({ data }) => t('cancelling.done', { count: data.told })}
      onClose={onClose}
    >
      <Text>{t('cancelling.text')}</Text>
      <Text fw={600}>{t('moveTime.told', { count: taken })}</Text>
    </ReasonDialog>
  )
}
