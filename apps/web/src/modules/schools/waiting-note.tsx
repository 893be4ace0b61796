import { Alert, Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { comparePairs } from '#domain/schools/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import { sendOnce } from '#web/api/send.ts'
import { Missing } from '#web/ui/states/missing.tsx'
import { useMayDecide, useSchoolQuality, useSchoolRefresh } from './use-school-data.ts'

/** Says how many schools wait for comparison after an import, with a button that compares them now. */
export function WaitingNote() {
  const { t } = useTranslation('schools')
  const refresh = useSchoolRefresh()
  const { data, error, refetch } = useSchoolQuality()
  const mayDecide = useMayDecide()
  const compare = useMutation({
    mutationFn: () => sendOnce(comparePairs),
    onSuccess: ({ data: { compared } }) => {
      notifications.show({ message: t('compared', { count: compared }), color: 'green' })
      refresh()
    },
  })
  const waiting = data?.data.waiting ?? 0
  if (error && !data) return <Missing error={error} onRetry={refetch} />
  if (waiting === 0) return null
  return (
    <Alert variant="light" mb="md" role="status">
      <Group justify="space-between">
        {compare.error?.message ?? t('waiting', { count: waiting, formatted: wholeNumber(waiting) })}
        {mayDecide && (
          <Button size="compact-md" variant="default" loading={compare.isPending} onClick={() => compare.mutate()}>
            {t('compareNow')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
