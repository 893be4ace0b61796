import { Button, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { usePageTitle, useScreenTitle } from '#web/shell/title.tsx'
import { Card } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/confirm-button.tsx'
import { DisabledReason } from '#web/ui/disabled-reason.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { Copied } from '#web/ui/text/copied.tsx'
import { DateText } from '#web/ui/text/date-text.tsx'
import { Money } from '#web/ui/text/money.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { GuidePage, Sample } from './guide.tsx'
import { changeSampleRows, kindAt, samplePaths, useSampleRows } from './sample-rows.ts'

/** One sample row, built from the parts every record page has. */
export default function DetailPage() {
  const { t } = useTranslation('samples')
  const { pathname } = useLocation()
  const [params] = useSearchParams()
  const navigate = useNavigate()
  const screenTitle = useScreenTitle()
  const kind = kindAt(pathname)
  const rows = useSampleRows(kind)
  const id = params.get('id')
  const row = id === null ? rows[0] : rows.find((candidate) => candidate.id === id)
  usePageTitle(row?.name)
  const back = <Button component={Link} to={samplePaths[kind].list} variant="default" children={t('detail.back')} />
  if (!row)
    return (
      <GuidePage title={screenTitle}>
        <EmptyState title={t('detail.gone')} children={back} />
      </GuidePage>
    )
  const remove = () => {
    changeSampleRows(kind, (before) => before.filter((candidate) => candidate.id !== row.id))
    notifications.show({ color: 'green', message: t('list.removed', { count: 1 }) })
    navigate(samplePaths[kind].list)
  }
  return (
    <GuidePage
      title={row.name}
      description={<StatusDot tone={row.status} label={t(`status.${row.status}`)} />}
      actions={
        <>
          {back}
          <ConfirmButton
            variant="default"
            danger
            message={t('detail.removeText', { name: row.name })}
            onConfirm={remove}
            children={t('list.remove')}
          />
        </>
      }
    >
      <Sample code="<Facts>" file="ui/facts.tsx" when={t('when.facts')}>
        <Card title={t('detail.summary')}>
          <Facts
            facts={[
              [t(`${kind}.city`), row.city],
              [t(`${kind}.since`), <DateText key="since" value={row.since} />],
              [t(`${kind}.amount`), <Money key="amount" amount={row.amount} />],
              [t('detail.note'), null],
            ]}
          />
        </Card>
      </Sample>
      <Sample code="<StatusDot>" file="ui/text/status-dot.tsx" when={t('when.statusDot')}>
        <StatusDot tone={row.status} label={t(`status.${row.status}`)} />
      </Sample>
      <Sample code="<Copied>" file="ui/text/copied.tsx" when={t('when.copied')}>
        <Copied label={t('detail.number')} value={`CONTOH-${row.id}`} />
      </Sample>
      <Sample code="<DisabledReason>" file="ui/disabled-reason.tsx" when={t('when.disabledReason')}>
        <Stack align="flex-start" gap={4}>
          <DisabledReason reason={t('detail.refusal')} showsReason variant="default">
            {t('detail.forbidden')}
          </DisabledReason>
        </Stack>
      </Sample>
    </GuidePage>
  )
}
