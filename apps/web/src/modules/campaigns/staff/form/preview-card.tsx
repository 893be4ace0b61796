import { Stack, Text, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CampaignPreview } from '#domain/campaigns/endpoints.ts'
import { wholeNumber } from '#locales/format.ts'
import shared from '#web/modules/campaigns/staff/campaigns.module.css'
import { useForecastText, useReason } from '#web/modules/campaigns/staff/use-campaign-words.ts'
import { usePlaceholderName } from '#web/modules/campaigns/staff/use-placeholder-name.ts'
import { Card } from '#web/ui/card.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import classes from './form.module.css'

type Props = {
  preview: CampaignPreview | undefined
  error: Error | null
  onRetry: () => unknown
  isFetching: boolean
  /** Whether all needed texts are written without unknown placeholders, so that example messages can be shown. */
  isComplete: boolean
}

/** Shows counts, skip reasons, forecast and example messages. */
export function PreviewCard({ preview, error, onRetry, isFetching, isComplete }: Props) {
  const { t } = useTranslation('send')
  return (
    <Card title={t('step.preview')}>
      <Stack gap="lg" aria-busy={isFetching}>
        {error && <Missing error={error} onRetry={onRetry} />}
        {preview ? (
          <>
            <Counts preview={preview} />
            {isComplete ? <Examples examples={preview.examples} /> : <Text c="dimmed">{t('preview.noText')}</Text>}
          </>
        ) : (
          !error && <Text c="dimmed">{t('preview.noAudience')}</Text>
        )}
      </Stack>
    </Card>
  )
}

function Counts({ preview }: { preview: CampaignPreview }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const reasonOf = useReason()
  const forecastText = useForecastText()
  const { people, reachable, skipped, byChannel, forecast, needsSecondPerson, secondPersonAbove } = preview
  const left = people - reachable
  return (
    <Stack gap="md">
      <div className={classes.figures}>
        {(
          [
            ['people', people],
            ['reachable', reachable],
            ['left', left],
          ] as const
        ).map(([name, count]) => (
          <span key={name} className={classes.figure}>
            <strong>{wholeNumber(count)}</strong>
            <span>{t(`preview.${name}`)}</span>
          </span>
        ))}
      </div>
      {reachable > 0 && <Text fw={500}>{forecastText(reachable, forecast)}</Text>}
      {needsSecondPerson && (
        <Text>
          {t('preview.secondPerson', { count: secondPersonAbove, formatted: wholeNumber(secondPersonAbove) })}
        </Text>
      )}
      {byChannel.length > 0 && (
        <Counted
          title={t('preview.byChannel')}
          rows={byChannel.map(({ channel, people: count }) => [t(`campaigns:channel.${channel}`), count])}
        />
      )}
      {skipped.length > 0 && (
        <Counted
          title={t('preview.skipped')}
          rows={skipped.map(({ reason, people: count }) => [reasonOf(reason), count])}
        />
      )}
    </Stack>
  )
}

function Counted({ title, rows }: { title: string; rows: readonly (readonly [string, number])[] }) {
  return (
    <Stack gap={6} maw={520}>
      <Text fw={600}>{title}</Text>
      <ul className={shared.reasons}>
        {rows.map(([label, count]) => (
          <li key={label}>
            <span>{label}</span>
            <span>{wholeNumber(count)}</span>
          </li>
        ))}
      </ul>
    </Stack>
  )
}

type Example = CampaignPreview['examples'][number]

function Examples({ examples }: { examples: readonly Example[] }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const reasonOf = useReason()
  const placeholderName = usePlaceholderName()
  const [index, setIndex] = useState(0)
  const example = examples[Math.min(index, examples.length - 1)]
  if (!example) return <Text c="dimmed">{t('preview.nobody')}</Text>
  return (
    <Stack gap="xs">
      <Text fw={600}>{t('preview.examples', { count: examples.length })}</Text>
      <div className={classes.preview}>
        <ul className={classes.people}>
          {examples.map((person, number) => (
            <li key={number}>
              <UnstyledButton
                className={classes.person}
                aria-pressed={person === example}
                onClick={() => setIndex(number)}
              >
                <Text fw={500} component="span" display="block">
                  {person.name}
                </Text>
                <Text size="sm" c="dimmed" component="span" display="block">
                  {t(`preview.why.${person.why}`)} · {t(`campaigns:language.${person.language}`)}
                </Text>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        <Stack gap="md" aria-live="polite">
          {example.skipReason && (
            <Text c="var(--mantine-color-error)">
              {t('preview.notWritten', { name: example.name, reason: reasonOf(example.skipReason) })}
            </Text>
          )}
          {example.missing.length > 0 && (
            <Text>{t('preview.missing', { names: example.missing.map(placeholderName).join(', ') })}</Text>
          )}
          <div className={classes.messages}>
            {example.messages.map((message) => (
              <Message key={message.channel} message={message} language={example.language} />
            ))}
          </div>
        </Stack>
      </div>
    </Stack>
  )
}

type MessageProps = { message: Example['messages'][number]; language: Example['language'] }

/** Draws a WhatsApp message as a bubble, and other messages like a mail. */
function Message({ message: { channel, subject, body }, language }: MessageProps) {
  const { t } = useTranslation('campaigns')
  return (
    <Stack gap={6}>
      <Text size="sm" c="dimmed">
        {t(`channel.${channel}`)}
      </Text>
      {channel === 'whatsapp' ? (
        <div className={classes.phone}>
          <div className={classes.bubble} lang={language}>
            {body}
          </div>
        </div>
      ) : (
        <div className={classes.mail} lang={language}>
          {subject && <div className={classes.mailHead}>{subject}</div>}
          <div className={classes.mailBody}>{body}</div>
        </div>
      )}
    </Stack>
  )
}
