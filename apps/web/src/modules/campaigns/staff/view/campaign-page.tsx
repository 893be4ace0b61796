import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { type Campaign, campaignHistory, readCampaign } from '#domain/campaigns/endpoints.ts'
import { listRecipients } from '#domain/campaigns/lists.ts'
import { campaignPath } from '#domain/campaigns/screens.ts'
import type { Endpoint } from '#domain/endpoint.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { campaignTones } from '#web/modules/campaigns/staff/tones.ts'
import { useMoment } from '#web/modules/campaigns/staff/use-campaign-words.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { CampaignFacts } from './campaign-facts.tsx'
import { CountsCard } from './counts-card.tsx'
import { HistoryCard } from './history-card.tsx'
import { RecipientsCard } from './recipients-card.tsx'
import { StepButtons } from './step-buttons.tsx'
import { TextsCard } from './texts-card.tsx'

/** Milliseconds between refetches by state. States without an entry are not polled. */
const pollMs: Partial<Record<Campaign['state'], number>> = {
  running: 2_000,
  paused: 5_000,
  to_approve: 10_000,
  scheduled: 5_000,
  finished: 15_000,
}

/** Refetches the data of an endpoint whenever `part` of the campaign has changed. */
function useFresh(endpoint: Endpoint, part: unknown) {
  const queries = useQueryClient()
  const text = part === undefined ? undefined : JSON.stringify(part)
  const lastText = useRef(text)
  useEffect(() => {
    if (lastText.current !== undefined && lastText.current !== text)
      void queries.invalidateQueries({ queryKey: keyOf(endpoint) })
    lastText.current = text
  }, [text, endpoint, queries])
}

/** Page of a campaign. Refetches as `pollMs` says. */
export default function CampaignPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('campaigns')
  const { data, error, refetch } = useEndpoint(
    readCampaign,
    { params: { id } },
    { refetchInterval: ({ state }) => (state.data && pollMs[state.data.data.state]) ?? false },
  )
  const campaign = data?.data
  usePageTitle(campaign?.name)
  useFresh(listRecipients, campaign?.counts)
  // A step by a colleague or by the server changes version or state.
  useFresh(campaignHistory, campaign && [campaign.version, campaign.state])
  if (!campaign) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const { name, state, plannedAt } = campaign
  return (
    <>
      <PageHeader
        title={name}
        description={
          <span role="status">
            <StatusDot tone={campaignTones[state]} label={t(`state.${state}`)} />
          </span>
        }
        actions={<StepButtons campaign={campaign} />}
      />
      <Stack>
        <Notices campaign={campaign} />
        {plannedAt && <CountsCard campaign={campaign} />}
        <CampaignFacts campaign={campaign} />
        <TextsCard campaign={campaign} />
        {plannedAt && <RecipientsCard campaign={campaign} />}
        <HistoryCard id={id} />
      </Stack>
    </>
  )
}

/** Alerts for the current state, and links to the parent campaign and the child campaign, if any. */
function Notices({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation(['send', 'campaigns'])
  const momentOf = useMoment()
  const { state, pauseReason, quietUntil, nextAt, parent, child, audience, may, released } = campaign
  return (
    <>
      {state === 'draft' && <Alert variant="light">{t('view.draftText')}</Alert>}
      {state === 'planned' && <Alert variant="light">{t('view.plannedText')}</Alert>}
      {state === 'to_approve' && (
        <Alert variant="light" color="yellow">
          {may.includes('approve')
            ? t('view.approveText', { name: released?.name ?? '—' })
            : t('view.waitsText', { name: released?.name ?? '—' })}
        </Alert>
      )}
      {state === 'paused' && (
        <Alert variant="light" color="yellow">
          {pauseReason ? t(`campaigns:pauseReason.${pauseReason}`) : t('view.pausedText')}
        </Alert>
      )}
      {quietUntil && (
        <Alert variant="light">
          <Text size="sm">{t('view.quiet', momentOf(quietUntil))}</Text>
        </Alert>
      )}
      {nextAt && !quietUntil && (
        <Alert variant="light">
          <Text size="sm">{t('view.next', momentOf(nextAt))}</Text>
        </Alert>
      )}
      {(parent || child) && (
        <Stack gap={4}>
          {parent && (
            <Anchor component={Link} to={campaignPath({ audience, id: parent.id })}>
              {t('view.parent', { name: parent.name })}
            </Anchor>
          )}
          {child && (
            <Anchor component={Link} to={campaignPath({ audience, id: child.id })}>
              {t('view.child', { name: child.name })}
            </Anchor>
          )}
        </Stack>
      )}
    </>
  )
}
