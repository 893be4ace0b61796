import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useParams } from 'react-router'
import { type ReportMail, readReportMail } from '#domain/report-mail/endpoints.ts'
import { listReportMailRuns, reportTitles } from '#domain/report-mail/lists.ts'
import { dateTime } from '#locales/format.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { RecordButtons } from '#web/list/actions/row-buttons.tsx'
import { ListCard } from '#web/list/list-card.tsx'
import { LoadingRecord } from '#web/shell/record-failed.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { usePageTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { runTones, stateTones } from './tones.ts'
import { useMailActions } from './use-mail-actions.tsx'
import { useMailWords } from './use-mail-words.ts'

const pollMs = 2_000

/** Refetches the deliveries once no sending is in progress. */
function useSettledRuns(id: string) {
  const queries = useQueryClient()
  const { data } = useEndpoint(
    listReportMailRuns,
    { params: { id }, query: { state: 'waiting' } },
    { refetchInterval: ({ state }) => ((state.data?.data.length ?? 0) > 0 ? pollMs : false) },
  )
  const isUnderWay = (data?.data.length ?? 0) > 0
  const wasUnderWay = useRef(false)
  useEffect(() => {
    if (wasUnderWay.current && !isUnderWay) void queries.invalidateQueries({ queryKey: keyOf(listReportMailRuns) })
    wasUnderWay.current = isUnderWay
  }, [isUnderWay, queries])
}

/** A scheduled mail: contents, schedule, recipients and deliveries. */
export default function ReportMailPage() {
  const { id = '' } = useParams()
  const { t } = useTranslation('report-mail')
  const { language } = useSurroundings()
  const navigate = useNavigate()
  const actions = useMailActions({ onDeleted: () => navigate('/laporan-kiriman') })
  const { data, error, refetch } = useEndpoint(readReportMail, { params: { id } })
  useSettledRuns(id)
  const mail = data?.data
  usePageTitle(mail?.name)
  if (!mail) return <LoadingRecord error={error} onRetry={refetch} rows={8} />
  const state = mail.active ? 'active' : 'paused'
  const next = dateTime(mail.nextDueAt, language)
  return (
    <>
      <PageHeader
        title={mail.name}
        actions={
          <RecordButtons
            actions={actions}
            row={{ id, name: mail.name, recipients: mail.recipients.length, state, version: mail.version }}
          />
        }
      />
      <Stack>
        <Card>
          <MailFacts mail={mail} next={mail.active ? next : t('state.paused')} />
        </Card>
        <ListCard
          list={listReportMailRuns}
          params={{ id }}
          prefix="runs-"
          title={t('runs.title')}
          searchLabel={t('runs.search')}
          rowTitle={({ recipient }) => recipient}
          cells={{
            state: ({ state: runState }) => <StatusDot tone={runTones[runState]} label={t(`runState.${runState}`)} />,
          }}
          empty={{ title: t('runs.empty'), text: mail.active ? t('runs.emptyText', { when: next }) : t('paused') }}
        />
      </Stack>
    </>
  )
}

function MailFacts({ mail, next }: { mail: ReportMail; next: string }) {
  const { t } = useTranslation('report-mail')
  const { language } = useSurroundings()
  const { may } = useSession()
  const { scheduleOf, periodOf } = useMailWords()
  const { report, question, shows, takesPeriod, lastDays, skipsEmpty, recipients, format, active } = mail
  const state = active ? 'active' : 'paused'
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t('column.state'), <StatusDot key="state" tone={stateTones[state]} label={t(`state.${state}`)} />],
          [t('column.report'), reportTitles[report][language]],
          ...shows.map(({ label, value }) => [label, value] as const),
          ...(takesPeriod ? [[t('form.period'), periodOf(lastDays)] as const] : []),
          [t('column.schedule'), scheduleOf(mail)],
          [t('column.nextDueAt'), next],
          [t('column.recipients'), recipients.map(({ name, role }) => `${name} (${role})`).join(', ')],
          [t('column.format'), t(`format.${format}`)],
          [t('column.skipsEmpty'), t(skipsEmpty ? 'skips' : 'sendsEmpty')],
        ]}
      />
      {may(`laporan-${report}`) && (
        <Button
          component={Link}
          to={`/laporan/${report}${question && `?${question}`}`}
          variant="default"
          style={{ alignSelf: 'start' }}
        >
          {t('actions.report')}
        </Button>
      )}
    </Stack>
  )
}
