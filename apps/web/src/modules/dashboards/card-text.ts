import type { TFunction } from 'i18next'
import type { CardFigure, CardLine } from '#domain/dashboards/endpoints.ts'
import { percent, rupiah, wholeNumber } from '#locales/format.ts'

/** Namespaces whose words a card may show; loaded together, before the first card is drawn. */
export const cardNamespaces = ['dashboards', 'approvals', 'applicants', 'admissions'] as const
export type CardWords = TFunction<typeof cardNamespaces>

type Kind = CardFigure['kind']

/** Formats a value of a card; a dash if it is unknown. */
export function valueText(value: number | null | undefined, kind: Kind, t: CardWords): string {
  if (value === null || value === undefined) return '–'
  if (kind === 'money') return rupiah(value)
  if (kind === 'share') return percent(value)
  if (kind === 'days') return t('days', { count: Math.round(value), replace: { count: wholeNumber(value) } })
  return wholeNumber(value)
}

/** From this multiple on, the previous figure says more than a percentage. */
const muchMoreFrom = 10

/** Says in words how a figure compares; undefined without a comparison. */
export function comparisonText({ value, before, against, kind }: CardFigure, t: CardWords): string | undefined {
  if (value === null || before === null || against === null) return undefined
  const outcome =
    before === 0
      ? 'none'
      : value >= before * muchMoreFrom
        ? 'muchMore'
        : value > before
          ? 'more'
          : value < before
            ? 'less'
            : 'same'
  return t(`comparisons.${against as 'season' | 'week'}.${outcome}`, {
    change: before === 0 ? '' : percent(Math.abs(value / before - 1)),
    before: valueText(before, kind, t),
  })
}

/** Word for a line: from this namespace, or from the one before a colon. */
export const wordText = (word: string, t: CardWords): string =>
  t((word.includes(':') ? word : `words.${word}`) as 'words.started')

export const lineText = ({ label, word }: CardLine, t: CardWords): string => label ?? (word ? wordText(word, t) : '–')
