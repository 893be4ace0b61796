import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Section } from './use-section.ts'

const offeredHours = [1, 2, 3, 6, 12, 24, 48, 72, 120, 168, 336]

/** Hours before a test at which people are reminded; whole days are shown as days. */
export function ReminderField({ section }: { section: Section }) {
  const { t } = useTranslation('settings')
  const chosenHours = section.form.values.testReminderHours
  const labelOf = (hours: number) =>
    hours % 24 === 0 ? t('daysBefore', { count: hours / 24 }) : t('hoursBefore', { count: hours })
  const hours = [...new Set([...offeredHours, ...chosenHours])].sort((a, b) => a - b)
  return (
    <MultiSelect
      label={t('fields.testReminderHours')}
      description={t('reminderHelp')}
      data={hours.map((value) => ({ value: String(value), label: labelOf(value) }))}
      value={chosenHours.map(String)}
      readOnly={!section.editable}
      {...section.form.field('testReminderHours')}
      onChange={(values) => section.form.set({ testReminderHours: values.map(Number).sort((a, b) => b - a) })}
    />
  )
}
