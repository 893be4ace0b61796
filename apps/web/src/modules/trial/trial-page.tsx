import { useTranslation } from 'react-i18next'
import { readTrial } from '#domain/trial/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { OpenTrial } from './open-trial.tsx'
import { StartTrial } from './start-trial.tsx'

/** Tries the university's settings as a test applicant, from profile to student number. */
export default function TrialPage() {
  const { t } = useTranslation('trial')
  const title = useScreenTitle()
  const answer = useEndpoint(readTrial)
  return (
    <>
      <PageHeader title={title} description={t('intro')} />
      {!answer.data && <LoadingOrFailed error={answer.error} onRetry={answer.refetch} rows={8} />}
      {answer.data && (answer.data.data ? <OpenTrial trial={answer.data.data} /> : <StartTrial />)}
    </>
  )
}
