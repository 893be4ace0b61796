import { useTranslation } from 'react-i18next'
import type { ReportMail } from '#domain/report-mail/endpoints.ts'

/** Periods the form offers, in days before the sending day. */
export const offeredDays = [1, 7, 30] as const

export const timeOfHour = (hour: number) => `${String(hour).padStart(2, '0')}.00`

/** Rhythm and period of a scheduled mail in words. */
export function useMailWords() {
  const { t } = useTranslation('report-mail')
  return {
    scheduleOf: ({ rhythm, weekday, monthDay, hour }: Pick<ReportMail, 'rhythm' | 'weekday' | 'monthDay' | 'hour'>) =>
      t(`schedule.${rhythm}`, {
        weekday: weekday === null ? '' : t(`weekday.${weekday as 1}`),
        day: monthDay,
        time: timeOfHour(hour),
      }),
    periodOf: (days: number | null) => {
      if (days === null) return t('form.periodAsSeen')
      return (offeredDays as readonly number[]).includes(days)
        ? t(`form.lastDays.${days as 1}`)
        : t('form.lastDaysOther', { days })
    },
  }
}
