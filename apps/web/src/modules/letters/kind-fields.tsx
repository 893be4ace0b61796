import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LetterKind } from '#domain/letters/endpoints.ts'
import { letterAudiences, letterNumberProblem } from '#domain/letters/letter-texts.ts'
import { sampleNumber } from '#domain/settings/number-templates.ts'
import type { Checks } from '#web/api/use-checks.ts'
import { useBraceWarning } from '#web/shell/use-brace-warning.ts'

/** Initial values of a kind's form, empty or as stored. */
export const startOf = (kind: LetterKind | undefined) => ({
  code: kind?.code ?? '',
  nameEn: kind?.nameEn ?? '',
  nameId: kind?.nameId ?? '',
  audience: kind?.audience ?? ('registered' as LetterKind['audience']),
  active: kind?.active ?? true,
  selfService: kind?.selfService ?? false,
  titleEn: kind?.titleEn ?? '',
  titleId: kind?.titleId ?? '',
  bodyEn: kind?.bodyEn ?? '',
  bodyId: kind?.bodyId ?? '',
  numberTemplate: kind?.numberTemplate ?? '{SEQ:4}/PMB/{month}/{YYYY}',
  signatoryName: kind?.signatoryName ?? '',
  signatoryTitle: kind?.signatoryTitle ?? '',
  validDays: kind?.validDays ?? (null as number | null),
})
export type KindValues = ReturnType<typeof startOf>
type TextKey = { [K in keyof KindValues]: KindValues[K] extends string ? K : never }[keyof KindValues]

type Props = {
  values: KindValues
  set: (change: Partial<KindValues>) => void
  form: Pick<Checks, 'field'>
  isNew: boolean
}

/** Fields of a kind: audience, text in both languages, number and signatory. */
export function KindFields({ values, set, form, isNew }: Props) {
  const { t } = useTranslation('letters')
  const braceWarning = useBraceWarning()
  const text = (key: Exclude<TextKey, 'audience'>) => ({
    label: t(`form.${key}`),
    value: values[key],
    ...form.field(key),
    onChange: (event: { currentTarget: { value: string } }) => set({ [key]: event.currentTarget.value }),
  })
  const sample = letterNumberProblem(values.numberTemplate) ? '—' : sampleNumber(values.numberTemplate)
  return (
    <>
      {isNew && <TextInput {...text('code')} description={t('form.codeHelp')} />}
      <TextInput {...text('nameId')} />
      <TextInput {...text('nameEn')} />
      <Select
        label={t('form.audience')}
        description={t('form.audienceHelp')}
        allowDeselect={false}
        disabled={!isNew}
        data={letterAudiences.map((value) => ({ value, label: t(`audience.${value}`) }))}
        value={values.audience}
        {...form.field('audience')}
        onChange={(value) => value && set({ audience: value as KindValues['audience'] })}
      />
      <TextInput {...text('titleId')} />
      <Textarea
        {...text('bodyId')}
        description={braceWarning(values.bodyId) ?? t('form.bodyHelp', { token: '{{name}}' })}
        autosize
        minRows={6}
      />
      <TextInput {...text('titleEn')} />
      <Textarea {...text('bodyEn')} description={braceWarning(values.bodyEn)} autosize minRows={6} />
      <TextInput {...text('numberTemplate')} description={t('form.numberHelp', { sample })} spellCheck={false} />
      <TextInput {...text('signatoryName')} description={t('form.signatoryHelp')} />
      <TextInput {...text('signatoryTitle')} />
      <NumberInput
        label={t('form.validDays')}
        description={t('form.validHelp')}
        min={1}
        max={3650}
        allowDecimal={false}
        value={values.validDays ?? ''}
        {...form.field('validDays')}
        onChange={(value) => set({ validDays: typeof value === 'number' ? value : null })}
      />
      <Switch
        label={t('form.selfService')}
        description={t('form.selfServiceHelp')}
        checked={values.selfService}
        onChange={(event) => set({ selfService: event.currentTarget.checked })}
      />
      <Switch
        label={t('form.active')}
        checked={values.active}
        onChange={(event) => set({ active: event.currentTarget.checked })}
      />
    </>
  )
}
