import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { failReasons, skipReasons } from '#domain/campaigns/campaigns.ts'
import type { Campaign } from '#domain/campaigns/endpoints.ts'
import { listRecipients } from '#domain/campaigns/lists.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { recipientTones } from '#web/modules/campaigns/staff/tones.ts'
import { useReason } from '#web/modules/campaigns/staff/use-campaign-words.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

/** Prefix of the recipient list's query parameters. */
export const recipientsPrefix = 'r.'

const recipientsId = 'recipients'

export function goToRecipients() {
  const list = document.getElementById(recipientsId)
  list?.focus({ preventScroll: true })
  list?.scrollIntoView()
}

/** Lists the recipients recorded when the campaign was planned, with their states. */
export function RecipientsCard({ campaign: { id, counts } }: { campaign: Campaign }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const { may } = useSession()
  const reasonOf = useReason()
  // The URL may filter by a reason that a retry has removed from the counts.
  const chosenReason = useSearchParams()[0].get(`${recipientsPrefix}reason`)
  const reasons = [
    ...new Set([
      ...counts.flatMap(({ reason }) => reason ?? []),
      ...(chosenReason ? [chosenReason] : []),
      ...skipReasons,
      ...failReasons,
    ]),
  ]
  return (
    <div id={recipientsId} tabIndex={-1}>
      <ListCard
        list={listRecipients}
        params={{ id }}
        prefix={recipientsPrefix}
        title={t('campaigns:recipients')}
        searchLabel={t('view.searchRecipients')}
        rowTitle={({ name }) => name}
        rowId={({ number }) => String(number)}
        href={({ registrationId }) =>
          registrationId && may('pendaftaran-view') ? `/pendaftaran/${registrationId}` : undefined
        }
        controls={{
          reason: { kind: 'choice', choices: reasons.map((value) => ({ value, label: reasonOf(value) })) },
        }}
        cells={{
          state: ({ state }) => (
            <StatusDot tone={recipientTones[state]} label={t(`campaigns:recipientState.${state}`)} />
          ),
        }}
        card={({ state, reason, channel, phone, email }) => (
          <Facts
            facts={[
              [
                t('campaigns:recipientColumn.state'),
                <StatusDot key="state" tone={recipientTones[state]} label={t(`campaigns:recipientState.${state}`)} />,
              ],
              ...(reason ? [[t('campaigns:recipientColumn.reason'), reasonOf(reason)] as const] : []),
              ...(channel
                ? [[t('campaigns:recipientColumn.channel'), t(`campaigns:channel.${channel}`)] as const]
                : []),
              ...(channel !== 'email' && phone ? [[t('campaigns:recipientColumn.phone'), phone] as const] : []),
              ...(channel !== 'whatsapp' && email ? [[t('campaigns:recipientColumn.email'), email] as const] : []),
            ]}
          />
        )}
        empty={{ title: t('view.noRecipients') }}
      />
    </div>
  )
}
