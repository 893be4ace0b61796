import { Alert, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readInstallation } from '#domain/settings/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { Missing } from '#web/ui/states/missing.tsx'

/** Tells an administrator what it means to run on the embedded database; renders nothing otherwise. */
export function OneMachineNotice() {
  const { t } = useTranslation('dashboard')
  const { data, error, refetch } = useEndpoint(readInstallation, {}, { staleTime: Number.POSITIVE_INFINITY })
  if (error && !data) return <Missing what={t('machine.notice')} error={error} onRetry={refetch} />
  if (!data?.data.onOneMachine) return null
  return (
    <Alert color="primary" variant="light" title={t('machine.title')}>
      <Text size="sm">{t('machine.text')}</Text>
      <Text size="sm" mt={4}>
        {t('machine.docs')}
      </Text>
    </Alert>
  )
}
