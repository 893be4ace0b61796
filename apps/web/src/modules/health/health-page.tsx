import { Button, Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { readHealth } from '#domain/health/endpoints.ts'
import { useEndpoint } from '#web/api/query.ts'
import { useScreenTitle } from '#web/shell/title.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import { Checks } from './checks.tsx'
import classes from './health.module.css'
import { JobsCard } from './jobs-card.tsx'
import { LinesCard } from './lines-card.tsx'
import { SlowestCard } from './slowest-card.tsx'
import { WhatsappCard } from './whatsapp-card.tsx'

/** Health of the product, its jobs, and checks of its connections. */
export default function HealthPage() {
  const { t } = useTranslation('health')
  const title = useScreenTitle()
  const { data, error, refetch, isFetching } = useEndpoint(readHealth, {}, { refetchInterval: 30_000 })
  const health = data?.data
  return (
    <>
      <PageHeader
        title={title}
        description={t('intro')}
        actions={
          <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
            {t('refresh')}
          </Button>
        }
      />
      {health ? (
        <div className={classes.grid}>
          <div className={classes.column}>
            <LinesCard lines={health.lines} title={t(`overall.${health.state}`)} />
            <Text size="xs" c="dimmed">
              {t('measuredBy', { server: health.server })}
            </Text>
          </div>
          <div className={classes.column}>
            <JobsCard queues={health.queues} />
            <WhatsappCard whatsapp={health.whatsapp} />
            <SlowestCard routes={health.slowest} />
          </div>
        </div>
      ) : (
        <LoadingOrFailed error={error} onRetry={refetch} rows={8} />
      )}
      <Title order={2} my="lg" id="checks">
        {t('checks')}
      </Title>
      <div className={classes.grid}>
        <Checks />
      </div>
    </>
  )
}
