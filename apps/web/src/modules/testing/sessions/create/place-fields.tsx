import { NumberInput, Stack, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { RoomFields } from '#web/modules/testing/sessions/rooms/room-fields.tsx'
import type { SeriesState } from './use-series.ts'

/** Place of the sessions and their rooms, or their capacity without rooms. */
export function PlaceFields({ series: { form, isOnline } }: { series: SeriesState }) {
  const { t } = useTranslation('test-sessions')
  const { rooms } = form.values
  return (
    <Stack gap="md">
      <TextInput label={t('create.location')} description={t('create.locationHelp')} {...form.text('location')} />
      {!isOnline && <RoomFields rooms={rooms} onChange={(next) => form.set({ rooms: next })} field={form.field} />}
      {(isOnline || rooms.length === 0) && (
        <NumberInput label={t('create.capacity')} allowDecimal={false} maw={320} {...form.number('capacity')} />
      )}
    </Stack>
  )
}
