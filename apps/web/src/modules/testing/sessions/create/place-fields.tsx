import { NumberInput, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RoomFields } from '#web/modules/testing/sessions/rooms/room-fields.tsx'
import type { SeriesState } from './use-series.ts'

/** Place of the sessions and their rooms, or their capacity without rooms. */
export function PlaceFields({ series: { typed, form, change, isOnline } }: { series: SeriesState }) {
  const { t } = useTranslation('test-sessions')
  return (
    <Stack gap="md">
      <TextInput
        label={t('create.location')}
        description={t('create.locationHelp')}
        value={typed.location}
        {...form.field('location')}
        onChange={(event) => change({ location: event.currentTarget.value })}
      />
      {!isOnline && <RoomFields rooms={typed.rooms} onChange={(rooms) => change({ rooms })} field={form.field} />}
      {(isOnline || typed.rooms.length === 0) && (
        <NumberInput
          label={t('create.capacity')}
          allowDecimal={false}
          maw={320}
          value={typed.capacity ?? ''}
          {...form.field('capacity')}
          onChange={(value) => change({ capacity: value === '' ? null : Number(value) })}
        />
      )}
    </Stack>
  )
}
