import { Alert, Stack } from '@mantine/core'
import { type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { readSurvey, type Survey } from '#domain/surveys/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { RecordButtons } from '#web/list/actions/row-buttons.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { lazyPart } from '#web/ui/lazy-part.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import tabLinks from '#web/ui/tab-links.module.css'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useCurrentTab } from '#web/ui/use-current-tab.ts'
import { LinksTab } from './links/links-tab.tsx'
import { ResponsesTab } from './responses/responses-tab.tsx'
import { TextsTab } from './responses/texts-tab.tsx'
import { ResultsTab } from './results/results-tab.tsx'
import { useSurveyActions } from './survey-actions.tsx'
import { surveyTones } from './tones.ts'

const CrossTab = lazyPart(() => import('./results/cross-tab.tsx'))
const PhotosTab = lazyPart(() => import('./results/photos-tab.tsx'))

const tabs = ['results', 'cross', 'texts', 'photos', 'responses', 'links'] as const
type Tab = (typeof tabs)[number]

const partOf: Record<Tab, (props: { survey: Survey }) => ReactNode> = {
  results: ResultsTab,
  cross: (props) => <CrossTab {...props} />,
  texts: TextsTab,
  photos: (props) => <PhotosTab {...props} />,
  responses: ResponsesTab,
  links: LinksTab,
}

/** A survey's page, with tabs such as results, responses and links. */
export default function SurveyPage() {
  const { id = '' } = useParams()
  const { data, error, refetch } = useEndpoint(readSurvey, { params: { id } })
  usePageTitle(data?.data.name)
  if (!data) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  return <SurveyView survey={data.data} />
}

function SurveyView({ survey }: { survey: Survey }) {
  const { t } = useTranslation('surveys')
  const { may } = useSession()
  const [search] = useSearchParams()
  const tabRow = useCurrentTab()
  const actions = useSurveyActions()
  const { name, status, changed } = survey
  const tab = tabs.find((tabName) => tabName === search.get('tab')) ?? (status === 'draft' ? 'links' : 'results')
  const Part = partOf[tab]
  const hint = status === 'draft' ? t('draftText') : changed && may(readSurvey.access) ? t('changedText') : null
  return (
    <>
      <PageHeader
        title={name}
        description={<StatusDot tone={surveyTones[status]} label={t(`status.${status}`)} />}
        actions={<RecordButtons actions={actions} row={survey} size="sm" />}
      />
      <nav ref={tabRow} aria-label={t('tabs.label')} className={tabLinks.tabs}>
        {tabs.map((tabName) => (
          <Link
            key={tabName}
            to={`?tab=${tabName}`}
            className={tabLinks.tab}
            aria-current={tabName === tab ? 'page' : undefined}
          >
            {t(`tabs.${tabName}`)}
          </Link>
        ))}
      </nav>
      <Stack>
        {hint && <Alert variant="light">{hint}</Alert>}
        <Suspense fallback={<LoadingRows rows={6} />}>
          <Part survey={survey} />
        </Suspense>
      </Stack>
    </>
  )
}
