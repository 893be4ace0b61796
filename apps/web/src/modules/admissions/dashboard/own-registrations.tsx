import { Button, Stack, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RegistrationRow } from '#domain/admissions/lists.ts'
import { listRegistrations } from '#domain/admissions/lists.ts'
import { longDate } from '#locales/format.ts'
import { useEndpoint } from '#web/api/query.ts'
import { StatusWord } from '#web/modules/admissions/status-word.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingOrFailed } from '#web/ui/states/missing.tsx'
import quiet from '#web/ui/text/quiet.module.css'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { hasEnded } from './next-step.ts'
import classes from './own-registrations.module.css'

export function OwnRegistrations() {
  const { t } = useTranslation('registration')
  const { data, error, refetch } = useEndpoint(listRegistrations, { query: { per_page: 50 } })
  const currentRegistrations = data?.data.filter(({ status }) => !hasEnded(status)) ?? []
  const endedRegistrations = data?.data.filter(({ status }) => hasEnded(status)) ?? []
  return (
    <div className={classes.page}>
      <PageHeader
        title={t('list.title')}
        actions={
          currentRegistrations.length > 0 && (
            <Button
              component={Link}
              to="/pendaftaran/create"
              variant="light"
              leftSection={<IconPlus size={18} aria-hidden="true" />}
            >
              {t('list.start')}
            </Button>
          )
        }
      />
      {!data && <LoadingOrFailed error={error} onRetry={refetch} rows={3} height={88} />}
      {data && currentRegistrations.length === 0 && (
        <Card>
          <EmptyState title={t('list.empty')}>
            <Text c="dimmed" maw={420}>
              {t('list.emptyHint')}
            </Text>
            <Button component={Link} to="/pendaftaran/create">
              {t('list.start')}
            </Button>
          </EmptyState>
        </Card>
      )}
      <Stack gap="lg" mt={currentRegistrations.length === 0 ? 'lg' : 0}>
        <Rows rows={currentRegistrations} />
        {endedRegistrations.length > 0 && (
          <section>
            <Title order={2} size="h3" mb="sm">
              {t('list.ended')}
            </Title>
            <Rows rows={endedRegistrations} />
          </section>
        )}
      </Stack>
    </div>
  )
}

function Rows({ rows }: { rows: RegistrationRow[] }) {
  const { t } = useTranslation('registration')
  const { language } = useSurroundings()
  if (rows.length === 0) return null
  return (
    <ul className={classes.list}>
      {rows.map((row) => (
        <li key={row.id} className={classes.card}>
          <div>
            <div className={classes.head}>
              <span className={classes.name}>{row.programme ?? t('list.noProgramme')}</span>
              <StatusWord registration={row} />
            </div>
            <div className={quiet.text}>
              {row.track} · {row.wave} · {row.classProgramme}
            </div>
            <div className={quiet.text}>
              {row.code} · {t('list.started', { date: longDate(row.createdAt, language) })}
            </div>
          </div>
          <Button
            component={Link}
            to={row.status === 'draft' ? `/pendaftaran/create?id=${row.id}` : `/pendaftaran/${row.id}`}
            variant={row.status === 'draft' ? 'filled' : 'default'}
            aria-label={`${t(row.status === 'draft' ? 'act.continue' : 'list.open')}: ${row.code}`}
          >
            {t(row.status === 'draft' ? 'act.continue' : 'list.open')}
          </Button>
        </li>
      ))}
    </ul>
  )
}
