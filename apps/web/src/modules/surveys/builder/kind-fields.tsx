import { NumberInput, SimpleGrid, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Question, surveyLimits } from '#domain/surveys/definition.ts'
import { OptionFields } from './option-fields.tsx'
import type { Builder } from './use-builder.ts'
import { WordsFields } from './words-fields.tsx'

type Props = { name: string; question: Question; set: (change: Partial<Question>) => void; field: Builder['field'] }

const numberOr = (value: string | number, otherwise: number) => (typeof value === 'number' ? value : otherwise)
const numberOrNone = (value: string | number) => (typeof value === 'number' ? value : undefined)

export function KindFields({ name, question, set, field }: Props) {
  const { t } = useTranslation('survey-builder')
  const { kind, options, scale, number, text, consent } = question
  if (kind === 'choice' || kind === 'several')
    return (
      <OptionFields
        name={`${name}.options`}
        options={options ?? []}
        onChange={(next) => set({ options: next })}
        field={field}
      />
    )
  if (kind === 'scale' && scale) {
    const { scaleFrom: min, scaleTo: max } = surveyLimits
    return (
      <>
        <SimpleGrid cols={2} spacing="sm">
          <NumberInput
            label={t('scaleFrom')}
            allowDecimal={false}
            value={scale.from}
            {...field(`${name}.scale.from`)}
            min={min}
            max={max}
            onChange={(value) => set({ scale: { ...scale, from: numberOr(value, min) } })}
          />
          <NumberInput
            label={t('scaleTo')}
            allowDecimal={false}
            value={scale.to}
            {...field(`${name}.scale.to`)}
            min={min}
            max={max}
            onChange={(value) => set({ scale: { ...scale, to: numberOr(value, max) } })}
          />
        </SimpleGrid>
        <WordsFields
          name={`${name}.scale.fromLabel`}
          label={t('scaleFromLabel')}
          value={scale.fromLabel}
          onChange={(fromLabel) => set({ scale: { ...scale, fromLabel } })}
          field={field}
        />
        <WordsFields
          name={`${name}.scale.toLabel`}
          label={t('scaleToLabel')}
          value={scale.toLabel}
          onChange={(toLabel) => set({ scale: { ...scale, toLabel } })}
          field={field}
        />
      </>
    )
  }
  if (kind === 'number')
    return (
      <SimpleGrid cols={2} spacing="sm">
        <NumberInput
          label={t('numberMin')}
          value={number?.min ?? ''}
          {...field(`${name}.number.min`)}
          onChange={(value) => set({ number: { ...number, min: numberOrNone(value) } })}
        />
        <NumberInput
          label={t('numberMax')}
          value={number?.max ?? ''}
          {...field(`${name}.number.max`)}
          onChange={(value) => set({ number: { ...number, max: numberOrNone(value) } })}
        />
      </SimpleGrid>
    )
  if (kind === 'text' && text)
    return (
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberInput
          label={t('maxLength')}
          allowDecimal={false}
          value={text.maxLength}
          {...field(`${name}.text.maxLength`)}
          onChange={(value) => set({ text: { ...text, maxLength: numberOr(value, 1) } })}
        />
        <Switch
          mt={{ base: 0, xs: 32 }}
          label={t('multiline')}
          checked={text.multiline}
          onChange={({ currentTarget }) => set({ text: { ...text, multiline: currentTarget.checked } })}
        />
      </SimpleGrid>
    )
  if (kind === 'contact')
    return (
      <WordsFields
        multiline
        name={`${name}.consent`}
        label={t('consent')}
        description={t('consentHelp')}
        value={consent}
        onChange={(next) => set({ consent: next })}
        field={field}
      />
    )
  return null
}
