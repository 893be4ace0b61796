import { useTranslation } from 'react-i18next'
import type { Campaign } from '#domain/campaigns/endpoints.ts'
import { dateTime, timeOfDay, weekdayDate, wholeNumber } from '#locales/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Audience, purpose, channels, times, and who created, released and approved the campaign. */
export function CampaignFacts({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { language } = useSurroundings()
  const { audience, audienceWords, sheet, purpose, channels, ignoresQuietHours, state } = campaign
  const { created, released, approved, startsAt, startedAt, endedAt, needsSecondPerson } = campaign
  const by = (step: Campaign['created']) => step && `${step.name}, ${dateTime(step.at, language)}`
  const optional = (label: string, value: string | null) => (value ? [[label, value] as const] : [])
  // Filters share a line with the audience, because a status filter on its own line would look like the campaign's status.
  const filters = audienceWords.map(({ label, value }) => `${label}: ${value}`).join('; ')
  const start = startsAt
    ? `${weekdayDate(startsAt, language)}, ${timeOfDay(startsAt, language)}`
    : released && t('view.atOnce')
  return (
    <Card title={t('view.facts')}>
      <Facts
        facts={[
          [
            t('campaigns:column.audience'),
            filters ? `${t(`campaigns:audience.${audience}`)} (${filters})` : t(`campaigns:audience.${audience}`),
          ],
          ...(sheet ? [[t('sheet.file'), `${sheet.fileName} (${wholeNumber(sheet.rows)})`] as const] : []),
          [t('campaigns:column.purpose'), t(`campaigns:purpose.${purpose}`)],
          [t('way.channels'), channels.map((channel) => t(`campaigns:channel.${channel}`)).join(' → ')],
          ...(ignoresQuietHours ? [[t('view.quietHours'), t('view.quietHoursIgnored')] as const] : []),
          ...(needsSecondPerson && state === 'planned'
            ? [[t('view.secondPerson'), t('view.secondPersonNeeded')] as const]
            : []),
          ...optional(t('campaigns:column.startsAt'), start),
          ...optional(t('campaigns:column.startedAt'), startedAt && dateTime(startedAt, language)),
          ...optional(t('campaigns:column.endedAt'), endedAt && dateTime(endedAt, language)),
          [t('campaigns:column.createdBy'), by(created)],
          ...optional(t('view.releasedBy'), by(released)),
          ...optional(t('view.approvedBy'), by(approved)),
        ]}
      />
    </Card>
  )
}
