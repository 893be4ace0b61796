import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChosenRules } from '#domain/selection/rules.ts'
import { dateTime } from '#locales/format.ts'
import type { Bindings } from '#web/api/use-form.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { RulesFields } from './rules-fields.tsx'
import type { Defaults } from './rules-state.ts'

export type RunValues = { name: string; scoreRunId: string | null; rules: ChosenRules }

type Props = {
  form: Bindings<RunValues>
  defaults: Defaults
}

/** Name, scores and rules of a selection. */
export function RunFields({ form, defaults }: Props) {
  const { t } = useTranslation('selection')
  const { language } = useSurroundings()
  return (
    <>
      <TextInput label={t('form.name')} placeholder={t('form.namePlaceholder')} maw={480} {...form.text('name')} />
      <Select
        label={t('form.scoreRun')}
        description={t('form.scoreRunHelp')}
        maw={480}
        allowDeselect={false}
        data={[
          { value: '', label: t('form.raw') },
          ...defaults.scoreRuns.map(({ id, name, createdAt }) => ({
            value: id,
            label: `${name} · ${dateTime(createdAt, language)}`,
          })),
        ]}
        value={form.values.scoreRunId ?? ''}
        onChange={(value) => form.set({ scoreRunId: value || null })}
      />
      <RulesFields
        rules={form.values.rules}
        onChange={(rules) => form.set({ rules })}
        defaults={defaults}
        form={form}
      />
    </>
  )
}
