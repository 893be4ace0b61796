import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import type { CardLook } from '#domain/dashboards/cards.ts'
import type { CardContent, CardLine } from '#domain/dashboards/endpoints.ts'
import { shortDate, timeOfDay, wholeNumber } from '#locales/format.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { type CardWords, lineText, valueText, wordText } from './card-text.ts'
import classes from './cards.module.css'

type Props = { content: CardContent; look: CardLook; t: CardWords }

/** Lines of a card, drawn according to its look. */
export function CardLines({ content, look, t }: Props) {
  const { lines, more } = content
  if (lines.length === 0) return null
  return (
    <>
      {look === 'agenda' ? (
        <Agenda lines={lines} t={t} />
      ) : look === 'columns' ? (
        <Columns content={content} t={t} />
      ) : (
        <LinesTable content={content} look={look} t={t} />
      )}
      {more > 0 && <p className={classes.quiet}>{t('more', { count: more, replace: { count: wholeNumber(more) } })}</p>}
    </>
  )
}

const nameOf = (line: CardLine, t: CardWords) =>
  line.to ? (
    <Anchor component={Link} to={line.to} inherit>
      {lineText(line, t)}
    </Anchor>
  ) : (
    lineText(line, t)
  )

const withBars: readonly CardLook[] = ['bars', 'funnel', 'ageing']

/** Bar lengths between 0 and 1: the card's share if it has one, otherwise the first value relative to the largest. */
function lengthsOf({ lines, columns }: CardContent) {
  const filled = columns.findIndex(({ key }) => key === 'filled')
  if (filled >= 0) return lines.map(({ values }) => Math.min(1, values[filled] ?? 0))
  const most = Math.max(1, ...lines.map(({ values }) => values[0] ?? 0))
  return lines.map(({ values }) => (values[0] ?? 0) / most)
}

function LinesTable({ content, look, t }: Props) {
  const { lines, columns } = content
  const { language } = useSurroundings()
  const lengths = lengthsOf(content)
  // With more than two columns, names are above their values, so that nothing is cut on a 300 pixel card.
  const isWide = columns.length > 2
  const values = (line: CardLine) =>
    columns.map(({ key, kind }, index) => (
      <td
        key={key}
        className={classes.number}
        data-column={columns.length > 1 ? t(`columns.${key as 'people'}`) : undefined}
      >
        {valueText(line.values[index], kind, t)}
      </td>
    ))
  return (
    <table className={classes.lines} data-wide={isWide || undefined}>
      {columns.length > 1 && (
        <thead>
          <tr>
            {!isWide && <td />}
            {columns.map(({ key }) => (
              <th key={key} scope="col" className={classes.number}>
                {t(`columns.${key as 'people'}`)}
              </th>
            ))}
          </tr>
        </thead>
      )}
      {lines.map((line, index) => {
        const name = (
          <>
            {line.at && <span className={classes.quiet}>{timeOfDay(line.at, language)} </span>}
            {nameOf(line, t)}
            {withBars.includes(look) && (
              <span className={classes.bar} aria-hidden="true">
                <span style={{ width: `${(lengths[index]! * 100).toFixed(1)}%` }} />
              </span>
            )}
          </>
        )
        const key = `${line.label} ${line.word} ${line.at}`
        return (
          <tbody key={key}>
            {isWide ? (
              <>
                <tr>
                  <th scope="rowgroup" colSpan={columns.length}>
                    {name}
                  </th>
                </tr>
                <tr>{values(line)}</tr>
              </>
            ) : (
              <tr>
                <th scope="row">{name}</th>
                {values(line)}
              </tr>
            )}
          </tbody>
        )
      })}
    </table>
  )
}

/** Upright bars with their names below, such as hours of a day. */
function Columns({ content: { lines, columns }, t }: Omit<Props, 'look'>) {
  const most = Math.max(1, ...lines.map(({ values }) => values[0] ?? 0))
  const kind = columns[0]?.kind ?? 'count'
  return (
    <ul className={classes.columns}>
      {lines.map((line) => (
        <li key={lineText(line, t)}>
          <span className={classes.number}>{valueText(line.values[0], kind, t)}</span>
          <span className={classes.column} aria-hidden="true">
            <span style={{ height: `${(((line.values[0] ?? 0) / most) * 100).toFixed(1)}%` }} />
          </span>
          <span className={classes.quiet}>{lineText(line, t)}</span>
        </li>
      ))}
    </ul>
  )
}

function Agenda({ lines, t }: { lines: readonly CardLine[]; t: CardWords }) {
  const { language } = useSurroundings()
  return (
    <ul className={classes.agenda}>
      {lines.map((line) => (
        <li key={`${line.at} ${line.label} ${line.word}`}>
          {line.at && (
            <time dateTime={line.at} className={classes.quiet}>
              {shortDate(line.at, language)}, {timeOfDay(line.at, language)}
            </time>
          )}
          <span>
            {nameOf(line, t)}
            {line.word && line.label && <span className={classes.quiet}> · {wordText(line.word, t)}</span>}
            {typeof line.values[0] === 'number' && (
              <span className={classes.quiet}> · {valueText(line.values[0], 'count', t)}</span>
            )}
          </span>
        </li>
      ))}
    </ul>
  )
}
