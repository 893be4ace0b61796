import { Alert, Button, Group, SegmentedControl, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconPlus } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { readTuitionGrid, saveTuitionGrid, type TuitionGrid } from '#domain/fees/endpoints.ts'
import type { Row } from '#entities/define/row.ts'
import { type ApiError, isNotFound } from '#web/api/client.ts'
import { keyOf as queryKeyOf, useEndpoint } from '#web/api/query.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { UnsavedGuard } from '#web/resource/form/unsaved-guard.tsx'
import { useSession } from '#web/shell/session.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/states/empty-state.tsx'
import { LoadingRows } from '#web/ui/states/loading-rows.tsx'
import { Missing } from '#web/ui/states/missing.tsx'
import { useSettledMedia } from '#web/ui/use-settled-media.ts'
import { ApplicantView } from './applicant-view.tsx'
import { CopyTuitionDialog } from './copy-tuition-dialog.tsx'
import classes from './tuition.module.css'
import { TuitionTable } from './tuition-table.tsx'
import { type CellKey, useTuitionEdits } from './use-tuition-edits.ts'

/** Tuition of a study programme: one wave and track at a time, as a grid. */
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
  return (
    <Editor
      key={`${grid.waveId}${grid.trackId}`}
      grid={grid}
      reload={async () => (await answer.refetch()).data?.data}
      show={show}
    />
  )
}

type EditorProps = {
  grid: TuitionGrid
  reload: () => Promise<TuitionGrid | undefined>
  show: (name: 'wave' | 'track', value: string | null) => void
}

