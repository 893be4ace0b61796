import { Button, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'

/** Links from the master data form to the session's page, which lists its people and can move it. */
export default function SessionLink({ id }: { id: string }) {
  const { t } = useTranslation('test-sessions')
  const { may } = useSession()
  if (!may('jadwal-test-update')) return null
  return (
    <Card title={t('session')}>
      <Stack align="flex-start">
        <Text>{t('detail.onPage')}</Text>
        <Button component={Link} to={`/jadwal-test/${id}`} variant="default" children={t('detail.openPage')} />
      </Stack>
    </Card>
  )
}
