import { Anchor, Button, SimpleGrid, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { registrationStatuses } from '#domain/admissions/registration-status.ts'
import type { Dashboard } from '#domain/admissions/schemas.ts'
import { timeOfDay, wholeNumber } from '#locales/format.ts'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { MessagesCard } from './messages-card.tsx'
import { OneMachineNotice } from './one-machine-notice.tsx'
import classes from './queue.module.css'

type Props = {
  dashboard: Extract<Dashboard, { kind: 'staff' }>
  cards: ReactNode
  /** People waiting in the chat; undefined for readers who do not answer there. */
  waiting: number | undefined
}

/** Duties whose holders process the queues of registrations. */
const duties = ['pendaftaran-verify', 'pendaftaran-decide', 'pendaftaran-publish', 'pendaftaran-edit']

/** Counts of open work, each linking to its list, and the cards for the reader's kind of work. */
export default function StaffDashboard({ dashboard, cards, waiting }: Props) {
  const { t } = useTranslation(['dashboard', 'admissions'])
  const { may } = useSession()
  const seesQueues = may('pendaftaran-view') && (duties.some(may) || !may('pembayaran-mahasiswa-update'))
  const byStatus = registrationStatuses.map((status) => ({
    status,
    count: dashboard.byStatus.find((row) => row.status === status)?.count ?? 0,
  }))
  const registrations = [
    { key: 'documents', count: dashboard.documentsToReview, to: '/pendaftaran?queue=documents' },
    { key: 'decision', count: dashboard.waitingForDecision, to: '/pendaftaran?queue=decision' },
    { key: 'confirmation', count: dashboard.waitingForConfirmation, to: '/pendaftaran?queue=confirmation' },
    { key: 'today', count: dashboard.newToday, to: '/pendaftaran?queue=today' },
  ] as const
  const queue = [
    ...(seesQueues ? registrations : []),
    ...(waiting === undefined
      ? []
      : [{ key: 'conversations', count: waiting, to: '/chat/private-chat?box=waiting' } as const]),
  ]
  return (
    <Stack gap="lg">
      <PageHeader
        title={t('hello', { name: dashboard.name })}
        description={
          seesQueues ? `${t('staff.lead')} ${t('staff.asOf', { time: timeOfDay(dashboard.asOf) })}` : undefined
        }
      />
      {queue.length > 0 && (
        <nav aria-label={t('staff.queue')}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
            {queue.map(({ key, count, to }) => (
              <Link key={key} to={to} className={classes.tile} data-some={count > 0 || undefined}>
                <span className={classes.number}>{wholeNumber(count)}</span>
                <span>{t(`staff.${key}`)}</span>
              </Link>
            ))}
          </SimpleGrid>
        </nav>
      )}
      {cards}
      {seesQueues && (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Card title={t('staff.byStatus')}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('staff.status')}</Table.Th>
                  <Table.Th ta="right">{t('staff.count')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {byStatus.map(({ status, count }) => (
                  <Table.Tr key={status}>
                    <Table.Td>
                      <Anchor component={Link} to={`/pendaftaran?queue=current&status=${status}`} size="sm">
                        {t(`admissions:status.${status}`)}
                      </Anchor>
                    </Table.Td>
                    <Table.Td ta="right">{wholeNumber(count)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Card>
          <Card
            title={t('staff.waves')}
            actions={
              may('pendaftaran-publish') && (
                <Button component={Link} to="/pendaftaran" variant="default">
                  {t('staff.publish')}
                </Button>
              )
            }
          >
            {dashboard.openWaves.length === 0 && <Text c="dimmed">{t('staff.noWaves')}</Text>}
            <Stack gap="sm">
              {dashboard.openWaves.map((wave) => (
                <div key={wave.id}>
                  <Anchor component={Link} to={`/pendaftaran?waveId=${wave.id}`} fw={600}>
                    {wave.name} · {wave.academicYear}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {t('staff.closes', { date: '' })}
                    <DateText value={wave.closesAt} as="weekdaytime" />
                  </Text>
                </div>
              ))}
            </Stack>
          </Card>
        </SimpleGrid>
      )}
      {may('settings-general-update') && <OneMachineNotice />}
      <MessagesCard />
    </Stack>
  )
}
