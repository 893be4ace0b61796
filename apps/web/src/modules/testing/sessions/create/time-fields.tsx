import { Button, Fieldset, Group, NumberInput, SimpleGrid, Stack } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { TimeInput } from '#web/modules/testing/sessions/time-input.tsx'
import { fromWallClock, toWallClock } from '#web/resource/wall-clock.ts'
import { DatePickerInput, DateTimePicker } from '#web/ui/form/dates.ts'
import { bindingsOf } from '#web/ui/form/use-values.ts'
import type { SeriesState } from './use-series.ts'

/** Days, times of a day, and when booking opens and closes. */
export function TimeFields({ series: { form } }: { series: SeriesState }) {
  const { t } = useTranslation('test-sessions')
  const { days, times, bookingOpensAt } = form.values
  const changeTime = (index: number, next: Partial<(typeof times)[number]>) =>
    form.set({ times: times.map((time, position) => (position === index ? { ...time, ...next } : time)) })
  const inputs = times.map((time, index) =>
    bindingsOf(
      time,
      (next) => changeTime(index, next),
      (name) => form.field(`times.${index}.${name}`),
    ),
  )
  return (
    <Stack gap="md">
      <DatePickerInput
        type="multiple"
        label={t('create.days')}
        value={days}
        clearable
        valueFormat="DD MMM YYYY"
        {...form.field('days')}
        onChange={(chosen) => form.set({ days: [...chosen].sort() })}
      />
      {inputs.map((input, index) => (
        <Fieldset key={index} legend={t('create.time', { number: index + 1 })}>
          <Group align="flex-end">
            {(['startTime', 'endTime'] as const).map((name) => (
              <TimeInput key={name} label={t(`create.${name}`)} {...input.value(name)} />
            ))}
            {times.length > 1 && (
              <Button
                variant="subtle"
                c="var(--mantine-color-error)"
                leftSection={<IconTrash size={18} aria-hidden="true" />}
                onClick={() => form.set({ times: times.filter((_, position) => position !== index) })}
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
          onClick={() => form.set({ times: [...times, { startTime: '', endTime: '' }] })}
          children={t('create.addTime')}
        />
      </Group>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <DateTimePicker
          label={t('create.bookingOpensAt')}
          description={t('create.bookingOpensHelp')}
          clearable
          value={bookingOpensAt ? toWallClock(bookingOpensAt) : null}
          {...form.field('bookingOpensAt')}
          onChange={(next) => form.set({ bookingOpensAt: next ? fromWallClock(next) : null })}
          valueFormat="DD MMMM YYYY, HH.mm"
        />
        <NumberInput
          label={t('create.closesHoursBefore')}
          description={t('create.closesHelp')}
          allowDecimal={false}
          {...form.number('closesHoursBefore')}
        />
      </SimpleGrid>
    </Stack>
  )
}
