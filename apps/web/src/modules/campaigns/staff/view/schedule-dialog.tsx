import { Radio, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Campaign, forecastCampaign, releaseCampaign, rescheduleCampaign } from '#domain/campaigns/endpoints.ts'
import { timeOfDay, weekdayDate, wholeNumber } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useForm } from '#web/api/use-form.ts'
import { useForecastText, useMoment } from '#web/modules/campaigns/staff/use-campaign-words.ts'
import { fromWallClock, toWallClock } from '#web/resource/wall-clock.ts'
import { DateTimePicker } from '#web/ui/form/dates.ts'
import { DialogForm } from '#web/ui/form/form.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

type Props = { campaign: Campaign; step: 'release' | 'reschedule'; onClose: () => void }

/** Releases a planned campaign now or for later, or changes when a released campaign starts. */
export function ScheduleDialog({ campaign, step, onClose }: Props) {
  const { t } = useTranslation('send')
  const forecastText = useForecastText()
  const { language } = useSurroundings()
  const momentOf = useMoment()
  const { id, reachable, needsSecondPerson } = campaign
  // Version when the dialog opened. The server refuses a stale version with 409.
  const [version] = useState(campaign.version)
  const [isLater, setLater] = useState(campaign.startsAt !== null)
  const [startsAt, setStartsAt] = useState(campaign.startsAt)
  const { data, error, refetch } = useEndpoint(
    forecastCampaign,
    { params: { id }, query: isLater && startsAt ? { startsAt } : {} },
    { enabled: !isLater || startsAt !== null },
  )
  const forecast = data?.data
  const whenSent = ({ startsAt: at }: Campaign) => (at ? t('stepDone.later', momentOf(at)) : t('stepDone.release'))
  // Today in the university's time zone, because the device may be in another.
  const today = toWallClock(new Date().toISOString()).slice(0, 10)
  const form = useForm({
    call: step === 'release' ? releaseCampaign : rescheduleCampaign,
    params: { id },
    body: { version, startsAt: isLater ? startsAt : null },
    // Refuses "later" without a time, because the server takes null as "at once".
    ...(isLater && startsAt === null && { known: { startsAt: t('schedule.noTime') } }),
    done: ({ data }) => (step === 'release' && data.state === 'to_approve' ? t('stepDone.toApprove') : whenSent(data)),
    onDone: onClose,
  })
  return (
    <DialogForm
      form={form}
      title={t(`schedule.title.${step}`)}
      submit={t(
        step === 'reschedule'
          ? 'schedule.save'
          : needsSecondPerson
            ? 'schedule.ask'
            : isLater
              ? 'schedule.later'
              : 'schedule.now',
      )}
      onClose={onClose}
    >
      <Text>{t('schedule.text', { count: reachable, formatted: wholeNumber(reachable) })}</Text>
      {step === 'release' && needsSecondPerson && <Text>{t('schedule.secondPerson')}</Text>}
      <Radio.Group
        label={t('schedule.when')}
        value={isLater ? 'later' : 'now'}
        onChange={(value) => setLater(value === 'later')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="now" label={t('schedule.atOnce')} />
          <Radio value="later" label={t('schedule.atTime')} />
        </Stack>
      </Radio.Group>
      {isLater && (
        <DateTimePicker
          label={t('schedule.startsAt')}
          valueFormat="DD MMMM YYYY, HH.mm"
          minDate={today}
          highlightToday
          value={startsAt && toWallClock(startsAt)}
          onChange={(value) => setStartsAt(value && fromWallClock(value))}
          {...form.field('startsAt')}
          withAsterisk
        />
      )}
      <Missing error={error} onRetry={refetch} />
      {forecast?.quietUntil && (
        <Text>
          {t('schedule.quiet', {
            day: weekdayDate(forecast.quietUntil, language),
            time: timeOfDay(forecast.quietUntil, language),
          })}
        </Text>
      )}
      {forecast && <Text c="dimmed">{forecastText(reachable, forecast)}</Text>}
    </DialogForm>
  )
}
