import { Progress, Stack, Text, Timeline } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { wholePercent } from '#locales/format.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { PageTabs } from '#web/shell/page-tabs.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { FileDrop } from '#web/ui/form/file-drop.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { type SampleKind, sampleLists, samplePaths, useSampleRows } from './sample-rows.ts'

const base = '/crafted/pages/profile'
const completeness = 0.7

const parts = {
  overview: Overview,
  projects: Projects,
  campaigns: Campaigns,
  documents: Documents,
  connections: Connections,
  activity: Activity,
} as const
type Part = keyof typeof parts
const partNames = Object.keys(parts) as Part[]

/** A fixed summary, and tabs that are links. */
export default function ProfilePage() {
  const { t } = useTranslation('samples')
  const { pathname } = useLocation()
  const part = partNames.find((name) => pathname === `${base}/${name}`) ?? 'overview'
  const Content = parts[part]
  return (
    <GuidePage>
      <Sample code="<PageTabs>" file="shell/page-tabs.tsx" when={t('when.pageTabs')}>
        <Stack>
          <Card>
            <Text fw={650} size="xl">
              {t('profile.name')}
            </Text>
            <Text c="dimmed">contoh@example.com</Text>
            <Text fw={600}>{t('profile.complete', { share: wholePercent(completeness) })}</Text>
            <Progress
              value={completeness * 100}
              maw={400}
              aria-label={t('profile.complete', { share: wholePercent(completeness) })}
            />
          </Card>
          <PageTabs
            label={t('profile.parts')}
            current={`${base}/${part}`}
            tabs={partNames.map((name) => [`${base}/${name}`, t(`profile.${name}`)])}
          />
        </Stack>
        <Content />
      </Sample>
    </GuidePage>
  )
}

function Overview() {
  const { t } = useTranslation('samples')
  return (
    <Card title={t('profile.overview')}>
      <Facts
        facts={[
          [t('profile.city'), 'Kota Contoh'],
          [t('profile.phone'), '0812-0000-0000'],
          [t('profile.joined'), <DateText key="joined" value="2026-03-02" as="weekday" />],
          [t('profile.balance'), <Money key="balance" amount={1_250_000} />],
        ]}
      />
    </Card>
  )
}

function Projects() {
  const { t } = useTranslation('samples')
  const projects = [
    ['Contoh Satu', 0.9, 'done'],
    ['Contoh Dua', 0.45, 'progress'],
    ['Contoh Tiga', 0.1, 'attention'],
  ] as const
  return (
    <Card title={t('profile.projects')}>
      <Stack component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
        {projects.map(([name, share, tone]) => (
          <li key={name}>
            <Text fw={600}>{name}</Text>
            <StatusDot tone={tone} label={`${t(`status.${tone}`)}, ${wholePercent(share)}`} />
            <Progress value={share * 100} mt={4} maw={400} aria-label={name} />
          </li>
        ))}
      </Stack>
    </Card>
  )
}

function Campaigns() {
  return <Rows kind="subscriptions" />
}

function Documents() {
  const { t } = useTranslation('samples')
  return (
    <Card title={t('profile.documents')}>
      <FileDrop
        label={t('profile.document')}
        hint={t('profile.documentHint')}
        accept={['image/jpeg', 'image/png', 'application/pdf']}
        maxBytes={5_000_000}
        onSend={async (_, onProgress) => onProgress(1)}
      />
    </Card>
  )
}

function Connections() {
  return <Rows kind="customers" />
}

function Activity() {
  const { t } = useTranslation('samples')
  return (
    <Card title={t('profile.activity')}>
      <Timeline bulletSize={14} lineWidth={2}>
        {(['decided', 'checked', 'sent'] as const).map((event, index) => (
          <Timeline.Item key={event} title={t(`profile.event.${event}`)}>
            <Text size="sm" c="dimmed">
              <DateText value={`2026-03-1${4 - index}T03:20:00.000Z`} as="datetime" />, Petugas Contoh
            </Text>
          </Timeline.Item>
        ))}
      </Timeline>
    </Card>
  )
}

function Rows({ kind }: { kind: SampleKind }) {
  const { t } = useTranslation('samples')
  const rows = useSampleRows(kind)
  return (
    <ListCard
      list={sampleLists[kind]}
      prefix="p_"
      title={t(`${kind}.title`)}
      rows={rows.slice(0, 10)}
      rowTitle={({ name }) => name}
      href={({ id }) => `${samplePaths[kind].detail}?id=${id}`}
      cells={{ status: ({ status }) => <StatusDot tone={status} label={t(`status.${status}`)} /> }}
    />
  )
}
