import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { backFromTrial } from '#web/shell/session/see-as.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { ViewBanner } from './view-banner.tsx'

/** Banner on every screen while an administrator views the product as a test applicant. */
export default function TrialBanner() {
  const { t } = useTranslation('trial')
  const { user } = useSession()
  const navigate = useNavigate()
  const { mutate: end, isPending } = useMutation({
    mutationFn: backFromTrial,
    onSuccess: () => navigate('/settings/opening/trial'),
  })
  if (!user) return null
  return (
    <ViewBanner label={t('see')} endLabel={t('back')} ending={isPending} onEnd={end}>
      <strong>{t('banner', { name: user.name })}</strong>
    </ViewBanner>
  )
}
