import { SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TuitionGrid } from '#domain/fees/endpoints.ts'
import { RowSelect } from '#web/modules/fees/row-select.tsx'
import classes from '#web/modules/fees/tuition.module.css'
import type { VisibleClasses } from './use-visible-classes.ts'

type Props = {
  grid: TuitionGrid
  visible: VisibleClasses
  onChange: (name: 'wave' | 'track', value: string | null) => void
}

/** Selects the grid's wave and track, and its column on a narrow screen. */
export function GridChoices({ grid, visible, onChange }: Props) {
  const { t } = useTranslation('fees')
  const withCount = (label: string, rows: number) => (rows > 0 ? `${label} (${rows})` : label)
  return (
    <div className={classes.choices}>
      <RowSelect
        label={t('wave')}
        rows={grid.waves.map(({ id, title, rows }) => ({ id, name: withCount(title, rows) }))}
        value={grid.waveId}
        onChange={(waveId) => onChange('wave', waveId)}
        searchable
      />
      <RowSelect
        label={t('track')}
        rows={[
          { id: '', name: t('everyTrack') },
          ...grid.tracks.map(({ id, name, rows }) => ({ id, name: withCount(name, rows) })),
        ]}
        value={grid.trackId ?? ''}
        onChange={(trackId) => onChange('track', trackId || null)}
      />
      {visible.isOneShown && (
        <SegmentedControl
          fullWidth
          value={visible.chosenClass?.id ?? ''}
          onChange={visible.chooseClass}
          data={visible.classes.map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
    </div>
  )
}
