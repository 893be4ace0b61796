import { Anchor, Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type CardKey, cardOf } from '#domain/dashboards/cards.ts'
import { type CardAnswer, type CardContent, cardCalls } from '#domain/dashboards/endpoints.ts'
import type { Language } from '#entities/define/language.ts'
import { shortDate, timeOfDay } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { isQuiet } from '#web/api/quiet-reads.ts'
import { Card } from '#web/ui/card.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { CardCurve } from './card-curve.tsx'
import { CardLines } from './card-lines.tsx'
import { cardNamespaces, comparisonText, valueText } from './card-text.ts'
import classes from './cards.module.css'

/** Milliseconds until a card is read again; `soon` while a newer answer is being computed. */
const againMs = { soon: 3_000, fresh: 60_000 }

/**
 * Reads a card every `everyMs`. After a failure only the wall continues by itself: on the dashboard each further
 * failure would reopen the dialog while people work.
 */
export const useCard = (card: CardKey, everyMs = againMs.fresh) =>
  useEndpoint(
    cardCalls[card],
    {},
    {
      quietAs: 'card',
      refetchInterval: ({ state: { data, error } }) =>
        everyMs >= againMs.fresh && error && !isQuiet('card', error)
          ? false
          : data?.meta.newerSoon
            ? againMs.soon
            : everyMs,
      refetchIntervalInBackground: everyMs < againMs.fresh,
    },
  )

/** One card: question, figures with comparison, picture and lines, each linking to what it counts. */
export function CardView({ card }: { card: CardKey }) {
  const { t } = useTranslation(cardNamespaces)
  const { data, error, refetch } = useCard(card)
  const title = t(`cards.${card}`)
  return (
    <Card title={title} className={classes.card}>
      {data ? (
        <CardBody card={card} answer={data} />
      ) : error ? (
        <Missing error={error} onRetry={refetch} />
      ) : (
        <div aria-busy="true">
          <Skeleton h={36} w="50%" mb={12} />
          <Skeleton h={88} />
        </div>
      )}
    </Card>
  )
}

/** Time of an answer, with its day unless it is today. */
const timeText = (asOf: string, language: Language) =>
  [
    ...(shortDate(asOf, language) === shortDate(new Date(), language) ? [] : [shortDate(asOf, language)]),
    timeOfDay(asOf),
  ].join(', ')

/** The content without links, for the wall. */
const withoutLinks = (content: CardContent): CardContent => ({
  ...content,
  to: null,
  figures: content.figures.map((figure) => ({ ...figure, to: null })),
  lines: content.lines.map((line) => ({ ...line, to: null })),
})

type BodyProps = { card: CardKey; answer: CardAnswer; onWall?: boolean }

/** Content of a card, for the dashboard and the wall. */
export function CardBody({ card, answer: { data, meta }, onWall = false }: BodyProps) {
  const { t } = useTranslation(cardNamespaces)
  const { language } = useSurroundings()
  const content = onWall ? withoutLinks(data) : data
  const { figures, curves, days, lines, notes, to } = content
  return (
    <div className={classes.content}>
      {figures.length > 0 && (
        <dl className={classes.figures}>
          {figures.map((figure) => {
            const comparison = comparisonText(figure, t)
            const text = valueText(figure.value, figure.kind, t)
            return (
              <div key={figure.key} className={classes.figure}>
                <dt>{t(`figures.${figure.key as 'submitted'}`)}</dt>
                <dd>
                  <span className={classes.value}>
                    {figure.to ? (
                      <Anchor component={Link} to={figure.to} inherit>
                        {text}
                      </Anchor>
                    ) : (
                      text
                    )}
                  </span>
                  {comparison && <span className={classes.quiet}>{comparison}</span>}
                </dd>
              </div>
            )
          })}
        </dl>
      )}
      {curves.length > 0 && <CardCurve days={days} curves={curves} t={t} />}
      <CardLines content={content} look={cardOf(card).look} t={t} />
      {figures.length === 0 && lines.length === 0 && notes.length === 0 && (
        <p className={classes.quiet}>{t('nothing')}</p>
      )}
      {notes.map((note) => (
        <p key={note} className={classes.quiet}>
          {t(`notes.${note as 'range'}`)}
        </p>
      ))}
      <p className={classes.foot}>
        <span className={classes.quiet}>
          {t(meta.newerSoon ? 'newerSoon' : 'asOf', { time: timeText(meta.asOf, language) })}
        </span>
        {to && (
          <Anchor component={Link} to={to} inherit aria-label={t('openAll', { title: t(`cards.${card}`) })}>
            {t('open')}
          </Anchor>
        )}
      </p>
    </div>
  )
}
