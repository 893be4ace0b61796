import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { createSurvey, readSurveyResults } from '#domain/surveys/endpoints.ts'
import { listSurveys } from '#domain/surveys/lists.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { builderPath, resultsPath } from './paths.ts'
import { useSurveyActions } from './survey-actions.tsx'
import { surveyTones } from './tones.ts'

export default function SurveysPage() {
  const { t } = useTranslation('surveys')
  const { may } = useSession()
  return (
    <DataList
      list={listSurveys}
      title={useScreenTitle()}
      searchLabel={t('list.search')}
      rowTitle={({ name }) => name}
      href={({ id }) => (may(readSurveyResults.access) ? resultsPath(id) : undefined)}
      rowActions={useSurveyActions()}
      cells={{ status: ({ status }) => <StatusDot tone={surveyTones[status]} label={t(`status.${status}`)} /> }}
      actions={
        may(createSurvey.access) && (
          <Button component={Link} to={builderPath()} leftSection={<IconPlus size={18} aria-hidden />}>
            {t('new')}
          </Button>
        )
      }
      empty={{ title: t('list.empty'), text: t('list.emptyText') }}
    />
  )
}
