import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { timeOfDay } from '#locales/format.ts'
import { backToOneself } from '#web/shell/session/see-as.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { ViewBanner } from './view-banner.tsx'

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
  if (!user || !seenBy) return null
  return (
    <ViewBanner label={t('detail.seeAs')} endLabel={t('seenAs.end')} ending={isPending} onEnd={end}>
      <strong>{t('seenAs.banner', { name: user.name, role: user.role.name })}</strong>{' '}
      <span>{t('seenAs.readOnly', { until: timeOfDay(seenBy.until) })}</span>
    </ViewBanner>
  )
}
