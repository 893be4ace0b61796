import { Anchor, Button, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { checkInvariants, type Finding, listFindings, readInvariants } from '#domain/ops/endpoints.ts'
import { type InvariantName, invariantNames, invariants } from '#domain/ops/invariants.ts'
import { dateTime, rupiah, wholeNumber } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { useSend } from '#web/api/send.ts'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Missing } from '#web/ui/missing.tsx'
import { StatusDot } from '#web/ui/status-dot.tsx'
import { useSurroundings } from '#web/ui/words.tsx'

/** What cannot be and is nevertheless written down: found every night, or now. */
export default function InvariantsPage() {
  const { t } = useTranslation('ops')
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const [open, setOpen] = useState<Finding | null>(null)
  const { data: last } = useEndpoint(readInvariants)
  const checked = last?.data.run
  const nameOf = (row: Finding) => `${t(`checks.${row.check}.title`)}: ${row.subject.label}`
  return (
    <>
      <ListPage<Finding>
        name="invariants"
        title={title}
        endpoint={listFindings}
        defaultSort="-firstSeenAt"
        searchLabel={t('search')}
        rowId={({ id }) => id}
        rowTitle={nameOf}
        onOpen={setOpen}
        dimmed={({ goneAt }) => goneAt !== null}
        actions={<CheckNow />}
        filters={[
          {
            key: 'check',
            label: t('check'),
            kind: 'choice',
            choices: invariantNames.map((value) => ({
              value,
              label: `${t(`areas.${invariants[value].area}`)} · ${t(`checks.${value}.title`)}`,
            })),
          },
          {
            key: 'state',
            label: t('state'),
            kind: 'choice',
            choices: [{ value: 'gone', label: t('states.gone') }],
          },
        ]}
        columns={[
          { key: 'check', label: t('check'), sort: true, cell: ({ check }) => t(`checks.${check}.title`) },
          { key: 'label', label: t('record'), sort: true, cell: (row) => <Subject row={row} /> },
          { key: 'stored', label: t('stored'), cell: (row) => <Value check={row.check} value={row.stored} /> },
          { key: 'derived', label: t('derived'), cell: (row) => <Value check={row.check} value={row.derived} /> },
          { key: 'state', label: t('state'), hidden: true, cell: (row) => <State row={row} /> },
          {
            key: 'firstSeenAt',
            label: t('firstSeen'),
            sort: true,
            cell: ({ firstSeenAt }) => <span style={{ whiteSpace: 'nowrap' }}>{dateTime(firstSeenAt, language)}</span>,
          },
          { key: 'lastSeenAt', label: t('lastSeen'), hidden: true, cell: (row) => dateTime(row.lastSeenAt, language) },
        ]}
        empty={
          checked
            ? {
                title: t('emptyTitle', { count: last.data.checks }),
                text: t('emptyText', { when: dateTime(checked.finishedAt, language) }),
              }
            : { title: t('neverTitle'), text: t('never') }
        }
      />
      <Modal opened={open !== null} onClose={() => setOpen(null)} size="lg" title={open && nameOf(open)}>
        {open && <Details row={open} />}
      </Modal>
    </>
  )
}

function CheckNow() {
  const send = useSend(checkInvariants)
  const { t } = useTranslation('ops')
  const { language } = useSurroundings()
  const client = useQueryClient()
  const { data: last, error, refetch } = useEndpoint(readInvariants)
  const run = useMutation<{ data: { found: unknown[] } }, ApiError>({
    mutationFn: () => send(),
    onSuccess: ({ data }) => {
      const found = data.found.length
      notifications.show({
        color: found > 0 ? 'red' : 'green',
        message: found > 0 ? t('doneBad', { count: found }) : t('doneGood'),
      })
      for (const endpoint of [listFindings, readInvariants])
        void client.invalidateQueries({ queryKey: keyOf(endpoint) })
    },
    onError: ({ message }) => notifications.show({ color: 'red', message }),
  })
  return (
    <Stack gap={4} align="flex-end">
      <Button onClick={() => run.mutate()} loading={run.isPending}>
        {t('runNow')}
      </Button>
      {!last && <Missing what={t('lastCheck')} error={error} onRetry={refetch} />}
      {last?.data.run && (
        <Text size="xs" c="dimmed" ta="right">
          {t('lastRun', {
            when: dateTime(last.data.run.finishedAt, language),
            found: t('lastFound', { count: last.data.run.found }),
          })}{' '}
          ({last.data.run.startedBy ? t('by', { name: last.data.run.startedBy }) : t('everyNight')})
        </Text>
      )}
    </Stack>
  )
}

function Subject({ row: { subject, path } }: { row: Finding }) {
  if (!path) return <>{subject.label}</>
  return <Anchor component={Link} to={path} size="sm" children={subject.label} />
}

/** Money as money, statuses as words, anything else as it is. */
function Value({ check, value }: { check: InvariantName; value: string | null }) {
  const { t, i18n } = useTranslation('ops')
  if (value === null) return <>{t('nothing')}</>
  const { measure } = invariants[check]
  if (measure === 'rupiah') return <span style={{ whiteSpace: 'nowrap' }}>{rupiah(Number(value))}</span>
  if (measure === 'count') return <>{wholeNumber(Number(value))}</>
  return <>{i18n.exists(`ops:values.${value}`) ? t(`values.${value}` as 'values.open') : value}</>
}

function State({ row }: { row: Finding }) {
  const { t } = useTranslation('ops')
  return row.goneAt ? (
    <StatusDot tone="done" label={t('states.gone')} />
  ) : (
    <StatusDot tone="stopped" label={t('states.open')} />
  )
}

function Details({ row }: { row: Finding }) {
  const { t } = useTranslation('ops')
  const { language } = useSurroundings()
  const facts: [string, ReactNode][] = [
    [t('check'), t(`checks.${row.check}.title`)],
    [t('why'), t(`checks.${row.check}.text`)],
    [t('record'), <Subject key="subject" row={row} />],
    [t('stored'), <Value key="stored" check={row.check} value={row.stored} />],
    [t('derived'), <Value key="derived" check={row.check} value={row.derived} />],
    [t('firstSeen'), dateTime(row.firstSeenAt, language)],
    row.goneAt ? [t('gone'), dateTime(row.goneAt, language)] : [t('lastSeen'), dateTime(row.lastSeenAt, language)],
  ]
  return (
    <Stack gap="sm">
      <Facts facts={facts} />
      <Text size="sm" c="dimmed">
        {t('runbook')}
      </Text>
      {row.path && (
        <Button component={Link} to={row.path} variant="default" children={t('open')} style={{ alignSelf: 'start' }} />
      )}
    </Stack>
  )
}
