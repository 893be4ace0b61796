import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { CheckedField } from '#web/api/use-checks.ts'
import { bindingsOf } from '#web/ui/form/use-values.ts'

export type TypedRoom = {
  id?: string
  name: string
  capacity: number | null
  seatRows: number | null
  seatColumns: number | null
  specialSeats: number[]
}

export const emptyRoom = (): TypedRoom => ({
  name: '',
  capacity: 30,
  seatRows: null,
  seatColumns: null,
  specialSeats: [],
})

type Props = {
  rooms: readonly TypedRoom[]
  onChange: (rooms: TypedRoom[]) => void
  field: (name: string) => CheckedField
}

/** Fields for a session's rooms, and their total seats. */
export function RoomFields({ rooms, onChange, field }: Props) {
  const { t } = useTranslation('test-sessions')
  const change = (index: number, next: Partial<TypedRoom>) =>
    onChange(rooms.map((room, position) => (position === index ? { ...room, ...next } : room)))
  const inputOf = (room: TypedRoom, index: number) =>
    bindingsOf(
      room,
      (next) => change(index, next),
      (name) => field(`rooms.${index}.${name}`),
    )
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {t('rooms.gridHelp')}
      </Text>
      {rooms.map((room, index) => (
        <Fieldset key={index} legend={room.name || t('rooms.room', { number: index + 1 })}>
          <Stack gap="sm">
            <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
              <TextInput label={t('rooms.name')} {...inputOf(room, index).text('name')} />
              {(['capacity', 'seatRows', 'seatColumns'] as const).map((name) => (
                <NumberInput
                  key={name}
                  label={t(`rooms.${name}`)}
                  allowDecimal={false}
                  {...inputOf(room, index).number(name)}
                />
              ))}
            </SimpleGrid>
            <SeatNumbers
              key={rooms.length}
              value={room.specialSeats}
              onChange={(specialSeats) => change(index, { specialSeats })}
              checked={field(`rooms.${index}.specialSeats`)}
            />
            <Group>
              <Button
                variant="subtle"
                c="var(--mantine-color-error)"
                leftSection={<IconTrash size={18} aria-hidden="true" />}
                onClick={() => onChange(rooms.filter((_, position) => position !== index))}
              >
                {t('rooms.remove', { name: room.name || t('rooms.room', { number: index + 1 }) })}
              </Button>
            </Group>
          </Stack>
        </Fieldset>
      ))}
      <Group justify="space-between">
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => onChange([...rooms, emptyRoom()])}
          children={t('rooms.add')}
        />
        {rooms.length > 0 && (
          <Text fw={600}>
            {t('rooms.sum', { seats: rooms.reduce((sum, { capacity }) => sum + (capacity ?? 0), 0) })}
          </Text>
        )}
      </Group>
    </Stack>
  )
}

type SeatNumbersProps = { value: readonly number[]; onChange: (seats: number[]) => void; checked: CheckedField }

/** Seat numbers as text such as `1, 2, 15`. */
function SeatNumbers({ value, onChange, checked }: SeatNumbersProps) {
  const { t } = useTranslation('test-sessions')
  return (
    <TextInput
      label={t('rooms.specialSeats')}
      description={t('rooms.specialHelp')}
      inputMode="numeric"
      defaultValue={value.join(', ')}
      error={checked.error}
      wrapperProps={checked.wrapperProps}
      onChange={(event) =>
        onChange([...new Set((event.currentTarget.value.match(/\d{1,5}/g) ?? []).map(Number))].filter(Boolean))
      }
    />
  )
}
