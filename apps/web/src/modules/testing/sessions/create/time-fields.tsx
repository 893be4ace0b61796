import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack } from '@mantine/core'
import { DatePickerInput, DateTimePicker } from '@mantine/dates'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TimeInput } from '#web/modules/testing/sessions/time-input.tsx'
import { fromWallClock, toWallClock } from '#web/resource/wall-clock.ts'
import type { SeriesState } from './use-series.ts'

/** Days, times of a day, and when booking opens and closes. */
export function TimeFields({ series: { typed, form, change } }: { series: SeriesState }) {
  const { t } = useTranslation('test-sessions')
  const { times } = typed
  const changeTime = (index: number, next: Partial<(typeof times)[number]>) =>
    change({ times: times.map((time, position) => (position === index ? { ...time, ...next } : time)) })
  return (
    <Stack gap="md">
      <DatePickerInput
        type="multiple"
        label={t('create.days')}
        value={typed.days}
        clearable
        valueFormat="DD MMM YYYY"
        {...form.field('days')}
        onChange={(days) => change({ days: [...days].sort() })}
      />
      {times.map((time, index) => (
        <Fieldset key={index} legend={t('create.time', { number: index + 1 })}>
          <Group align="flex-end">
            {(['startTime', 'endTime'] as const).map((name) => (
              <TimeInput
                key={name}
                label={t(`create.${name}`)}
                value={time[name]}
                checked={form.field(`times.${index}.${name}`)}
                onChange={(value) => changeTime(index, { [name]: value })}
              />
            ))}
            {times.length > 1 && (
              <Button
                variant="subtle"
                c="var(--mantine-color-error)"
                leftSection={<IconTrash size={18} aria-hidden="true" />}
                onClick={() => change({ times: times.filter((_, position) => position !== index) })}
                children={t('create.removeTime', { number: index + 1 })}
              />
            )}
          </Group>
        </Fieldset>
      ))}
      <Group>
        <Button
          variant="default"
          leftSection={<IconPlus size={18} aria-hidden="true" />}
          onClick={() => change({ times: [...times, { startTime: '', endTime: '' }] })}
          children={t('create.addTime')}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <DateTimePicker
          label={t('create.bookingOpensAt')}
          description={t('create.bookingOpensHelp')}
          clearable
          value={typed.bookingOpensAt ? toWallClock(typed.bookingOpensAt) : null}
          {...form.field('bookingOpensAt')}
          onChange={(next) => change({ bookingOpensAt: next ? fromWallClock(next) : null })}
          valueFormat="DD MMMM YYYY, HH.mm"
        />
        <NumberInput
          label={t('create.closesHoursBefore')}
          description={t('create.closesHelp')}
          allowDecimal={false}
          value={typed.closesHoursBefore ?? ''}
          {...form.field('closesHoursBefore')}
          onChange={(value) => change({ closesHoursBefore: value === '' ? null : Number(value) })}
        />
      </SimpleGrid>
    </Stack>
  )
}
