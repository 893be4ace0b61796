import { useTranslation } from 'react-i18next'
import { readTrial } from '#domain/trial/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { ErrorState } from '#web/ui/states/error-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { OpenTrial } from './open-trial.tsx'
import { StartTrial } from './start-trial.tsx'

/** Tries the settings of the university as a test applicant, from the profile to the student number. */
export default function TrialPage() {
  const { t } = useTranslation(['trial', 'resource'])
  const title = useScreenTitle()
  const answer = useEndpoint(readTrial)
  return (
    <>
      <PageHeader title={title} description={t('intro')} />
      {answer.isPending && <LoadingRows rows={8} />}
      {answer.isError && !answer.data && (
        <ErrorState
          title={answer.error.message}
          retryLabel={t('resource:retry')}
          onRetry={() => void answer.refetch()}
        />
      )}
      {answer.data && (answer.data.data ? <OpenTrial trial={answer.data.data} /> : <StartTrial />)}
    </>
  )
}
