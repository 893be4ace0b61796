import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { ErrorState } from '#web/ui/states/error-state.tsx'

export default function ServerErrorPage() {
  const { t } = useTranslation('common')
  const navigate = useNavigate()
  return (
    <ErrorState
      title={t('errors.serverTitle')}
      message={t('errors.serverText')}
      retryLabel={t('actions.retry')}
      onRetry={() => navigate(-1)}
    >
      <Anchor component={Link} to="/">
        {t('toDashboard')}
      </Anchor>
    </ErrorState>
  )
}
