import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { forecastCalls, forecastReports, keepSeasons } from '#domain/seasons/endpoints.ts'
import { longDate } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** How far the history is stored, with a button for staff who check the books. */
export function KeptDays({ until }: { until: string | null }) {
  const { t } = useTranslation('seasons')
  const { language } = useSurroundings()
  const { may } = useSession()
  const client = useQueryClient()
  const keeping = useMutation<{ data: { days: number; until: string | null } }, ApiError>({
    mutationFn: () => sendOnce(keepSeasons),
    onSuccess: ({ data }) => {
      notifications.show({
        color: 'green',
        message:
          data.days === 0 && data.until
            ? t('keptAlready', { day: longDate(data.until, language) })
            : t('keptNow', { count: data.days }),
      })
      for (const slug of forecastReports) void client.invalidateQueries({ queryKey: keyOf(forecastCalls(slug).read) })
    },
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
  return (
    <Group gap="sm" justify="space-between">
      <Text size="sm" c="dimmed" maw="75ch">
        {until ? t('keptUntil', { day: longDate(until, language) }) : t('keptNever')}
      </Text>
      {may('ops-invariants') && (
        <Button
          variant="default"
          size="sm"
          className="no-print"
          loading={keeping.isPending}
          onClick={() => keeping.mutate()}
        >
          {t('keep')}
        </Button>
      )}
    </Group>
  )
}
