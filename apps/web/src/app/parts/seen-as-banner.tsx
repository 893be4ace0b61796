import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { timeOfDay } from '#locales/format.ts'
import { backToOneself } from '#web/shell/session/see-as.ts'
import { useSession } from '#web/shell/session/session.tsx'
import classes from './seen-as-banner.module.css'

/** Banner on every screen while staff view the product as another account. */
export default function SeenAsBanner() {
  const { t } = useTranslation('staff-accounts')
  const { user, seenBy } = useSession()
  const navigate = useNavigate()
  const { mutate: end, isPending } = useMutation({
    mutationFn: backToOneself,
    onSuccess: (id) => navigate(id ? `/settings/accounts/${id}` : '/settings/accounts'),
  })
  const until = seenBy?.until
  useEffect(() => {
    if (!until) return
    const remainingMs = new Date(until).getTime() - Date.now()
    const timer = setTimeout(() => end(), Math.max(remainingMs, 0) + 1000)
    return () => clearTimeout(timer)
  }, [until, end])
  // Lets CSS move sticky headers below the banner.
  useEffect(() => {
    document.documentElement.dataset.seenAs = ''
    return () => {
      delete document.documentElement.dataset.seenAs
    }
  }, [])
  if (!user || !seenBy) return null
  return (
    <aside className={classes.banner} aria-label={t('detail.seeAs')}>
      <p className={classes.words}>
        <strong>{t('seenAs.banner', { name: user.name, role: user.role.name })}</strong>{' '}
        <span>{t('seenAs.readOnly', { until: timeOfDay(seenBy.until) })}</span>
      </p>
      <Button size="compact-md" color="dark" loading={isPending} onClick={() => end()}>
        {t('seenAs.end')}
      </Button>
    </aside>
  )
}
