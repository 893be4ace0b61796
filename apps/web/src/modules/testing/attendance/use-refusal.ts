import { useTranslation } from 'react-i18next'
import type { ScanResult } from '#domain/testing/attendance-endpoints.ts'
import { weekdayDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Says why a card does not count in this session. */
export function useRefusal() {
  const { t } = useTranslation('attendance')
  const { language } = useSurroundings()
  return ({ outcome, elsewhere }: Pick<ScanResult, 'outcome' | 'elsewhere'>) =>
    elsewhere
      ? t('verdict.other_session', {
          session: elsewhere.name,
          date: weekdayDate(elsewhere.date, language),
          time: elsewhere.startTime.replace(':', '.'),
        })
      : t(`verdict.${outcome as 'no_seat'}`)
}
