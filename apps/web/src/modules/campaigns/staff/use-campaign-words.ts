import { useTranslation } from 'react-i18next'
import type { CampaignPreview } from '#domain/campaigns/endpoints.ts'
import { timeOfDay, weekdayDate, wholeNumber } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/**
 * Returns a function that turns the code of a skip or failure reason into a sentence. An unknown code is returned
 * unchanged.
 */
export function useReason() {
  const { t, i18n } = useTranslation('campaigns')
  return (reason: string) => (i18n.exists(`campaigns:reason.${reason}`) ? t(`reason.${reason as 'bounced'}`) : reason)
}

/** Returns a function that splits a moment into day and time, for sentences that name both. */
export function useMoment() {
  const { language } = useSurroundings()
  return (at: string) => ({ day: weekdayDate(at, language), time: timeOfDay(at, language) })
}

/** Returns a function that writes "4.120 people, 2.000 a day: done by Thursday, 15 October 2026, 10.00". */
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
