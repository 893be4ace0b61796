import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { holdPlace, type SelectionRun } from '#domain/selection/endpoints.ts'
import { listSelectionEntries, type SelectionEntry } from '#domain/selection/lists.ts'
import { twoDecimals } from '#locales/format.ts'
import { ReasonDialog } from '#web/list/actions/reason-dialog.tsx'
import type { DialogEnds, RowAction } from '#web/list/actions/row-action.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { outcomeTones } from '#web/modules/selection/tones.ts'
import { StatusDot } from '#web/ui/text/status-dot.tsx'

/** All choices of the applicants with result and reason; places can be held manually here. */
export function Entries({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const action = (kind: 'place' | 'exclude'): RowAction<SelectionEntry> => ({
    key: kind,
    label: t(`hold.${kind}`),
    right: 'seleksi-update',
    refusal: () => run.refusal,
    suits: ({ outcome }) => outcome !== 'kept' && outcome !== (kind === 'place' ? 'held' : 'excluded'),
    dialog: ([row], ends) => <HoldDialog run={run} kind={kind} row={row!} ends={ends} />,
  })
  return (
    <ListCard
      list={listSelectionEntries}
      prefix="e."
      title={t('entries.title')}
      params={{ id: run.id }}
      rowTitle={({ name }) => name}
      href={({ registrationId }) => `/pendaftaran/${registrationId}`}
      rowActions={[action('place'), action('exclude')]}
      cells={{
        outcome: ({ outcome }) => <StatusDot tone={outcomeTones[outcome]} label={t(`outcome.${outcome}`)} />,
        total: ({ total }) => (total === null ? '–' : twoDecimals(total)),
      }}
      card={({ programme, outcome, why }) => (
        <Stack gap={2}>
          <Text size="sm">{programme}</Text>
          <StatusDot tone={outcomeTones[outcome]} label={t(`outcome.${outcome}`)} />
          <Text size="sm" c="dimmed">
            {why}
          </Text>
        </Stack>
      )}
      empty={{ title: t('entries.empty'), text: t('entries.emptyText') }}
    />
  )
}

type DialogProps = { run: SelectionRun; kind: 'place' | 'exclude'; row: SelectionEntry; ends: DialogEnds }

function HoldDialog({ run, kind, row, ends }: DialogProps) {
  const { t } = useTranslation('selection')
  const { registrationId, programmeId, name, programme } = row
  return (
    <ReasonDialog
      call={holdPlace}
      params={{ id: run.id }}
      body={{ version: run.version, registrationId, programmeId, kind }}
      title={t(`hold.${kind}Title`, { name, programme })}
      submit={t(`hold.${kind}`)}
      label={t('hold.reason')}
      done={t('hold.done')}
      {...ends}
    >
      <Text>{t('hold.text')}</Text>
    </ReasonDialog>
  )
}
