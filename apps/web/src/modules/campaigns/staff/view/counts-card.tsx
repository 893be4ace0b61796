import { Anchor, Progress, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type RecipientState, recipientStates } from '#domain/campaigns/campaigns.ts'
import type { Campaign } from '#domain/campaigns/endpoints.ts'
import { campaignPath } from '#domain/campaigns/screens.ts'
import { wholeNumber, wholePercent } from '#locales/format.ts'
import shared from '#web/modules/campaigns/staff/campaigns.module.css'
import { recipientTones } from '#web/modules/campaigns/staff/tones.ts'
import { useForecastText, useReason } from '#web/modules/campaigns/staff/use-campaign-words.ts'
import { Card } from '#web/ui/card.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { peopleIn, progressOf } from './progress.ts'
import { goToRecipients, recipientsPrefix } from './recipients-card.tsx'
import classes from './view.module.css'

const barParts = [
  { name: 'arrived', states: ['delivered', 'read'], color: 'green.8' },
  { name: 'underWay', states: ['handed', 'accepted'], color: 'blue.7' },
  { name: 'uncertain', states: ['uncertain'], color: 'yellow.7' },
  { name: 'failed', states: ['failed'], color: 'red.8' },
] as const satisfies { name: string; states: readonly RecipientState[]; color: string }[]

/** Shows how many recipients are in each state, how far sending is, and why recipients were skipped or failed. */
export function CountsCard({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const forecastText = useForecastText()
  const reasonOf = useReason()
  const { audience, counts, reachable, forecast, child } = campaign
  const waiting = peopleIn(counts, 'planned')
  const { sent, all } = progressOf(counts)
  const reasons = counts.flatMap(({ reason, ...count }) =>
    reason && (count.state === 'skipped' || count.state === 'failed') ? [{ ...count, reason }] : [],
  )
  return (
    <Card title={t('view.counts')}>
      <Stack gap="md">
        <dl className={classes.figures}>
          {recipientStates.map((state) => (
            <div key={state} className={classes.figure}>
              <dt>
                <StatusDot tone={recipientTones[state]} label={t(`campaigns:recipientState.${state}`)} />
              </dt>
              <dd>
                {peopleIn(counts, state) > 0 ? (
                  <Anchor
                    component={Link}
                    inherit
                    to={`?${recipientsPrefix}state=${state}`}
                    preventScrollReset
                    onClick={goToRecipients}
                    aria-label={t('view.showState', {
                      count: wholeNumber(peopleIn(counts, state)),
                      state: t(`campaigns:recipientState.${state}`),
                    })}
                  >
                    {wholeNumber(peopleIn(counts, state))}
                  </Anchor>
                ) : (
                  '0'
                )}
              </dd>
            </div>
          ))}
        </dl>
        {reachable > 0 && (
          <Stack gap={6}>
            <Progress.Root size="lg" aria-hidden="true">
              {barParts.map(({ name, states, color }) => (
                <Progress.Section
                  key={name}
                  value={(peopleIn(counts, ...states) / Math.max(1, all)) * 100}
                  color={color}
                />
              ))}
            </Progress.Root>
            <Text size="sm" role="status">
              {t('view.progress', {
                done: wholeNumber(sent),
                all: wholeNumber(all),
                share: wholePercent(sent / Math.max(1, all)),
              })}
            </Text>
          </Stack>
        )}
        {forecast && waiting > 0 && <Text fw={500}>{forecastText(waiting, forecast)}</Text>}
        {peopleIn(counts, 'uncertain') > 0 && <Text size="sm">{t('view.uncertainText')}</Text>}
        {reasons.length > 0 && (
          <Stack gap={6} maw={640}>
            <Text fw={600}>{t('view.reasons')}</Text>
            <ul className={shared.reasons}>
              {reasons.map(({ state, channel, reason, people }) => (
                <li key={`${state} ${channel} ${reason}`}>
                  <span>
                    <Anchor
                      component={Link}
                      to={`?${new URLSearchParams({ [`${recipientsPrefix}state`]: state, [`${recipientsPrefix}reason`]: reason })}`}
                      preventScrollReset
                      onClick={goToRecipients}
                    >
                      {[
                        t(`campaigns:recipientState.${state}`),
                        ...(state === 'failed' && channel ? [t(`campaigns:channel.${channel}`)] : []),
                      ].join(', ')}
                      {': '}
                      {reasonOf(reason)}
                    </Anchor>
                    {reason === 'continued' && child && (
                      <>
                        {': '}
                        <Anchor component={Link} to={campaignPath({ audience, id: child.id })}>
                          {child.name}
                        </Anchor>
                      </>
                    )}
                  </span>
                  <span>{wholeNumber(people)}</span>
                </li>
              ))}
            </ul>
          </Stack>
        )}
      </Stack>
    </Card>
  )
}
