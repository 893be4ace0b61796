import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { timeOfDay } from '#locales/format.ts'
import { Failure } from '#web/ui/states/failure.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { SessionCards } from './session-cards.tsx'
import type { useTestSchedule } from './use-test-seat.ts'

type Props = {
  schedule: ReturnType<typeof useTestSchedule>['schedule']
  chosenId: string | null
  onChoose: (id: string) => void
  failure: string | undefined
}

/** Selects a session with free seats; the server holds the chosen seat for a short time. */
export function StepTest({ schedule, chosenId, onChoose, failure }: Props) {
  const { t } = useTranslation('testing')
  const { language } = useSurroundings()
  if (schedule.isPending) return <LoadingRows rows={3} height={76} />
  if (!schedule.data) return null
  const { sessions, seat, blockedBy } = schedule.data.data
  if (blockedBy) return <Text>{t(`blocked.${blockedBy}`)}</Text>
  return (
    <Stack gap="md">
      <Text c="dimmed">{t('holdHint')}</Text>
      {seat?.status === 'held' && seat.heldUntil && (
        <StatusDot tone="attention" label={t('held', { time: timeOfDay(seat.heldUntil, language) })} />
      )}
      <SessionCards
        label={t('choose')}
        sessions={sessions}
        chosenId={chosenId ?? seat?.session.id ?? null}
        ownId={seat?.session.id ?? null}
        onChoose={onChoose}
      />
      <Failure>{failure}</Failure>
    </Stack>
  )
}
