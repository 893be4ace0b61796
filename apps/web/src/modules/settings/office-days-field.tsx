import { MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Section } from './use-section.ts'

/** Weekdays on which the office answers; 1 is Monday. */
export function OfficeDaysField({ section }: { section: Section }) {
  const { t } = useTranslation(['settings', 'chat'])
  const days = [1, 2, 3, 4, 5, 6, 7] as const
  return (
    <MultiSelect
      label={t('fields.chatDays')}
      description={t('chatDaysHelp')}
      data={days.map((day) => ({ value: String(day), label: t(`chat:days.${day}`) }))}
      value={section.form.values.chatDays.map(String)}
      readOnly={!section.editable}
      {...section.form.field('chatDays')}
      onChange={(values) => section.form.set({ chatDays: values.map(Number).sort((a, b) => a - b) })}
    />
  )
}
