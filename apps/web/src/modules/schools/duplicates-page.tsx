import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SchoolPair } from '#domain/schools/endpoints.ts'
import { listPairs } from '#domain/schools/lists.ts'
import { percent } from '#locales/format.ts'
import { DataList } from '#web/list/data-list.tsx'
import { useScreenTitle } from '#web/shell/title.tsx'
import { MergeDialog } from './merge-dialog.tsx'
import { SchoolLine } from './school-line.tsx'
import { useDismiss } from './use-dismiss.ts'
import { useMayDecide } from './use-school-data.ts'
import { WaitingNote } from './waiting-note.tsx'

/** Pairs of schools that may be duplicates, most similar first. */
export default function DuplicatesPage() {
  const { t } = useTranslation('schools')
  const title = useScreenTitle()
  const mayDecide = useMayDecide()
  const [openPair, setOpen] = useState<SchoolPair | null>(null)
  const dismiss = useDismiss()
  const dismissButton = (pair: SchoolPair) => (
    <Button
      size="compact-sm"
      variant="default"
      loading={dismiss.isPending && dismiss.variables.id === pair.id}
      onClick={(event) => {
        event.stopPropagation()
        dismiss.mutate(pair)
      }}
      children={t(pair.dismissed ? 'pairs.reopen' : 'pairs.dismiss')}
    />
  )
  return (
    <>
      <WaitingNote />
      <DataList
        list={listPairs}
        title={title}
        rowTitle={({ a, b }) => `${a.name} / ${b.name}`}
        onOpen={setOpen}
        actions={
          <Button component={Link} to="/master/sma-nama/merges" variant="default" children={t('pairs.history')} />
        }
        controls={{
          dismissed: { kind: 'choice', choices: [{ value: 'true', label: t('pairs.dismissals.true') }] },
        }}
        cells={{
          first: ({ a }) => <SchoolLine school={a} />,
          second: ({ b }) => <SchoolLine school={b} />,
          decision: dismissButton,
        }}
        card={(pair) => (
          <div>
            <SchoolLine school={pair.b} />
            <Text size="sm" c="dimmed" my={4}>
              {pair.city} · {t('similarity', { share: percent(pair.similarity / 100) })}
            </Text>
            <Group gap={8}>
              <Button size="compact-sm" onClick={() => setOpen(pair)} children={t('pairs.compare')} />
              {mayDecide && dismissButton(pair)}
            </Group>
          </div>
        )}
        empty={{ title: t('pairs.empty'), text: t('pairs.emptyText') }}
      />
      {openPair && <MergeDialog pair={openPair} onClose={() => setOpen(null)} />}
    </>
  )
}
