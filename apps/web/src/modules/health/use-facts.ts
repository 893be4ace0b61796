import { useTranslation } from 'react-i18next'
import type { HealthFacts } from '#domain/health/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { dateTime, percent, wholeNumber } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'

const decimals = new Intl.NumberFormat('id-ID', { maximumFractionDigits: 1 })

function bytes(value: number): string {
  const sign = value < 0 ? '-' : ''
  let amount = Math.abs(value)
  for (const unit of ['B', 'kB', 'MB', 'GB']) {
    if (amount < 1_000) return `${sign}${decimals.format(amount)} ${unit}`
    amount /= 1_000
  }
  return `${sign}${decimals.format(amount)} TB`
}

/** Formats facts by the unit at the end of their names: `Bytes`, `Ms`, `Seconds`, `Share` and `At`. */
export function useFacts() {
  const { t } = useTranslation('health')
  const { language } = useSurroundings()
  const milliseconds = (value: number) =>
    value < 1_000
      ? t('milliseconds', { value: wholeNumber(value) })
      : t('seconds', { value: decimals.format(value / 1_000) })
  const seconds = (value: number) =>
    value < 120
      ? t('seconds', { value: decimals.format(value) })
      : value < 7_200
        ? t('minutes', { value: wholeNumber(value / 60) })
        : t('hours', { value: wholeNumber(value / 3_600) })

  function write(name: string, value: string | number | null, inLanguage: Language): string {
    if (value === null) return t(name.endsWith('At') ? 'never' : 'unknown')
    if (typeof value === 'string') {
      if (value === '') return t('unknown')
      return name === 'at' || name.endsWith('At') ? dateTime(value, inLanguage) : value
    }
    // The sentence contains the unit itself.
    if (name === 'aheadSeconds') return decimals.format(value)
    if (name.endsWith('Bytes')) return bytes(value)
    if (name.endsWith('Ms')) return milliseconds(value)
    if (name.endsWith('Seconds')) return seconds(value)
    if (name.endsWith('Share')) return percent(value)
    return wholeNumber(value)
  }

  return {
    milliseconds,
    facts: (values: HealthFacts): Record<string, string> =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [name, write(name, value, language)])),
  }
}
