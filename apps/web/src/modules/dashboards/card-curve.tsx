import type { CardContent } from '#domain/dashboards/endpoints.ts'
import { shortDate } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type CardWords, valueText } from './card-text.ts'
import classes from './cards.module.css'

const [width, height] = [300, 72]

type Props = Pick<CardContent, 'days' | 'curves'> & { t: CardWords }

/** Draws curves over days as a small picture; its text alternative names first, last and highest values. */
export function CardCurve({ days, curves, t }: Props) {
  const { language } = useSurroundings()
  const [firstDay, lastDay] = [days[0], days.at(-1)]
  if (!firstDay || !lastDay || days.length < 2) return null
  const most = Math.max(1, ...curves.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const pointsOf = (values: readonly (number | null)[]) =>
    values.flatMap((value, index) =>
      value === null
        ? []
        : [
            `${((index / (days.length - 1)) * width).toFixed(1)},${(height - (value / most) * (height - 4) - 2).toFixed(1)}`,
          ],
    )
  const named = curves.map(({ key, kind, values }) => {
    const present = values.filter((value) => value !== null)
    return t('curveOf', {
      name: t(`columns.${key as 'received'}`),
      value: valueText(present.at(-1), kind, t),
      most: valueText(present.length > 0 ? Math.max(...present) : null, kind, t),
    })
  })
  const label = t('curve', {
    first: shortDate(firstDay, language),
    last: shortDate(lastDay, language),
    values: named.join('; '),
  })
  return (
    <figure className={classes.curve}>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {curves.map(({ key, values }, index) => (
          <polyline key={key} points={pointsOf(values).join(' ')} data-index={index} />
        ))}
      </svg>
      <figcaption aria-hidden="true">
        <span>{shortDate(firstDay, language)}</span>
        {curves.length > 1 &&
          curves.map(({ key }, index) => (
            <span key={key} className={classes.legend} data-index={index}>
              {t(`columns.${key as 'received'}`)}
            </span>
          ))}
        <span>{shortDate(lastDay, language)}</span>
      </figcaption>
    </figure>
  )
}
