import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { backFromTrial } from '#web/shell/session/see-as.ts'
import { useSession } from '#web/shell/session/session.tsx'
import classes from './seen-as-banner.module.css'

/** Banner on every screen while an administrator views the product as a test applicant. */
export default function TrialBanner() {
  const { t } = useTranslation('trial')
  const { user } = useSession()
  const navigate = useNavigate()
  const { mutate: end, isPending } = useMutation({
    mutationFn: backFromTrial,
    onSuccess: () => navigate('/settings/opening/trial'),
  })
  // Lets CSS move sticky headers below the banner.
  useEffect(() => {
    document.documentElement.dataset.seenAs = ''
    return () => {
      delete document.documentElement.dataset.seenAs
    }
  }, [])
  if (!user) return null
  return (
    <aside className={classes.banner} aria-label={t('see')}>
      <p className={classes.words}>
        <strong>{t('banner', { name: user.name })}</strong>
      </p>
      <Button size="compact-md" color="dark" loading={isPending} onClick={() => end()}>
        {t('back')}
      </Button>
    </aside>
  )
}
