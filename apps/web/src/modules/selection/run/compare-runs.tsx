import { Select, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import type { SelectionRun } from '#domain/selection/endpoints.ts'
import { listSelectionMoves } from '#domain/selection/lists.ts'
import { ListCard } from '#web/list/list-card.tsx'
import { Card } from '#web/ui/card.tsx'

/** Applicants whose place differs between another selection of the wave and this one. */
export function CompareRuns({ run }: { run: SelectionRun }) {
  const { t } = useTranslation('selection')
  const [search, setSearch] = useSearchParams()
  const otherId = run.others.find(({ id }) => id === search.get('with'))?.id
  return (
    <Stack>
      <Card>
        {run.others.length === 0 ? (
          <Text c="dimmed">{t('compare.none')}</Text>
        ) : (
          <Select
            label={t('compare.with')}
            description={t('compare.choose')}
            maw={480}
            data={run.others.map(({ id, name, status }) => ({
              value: id,
              label: `${name} · ${t(`status.${status}`)}`,
            }))}
            value={otherId ?? null}
            onChange={(chosen) => setSearch({ part: 'compare', ...(chosen && { with: chosen }) }, { replace: true })}
          />
        )}
      </Card>
      {otherId && (
        <ListCard
          key={otherId}
          list={listSelectionMoves}
          prefix="m."
          title={t('moves.title')}
          params={{ id: run.id, otherId }}
          rowTitle={({ name }) => name}
          href={({ id }) => `/pendaftaran/${id}`}
          empty={{ title: t('moves.empty'), text: t('moves.emptyText') }}
        />
      )}
    </Stack>
  )
}
