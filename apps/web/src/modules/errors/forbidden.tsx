import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ErrorState } from '#web/ui/states/error-state.tsx'

/** Shown instead of a screen the role has no permission for; the API refuses the same calls. */
export function Forbidden() {
  const { t } = useTranslation('common')
  return (
    <ErrorState title={t('errors.forbiddenTitle')} message={t('errors.forbiddenText')}>
      <Anchor component={Link} to="/dashboard">
        {t('toDashboard')}
      </Anchor>
    </ErrorState>
  )
}
