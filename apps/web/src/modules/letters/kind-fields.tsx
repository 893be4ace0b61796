import { NumberInput, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LetterKind } from '#domain/letters/endpoints.ts'
import { letterAudiences, letterNumberProblem } from '#domain/letters/letter-texts.ts'
import { sampleNumber } from '#domain/settings/number-templates.ts'
import type { Bindings } from '#web/api/use-form.ts'
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

type Props = { form: Bindings<KindValues>; isNew: boolean }

/** Fields of a kind: audience, text in both languages, number and signatory. */
export function KindFields({ form, isNew }: Props) {
  const { t } = useTranslation('letters')
  const braceWarning = useBraceWarning()
  const { values } = form
  const text = (key: Exclude<Parameters<typeof form.text>[0], 'audience'>) => ({
    label: t(`form.${key}`),
    ...form.text(key),
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
        {...form.choice('audience')}
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
        {...form.number('validDays')}
      />
      <Switch label={t('form.selfService')} description={t('form.selfServiceHelp')} {...form.box('selfService')} />
      <Switch label={t('form.active')} {...form.box('active')} />
    </>
  )
}
