import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ChosenRules } from '#domain/selection/rules.ts'
import { dateTime } from '#locales/format.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { RulesFields } from './rules-fields.tsx'
import type { Defaults } from './rules-state.ts'

export type RunValues = { name: string; scoreRunId: string | null; rules: ChosenRules }

type Props = {
  values: RunValues
  set: (change: Partial<RunValues>) => void
  defaults: Defaults
  form: Pick<Checks, 'field'>
}

/** Name, scores and rules of a selection. */
export function RunFields({ values, set, defaults, form }: Props) {
  const { t } = useTranslation('selection')
  const { language } = useSurroundings()
  return (
    <>
      <TextInput
        label={t('form.name')}
        placeholder={t('form.namePlaceholder')}
        maw={480}
        value={values.name}
        {...form.field('name')}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
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
        value={values.scoreRunId ?? ''}
        onChange={(value) => set({ scoreRunId: value || null })}
      />
      <RulesFields rules={values.rules} onChange={(rules) => set({ rules })} defaults={defaults} form={form} />
    </>
  )
}