function Editor({ grid, reload, show }: EditorProps) {
  const { t } = useTranslation('fees')
  const { may } = useSession()
  const queries = useQueryClient()
  const isNarrow = useSettledMedia('(max-width: 48em)')
  const edits = useTuitionEdits(grid)
  const [conflicts, setConflicts] = useState<Record<string, string>>({})
  const [copying, setCopying] = useState(false)
  const [everyClass, setEveryClass] = useState(false)
  const [oneClass, setOneClass] = useState<string | null>(null)
  const mayEdit = may('master-uang-kuliah-edit')
  const offeredClasses = grid.classProgrammes.filter(
    ({ id, offered }) => offered || grid.cells.some((cell) => cell.classProgrammeId === id),
  )
  const visibleClasses = everyClass || offeredClasses.length === 0 ? grid.classProgrammes : offeredClasses
  const visibleClass = visibleClasses.find(({ id }) => id === oneClass) ?? visibleClasses[0]
  const classIds = isNarrow && visibleClass ? [visibleClass.id] : visibleClasses.map(({ id }) => id)
  const dirty = edits.changed.length > 0

  const body = { waveId: grid.waveId, trackId: grid.trackId, cells: edits.changes() }
  const save = useMutation<unknown, ApiError>({
    mutationFn: async () => {
      const saved = await sendOnce(saveTuitionGrid, { params: { parentId: grid.programme.id }, body })
      await queries.cancelQueries({ queryKey: queryKeyOf(readTuitionGrid) })
      void queries.invalidateQueries({ predicate: ({ queryKey: [path] }) => String(path).startsWith('/master/') })
      await reload()
      return saved
    },
    onSuccess: () => {
      edits.forget()
      setConflicts({})
      notifications.show({ message: t('grid.saved'), color: 'green' })
    },
    onError: async (error) => {
      const conflicts = Object.fromEntries(
        Object.entries(error.fieldMessages).map(([field, sentence]) => [field.replace(/^cells\./, ''), sentence]),
      )
      setConflicts(conflicts)
      // The saved amounts of another person become the base of these edits; no typed amount is lost.
      if (error.code === 'stale_version') await reload()
    },
  })
  const checks = useChecks(saveTuitionGrid, body, { refusal: save.error })
  /** Sentences beside the cells: amounts another person saved meanwhile, and invalid amounts. */
  const sentences = {
    ...Object.fromEntries(
      edits.changed.flatMap((key, index) => {
        const sentence = checks.errorOf(`cells.${index}`)
        return sentence ? [[key, sentence]] : []
      }),
    ),
    ...conflicts,
  }
  const conflicting = Object.keys(conflicts) as CellKey[]
  const change = (name: 'wave' | 'track') => (value: string | null) => {
    if (!dirty || window.confirm(t('grid.leave'))) show(name, value)
  }

  return (
    <Stack>
      <UnsavedGuard dirty={dirty && !save.isPending} />
      <Card
        flush
        title={t('grid.title')}
        actions={
          mayEdit && (
            <>
              <Button
                size="sm"
                variant="default"
                leftSection={<IconCopy size={18} aria-hidden="true" />}
                onClick={() => setCopying(true)}
              >
                {t('copy.open')}
              </Button>
              {may('master-uang-kuliah-create') && (
                <Button
                  size="sm"
                  variant="default"
                  component={Link}
                  to={`/master/prodi/${grid.programme.id}/create-uang-kuliah`}
                  leftSection={<IconPlus size={18} aria-hidden="true" />}
                >
                  {t('grid.addRow')}
                </Button>
              )}
            </>
          )
        }
      >
        <div className={classes.choices}>
          <Select
            size="sm"
            label={t('wave')}
            value={grid.waveId}
            onChange={change('wave')}
            data={grid.waves.map(({ id, title, rows }) => ({
              value: id,
              label: rows > 0 ? `${title} (${rows})` : title,
            }))}
            allowDeselect={false}
            searchable
          />
          <Select
            size="sm"
            label={t('track')}
            value={grid.trackId ?? ''}
            onChange={(value) => change('track')(value || null)}
            data={[
              { value: '', label: t('everyTrack') },
              ...grid.tracks.map(({ id, name, rows }) => ({ value: id, label: rows > 0 ? `${name} (${rows})` : name })),
            ]}
            allowDeselect={false}
          />
          {isNarrow && visibleClasses.length > 1 && (
            <SegmentedControl
              fullWidth
              value={visibleClass?.id ?? ''}
              onChange={setOneClass}
              data={visibleClasses.map(({ id, name }) => ({ value: id, label: name }))}
            />
          )}
        </div>
        {grid.trackId && (
          <Text size="sm" c="dimmed" px={20} pb="sm">
            {t('grid.trackHelp')}
          </Text>
        )}
        {grid.components.length === 0 || visibleClasses.length === 0 ? (
          <EmptyState title={t(grid.components.length === 0 ? 'grid.noComponents' : 'grid.noClasses')} />
        ) : (
          <div data-field="cells" {...checks.form}>
            <TuitionTable grid={grid} edits={edits} classIds={classIds} conflicts={sentences} readOnly={!mayEdit} />
          </div>
        )}
        {!everyClass && visibleClasses.length < grid.classProgrammes.length && (
          <Button variant="subtle" size="sm" ml={8} mt={4} onClick={() => setEveryClass(true)}>
            {t('grid.moreClasses', { count: grid.classProgrammes.length - visibleClasses.length })}
          </Button>
        )}
        {mayEdit && (
          <>
            <Text size="sm" c="dimmed" px={20} py={8} visibleFrom="sm">
              {t('grid.keys')}
            </Text>
            {save.error && (
              <Alert color="red" variant="light" mx={20} mb="sm" role="alert">
                {conflicting.length > 0 ? t('grid.conflicts', { count: conflicting.length }) : save.error.message}
                {conflicting.length > 0 && (
                  <Group mt="xs">
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() => {
                        edits.forget(conflicting)
                        setConflicts({})
                        save.reset()
                      }}
                    >
                      {t('grid.takeTheirs')}
                    </Button>
                  </Group>
                )}
              </Alert>
            )}
            <div className={classes.bar}>
              <Text size="sm" role="status" aria-live="polite">
                {edits.wrong.length > 0
                  ? t('grid.wrongCells', { count: edits.wrong.length })
                  : dirty
                    ? t('grid.changed', { count: edits.changed.length })
                    : t('grid.nothingChanged')}
              </Text>
              <Group gap="sm">
                <Button
                  variant="default"
                  size="sm"
                  disabled={!dirty || save.isPending}
                  onClick={() => {
                    edits.forget()
                    setConflicts({})
                    save.reset()
                  }}
                >
                  {t('discard')}
                </Button>
                <Button
                  size="sm"
                  disabled={!dirty || edits.wrong.length > 0}
                  loading={save.isPending}
                  onClick={() => checks.isReady() && save.mutate()}
                >
                  {t('save')}
                </Button>
              </Group>
            </div>
          </>
        )}
      </Card>
      {grid.classProgrammes.length > 0 && grid.tracks.length > 0 && <ApplicantView grid={grid} unsaved={dirty} />}
      <CopyTuitionDialog grid={grid} edits={edits} opened={copying} onClose={() => setCopying(false)} />
    </Stack>
  )
}
