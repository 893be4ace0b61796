import { Alert, Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useParams } from 'react-router'
import { readCampaign } from '#domain/campaigns/endpoints.ts'
import { campaignPath, screenAt } from '#domain/campaigns/screens.ts'
import { useEndpoint } from '#web/api/query.ts'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { CampaignForm } from './campaign-form.tsx'

/** Form for a new campaign or an existing draft. */
export default function CampaignFormPage() {
  const { id } = useParams()
  const { t } = useTranslation('send')
  const screen = screenAt(useLocation().pathname)
  const { data, error, refetch } = useEndpoint(
    readCampaign,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, refetchOnWindowFocus: false },
  )
  const campaign = id === undefined ? undefined : data?.data
  usePageTitle(campaign && t('form.editTitle', { name: campaign.name }))
  if (id === undefined) return <CampaignForm screen={screen} />
  if (!campaign) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  if (!campaign.may.includes('update'))
    return (
      <Alert variant="light" color="yellow" title={t('form.notDraft')}>
        <Anchor component={Link} to={campaignPath(campaign)}>
          {t('form.openCampaign', { name: campaign.name })}
        </Anchor>
      </Alert>
    )
  return <CampaignForm key={campaign.version} screen={screen} campaign={campaign} />
}
