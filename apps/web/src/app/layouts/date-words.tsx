import { MantineThemeProvider } from '@mantine/core'
import { DatesProvider } from '@mantine/dates'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { dateLocaleFor } from '#web/shell/date-locale.ts'
import { useLanguage } from '#web/shell/language.ts'

const words = [
  'nextMonth',
  'previousMonth',
  'nextYear',
  'previousYear',
  'nextDecade',
  'previousDecade',
  'monthLevelControl',
  'yearLevelControl',
] as const

/** Month names, first weekday and button labels for all calendars; labels for buttons that clear a field. */
export function DateWords({ children }: { children: ReactNode }) {
  const { t } = useTranslation(['navigation', 'common'])
  const ariaLabels = Object.fromEntries(words.map((word) => [word, t(`calendar.${word}`)]))
  const calendar = { defaultProps: { ariaLabels } }
  const components = {
    InputClearButton: { defaultProps: { 'aria-label': t('common:actions.remove') } },
    DateInput: calendar,
    DatePickerInput: calendar,
    DateTimePicker: calendar,
    TimePicker: { defaultProps: { minutesInputLabel: t('calendar.minutes') } },
  }
  return (
    <DatesProvider settings={{ locale: dateLocaleFor(useLanguage()), firstDayOfWeek: 1 }}>
      <MantineThemeProvider theme={{ components }} inherit>
        {children}
      </MantineThemeProvider>
    </DatesProvider>
  )
}
