import { Button, Stack, Text } from '@mantine/core'
import { IconCopy, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { readTuitionGrid, type TuitionGrid } from '#domain/fees/endpoints.ts'
import type { Row } from '#entities/define/row.ts'
import { isNotFound } from '#web/api/client.ts'
import { useEndpoint } from '#web/api/query.ts'
import { UnsavedGuard } from '#web/resource/form/unsaved-guard.tsx'
import { useSession } from '#web/shell/session/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { ApplicantView } from './applicant-view.tsx'
import { CopyTuitionDialog } from './copy-tuition-dialog.tsx'
import { GridChoices } from './grid-choices.tsx'
import { SaveBar } from './save-bar.tsx'
import { TuitionTable } from './tuition-table.tsx'
import { useSaveTuition } from './use-save-tuition.ts'
import { useTuitionEdits } from './use-tuition-edits.ts'
import { useVisibleClasses } from './use-visible-classes.ts'

/** Tuition of a study programme as a grid: one wave and track at a time. */
export default function TuitionPanel({ row }: { row: Row }) {
  const [search, setSearch] = useSearchParams()
  const waveId = search.get('wave')
  const trackId = search.get('track')
  const answer = useEndpoint(
    readTuitionGrid,
    { params: { parentId: row.id }, query: { ...(waveId && { waveId }), ...(trackId && { trackId }) } },
    { placeholderData: (before) => before, refetchOnWindowFocus: false },
  )
  const { t } = useTranslation('fees')
  const grid = answer.data?.data
  const show = (name: 'wave' | 'track', value: string | null) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  if (answer.error && !grid)
    return isNotFound(answer.error) ? (
      <EmptyState title={t('grid.noWave')} />
    ) : (
      <Missing error={answer.error} onRetry={answer.refetch} />
    )
  if (!grid) return <LoadingRows rows={6} height={40} />
  return <Editor key={`${grid.waveId}${grid.trackId}`} grid={grid} reload={answer.refetch} show={show} />
}

type EditorProps = {
  grid: TuitionGrid
  reload: () => unknown
  show: (name: 'wave' | 'track', value: string | null) => void
}

function Editor({ grid, reload, show }: EditorProps) {
  const { t } = useTranslation('fees')
  const { may } = useSession()
  const edits = useTuitionEdits(grid)
  const saving = useSaveTuition(grid, edits, reload)
  const visible = useVisibleClasses(grid)
  const [copying, setCopying] = useState(false)
  const mayEdit = may('master-uang-kuliah-edit')
  const dirty = edits.changed.length > 0

  return (
    <Stack>
      <UnsavedGuard dirty={dirty && !saving.busy} />
      <Card
        flush
        title={t('grid.title')}
        actions={mayEdit && <EditorActions programmeId={grid.programme.id} onCopy={() => setCopying(true)} />}
      >
        <GridChoices
          grid={grid}
          visible={visible}
          onChange={(name, value) => {
            if (!dirty || window.confirm(t('grid.leave'))) show(name, value)
          }}
        />
        {grid.trackId && (
          <Text size="sm" c="dimmed" px={20} pb="sm">
            {t('grid.trackHelp')}
          </Text>
        )}
        {grid.components.length === 0 || visible.classes.length === 0 ? (
          <EmptyState title={t(grid.components.length === 0 ? 'grid.noComponents' : 'grid.noClasses')} />
        ) : (
          <div data-field="cells" {...saving.form}>
            <TuitionTable
              grid={grid}
              edits={edits}
              classIds={visible.columnIds}
              conflicts={saving.sentences}
              readOnly={!mayEdit}
            />
          </div>
        )}
        {visible.hiddenCount > 0 && (
          <Button variant="subtle" size="sm" ml={8} mt={4} onClick={visible.showEveryClass}>
            {t('grid.moreClasses', { count: visible.hiddenCount })}
          </Button>
        )}
        {mayEdit && <SaveBar edits={edits} saving={saving} />}
      </Card>
      {grid.classProgrammes.length > 0 && grid.tracks.length > 0 && <ApplicantView grid={grid} unsaved={dirty} />}
      {copying && <CopyTuitionDialog grid={grid} edits={edits} onClose={() => setCopying(false)} />}
    </Stack>
  )
}

function EditorActions({ programmeId, onCopy }: { programmeId: string; onCopy: () => void }) {
  const { t } = useTranslation('fees')
  const { may } = useSession()
  return (
    <>
      <Button size="sm" variant="default" leftSection={<IconCopy size={18} aria-hidden="true" />} onClick={onCopy}>
        {t('copy.open')}
      </Button>
      {may('master-uang-kuliah-create') && (
        <Button
          size="sm"
          variant="default"
          component={Link}
          to={`/master/prodi/${programmeId}/create-uang-kuliah`}
          leftSection={<IconPlus size={18} aria-hidden="true" />}
        >
          {t('grid.addRow')}
        </Button>
      )}
    </>
  )
}
