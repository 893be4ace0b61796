import { Text, Title } from '@mantine/core'
import { lazy, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import type { RegistrationDetail } from '#domain/admissions/schemas.ts'
import { isApplicant } from '#web/modules/admissions/dashboard/next-step.ts'
import type { RegistrationSection } from '#web/modules/admissions/staff/registration-tabs.ts'
import { StatusWord } from '#web/modules/admissions/status-word.tsx'
import { PageSkeleton } from '#web/shell/page-skeleton.tsx'
import { RecordFailed } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import tabLinks from '#web/ui/tab-links.module.css'
import { useCurrentTab } from '#web/ui/use-current-tab.ts'
import classes from './registration-frame.module.css'
import { useRegistration } from './use-registration.ts'

const StaffPage = lazy(() => import('#web/modules/admissions/staff/staff-registration-page.tsx'))

type Props = {
  id: string
  children: (registration: RegistrationDetail) => ReactNode
  section: RegistrationSection
  /** The content has its own page heading, so the frame's title is plain text. */
  quietTitle?: boolean | undefined
}

const tabs = ['overview', 'program', 'pembayaran', 'file'] as const

/** Summary and tabs around every page of a registration; staff see the staff view with this section open. */
export function RegistrationFrame(props: Props) {
  const { user } = useSession()
  return isApplicant(user?.role.name) ? <Frame {...props} /> : <StaffPage section={props.section} />
}

function Frame({ id, children, quietTitle, section }: Props) {
  const { t } = useTranslation(['registration', 'common'])
  const { data, isPending, error, refetch } = useRegistration(id)
  const tabRow = useCurrentTab()
  const registration = data?.data
  usePageTitle(section === 'summary' && registration ? t('detail.code', { code: registration.code }) : null)
  if (isPending) return <PageSkeleton />
  if (!registration) return <RecordFailed error={error} onRetry={refetch} />
  const { wave, track } = registration
  return (
    <div className={classes.frame}>
      <header className={classes.head}>
        <div className={classes.title}>
          {quietTitle ? (
            <Text fw={650} size="lg">
              {t('detail.code', { code: registration.code })}
            </Text>
          ) : (
            <Title order={1} size="h2">
              {t('detail.code', { code: registration.code })}
            </Title>
          )}
          <StatusWord registration={registration} />
        </div>
        <div className={classes.about}>
          {track.name} · {wave.name} {wave.academicYear}
        </div>
      </header>
      <nav ref={tabRow} className={tabLinks.tabs} aria-label={t('detail.sections')}>
        {tabs.map((tab) => (
          <NavLink
            key={tab}
            end
            to={tab === 'overview' ? `/pendaftaran/${id}` : `/pendaftaran/${id}/${tab}`}
            className={tabLinks.tab}
          >
            {t(`detail.tabs.${tab}`)}
          </NavLink>
        ))}
      </nav>
      {children(registration)}
    </div>
  )
}
