import { Button, Skeleton, Text, Title } from '@mantine/core'
import { IconDeviceTv } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { dashboardCards, wallAccess } from '#domain/dashboards/cards.ts'
import { listCards } from '#domain/dashboards/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { LoadFailed } from '#web/ui/states/load-failed.tsx'
import { cardNamespaces } from './card-text.ts'
import { CardView } from './card-view.tsx'
import classes from './cards.module.css'
import { DemoTour } from './demo-tour.tsx'

/** Browsers grant full screen only on a click, so the link requests it before opening the wall. */
const enterFullScreen = () => void document.documentElement.requestFullscreen?.().catch(() => {})

/** All cards the reader may open, by kind of work. */
export default function Cards() {
  const { t } = useTranslation(cardNamespaces)
  const { may } = useSession()
  const { data, error, refetch } = useEndpoint(listCards, {}, { staleTime: 60_000 })
  if (!data) return error ? <LoadFailed error={error} onRetry={refetch} /> : <Skeleton h={240} />
  const sections = [...new Set(data.data.map((card) => dashboardCards[card].section))]
  if (sections.length === 0) return may('pendaftaran-view') ? null : <Text>{t('noCards')}</Text>
  return (
    <div className={classes.sections}>
      <DemoTour />
      {sections.map((section, index) => (
        <section key={section} aria-labelledby={`cards-${section}`}>
          <div className={classes.head}>
            <Title order={2} size="h4" id={`cards-${section}`}>
              {t(`sections.${section}`)}
            </Title>
            {index === 0 && may(wallAccess) && (
              <Button
                component={Link}
                to="/dashboard/layar"
                onClick={enterFullScreen}
                variant="default"
                leftSection={<IconDeviceTv size={18} aria-hidden="true" />}
                className="no-print"
              >
                {t('wall.open')}
              </Button>
            )}
          </div>
          <div className={classes.grid}>
            {data.data
              .filter((card) => dashboardCards[card].section === section)
              .map((card) => (
                <CardView key={card} card={card} />
              ))}
          </div>
        </section>
      ))}
    </div>
  )
}
