import { useTranslation } from 'react-i18next'
import type { CampaignPreview } from '#domain/campaigns/endpoints.ts'
import { timeOfDay, weekdayDate, wholeNumber } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Returns the sentence for a skip or failure reason; an unknown code is shown unchanged. */
export function useReason() {
  const { t, i18n } = useTranslation('campaigns')
  return (reason: string) => (i18n.exists(`campaigns:reason.${reason}`) ? t(`reason.${reason as 'bounced'}`) : reason)
}

/** Returns day and time of a moment, for sentences that name both. */
export function useMoment() {
  const { language } = useSurroundings()
  return (at: string) => ({ day: weekdayDate(at, language), time: timeOfDay(at, language) })
}

/** Returns a sentence such as "4,120 people, 2,000 a day: ends Thursday 14.10". */
export function useForecastText() {
  const { t } = useTranslation('send')
  const momentOf = useMoment()
  return (people: number, { endsAt, limit, perDay }: CampaignPreview['forecast']) => {
    const start = t('forecast.people', { count: people, formatted: wholeNumber(people) })
    if (endsAt === null) return `${start}: ${t('forecast.unknown')}`
    const pace =
      perDay !== null
        ? t('forecast.perDay', { perDay: wholeNumber(perDay) })
        : limit === 'none'
          ? null
          : t(`forecast.limit.${limit}`)
    const end = t('forecast.ends', momentOf(endsAt))
    return [[start, pace].filter(Boolean).join(', '), end].join(': ')
  }
}
