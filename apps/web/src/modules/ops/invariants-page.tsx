import { Anchor, Button, Modal, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { checkInvariants, readInvariants } from '#domain/ops/endpoints.ts'
import { type InvariantName, invariantNames, invariants } from '#domain/ops/invariants.ts'
import { type FindingRow, listFindings } from '#domain/ops/lists.ts'
import { dateTime } from '#locales/format.ts'
import type { ApiError } from '#web/api/client.ts'
import { keyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { StatusDot } from '#web/ui/text/status-dot.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'

/** Contradictions in the stored data, found by the nightly check or a check on request. */
export default function InvariantsPage() {
  const { t } = useTranslation('ops')
  const { language } = useSurroundings()
  const title = useScreenTitle()
  const [openFinding, setOpen] = useState<FindingRow | null>(null)
  const { data: lastRun } = useEndpoint(readInvariants)
  const run = lastRun?.data.run
  const nameOf = (row: FindingRow) => `${t(`checks.${row.check}`)}: ${row.subject.label}`
  return (
    <>
      <DataList
        list={listFindings}
        title={title}
        searchLabel={t('search')}
        rowTitle={nameOf}
        onOpen={setOpen}
        dimmed={({ goneAt }) => goneAt !== null}
        actions={<CheckNow />}
        controls={{
          check: {
            kind: 'choice',
            choices: invariantNames.map((value) => ({
              value,
              label: `${t(`areas.${invariants[value].area}`)} · ${t(`checks.${value}`)}`,
            })),
          },
          state: { kind: 'choice', choices: [{ value: 'gone', label: t('states.gone') }] },
        }}
        cells={{
          label: (row) => <Subject row={row} />,
          storedText: ({ check, storedText }) => <Value check={check} text={storedText} />,
          derivedText: ({ check, derivedText }) => <Value check={check} text={derivedText} />,
          state: (row) => <State row={row} />,
        }}
        empty={
          run
            ? {
                title: t('emptyTitle', { count: lastRun.data.checks }),
                text: t('emptyText', { when: dateTime(run.finishedAt, language) }),
              }
            : { title: t('neverTitle'), text: t('never') }
        }
      />
      <Modal
        opened={openFinding !== null}
        onClose={() => setOpen(null)}
        size="lg"
        title={openFinding && nameOf(openFinding)}
      >
        {openFinding && <Details row={openFinding} />}
      </Modal>
    </>
  )
}

function CheckNow() {
  const { t } = useTranslation('ops')
  const { language } = useSurroundings()
  const client = useQueryClient()
  const { data: lastRun, error, refetch } = useEndpoint(readInvariants)
  const run = useMutation<{ data: { found: unknown[] } }, ApiError>({
    mutationFn: () => sendOnce(checkInvariants),
    onSuccess: ({ data }) => {
      const foundCount = data.found.length
      notifications.show({
        color: foundCount > 0 ? 'red' : 'green',
        message: foundCount > 0 ? t('doneBad', { count: foundCount }) : t('doneGood'),
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
      {!lastRun && <Missing what={t('lastCheck')} error={error} onRetry={refetch} />}
      {lastRun?.data.run && (
        <Text size="xs" c="dimmed" ta="right">
          {t('lastRun', {
            when: dateTime(lastRun.data.run.finishedAt, language),
            found: t('lastFound', { count: lastRun.data.run.found }),
          })}{' '}
          ({lastRun.data.run.startedBy ? t('by', { name: lastRun.data.run.startedBy }) : t('everyNight')})
        </Text>
      )}
    </Stack>
  )
}

function Subject({ row: { subject, path } }: { row: FindingRow }) {
  if (!path) return <>{subject.label}</>
  return <Anchor component={Link} to={path} size="sm" children={subject.label} />
}

function Value({ check, text }: { check: InvariantName; text: string | null }) {
  const { t } = useTranslation('ops')
  if (text === null) return t('nothing')
  return <span style={invariants[check].measure === 'rupiah' ? { whiteSpace: 'nowrap' } : undefined}>{text}</span>
}

function State({ row }: { row: FindingRow }) {
  const { t } = useTranslation('ops')
  return row.goneAt ? (
    <StatusDot tone="done" label={t('states.gone')} />
  ) : (
    <StatusDot tone="stopped" label={t('states.open')} />
  )
}

function Details({ row }: { row: FindingRow }) {
  const { t } = useTranslation('ops')
  const { language } = useSurroundings()
  const facts: [string, ReactNode][] = [
    [t('check'), t(`checks.${row.check}`)],
    [t('why'), t(`meanings.${row.check}`)],
    [t('record'), <Subject key="subject" row={row} />],
    [t('stored'), <Value key="stored" check={row.check} text={row.storedText} />],
    [t('derived'), <Value key="derived" check={row.check} text={row.derivedText} />],
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
