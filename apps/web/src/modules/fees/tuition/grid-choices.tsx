import { SegmentedControl, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TuitionGrid } from '#domain/fees/endpoints.ts'
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
      <Select
        size="sm"
        label={t('wave')}
        value={grid.waveId}
        onChange={(waveId) => onChange('wave', waveId)}
        data={grid.waves.map(({ id, title, rows }) => ({ value: id, label: withCount(title, rows) }))}
        allowDeselect={false}
        searchable
      />
      <Select
        size="sm"
        label={t('track')}
        value={grid.trackId ?? ''}
        onChange={(trackId) => onChange('track', trackId || null)}
        data={[
          { value: '', label: t('everyTrack') },
          ...grid.tracks.map(({ id, name, rows }) => ({ value: id, label: withCount(name, rows) })),
        ]}
        allowDeselect={false}
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
