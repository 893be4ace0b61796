import { MultiSelect, Select, Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Question } from '#domain/surveys/definition.ts'
import { hasValues, valuesOf } from '#domain/surveys/definition-problems.ts'
import { useSurroundings } from '#web/ui/text/words.tsx'
import { onlyPossible } from './draft-changes.ts'
import { textOf } from './text-of.ts'
import type { Builder } from './use-builder.ts'

type Props = {
  name: string
  question: Question
  /** Questions before this one. A condition must name one of them. */
  earlier: readonly Question[]
  onChange: (when: Question['when']) => void
  field: Builder['field']
}

/** Fields for the condition under which a question is asked. */
export function ConditionFields({ name, question: { when }, earlier, onChange, field }: Props) {
  const { t } = useTranslation('survey-builder')
  const { language } = useSurroundings()
  const reference = earlier.find(({ key }) => key === when?.question)
  const choose = (next: Question) =>
    onChange(
      hasValues(next.kind) ? { question: next.key, is: 'one-of', values: [] } : { question: next.key, is: 'answered' },
    )
  const labelOf = (value: string) => {
    const option = reference?.options?.find(({ key }) => key === value)
    return option ? textOf(option.label, language) || '–' : value
  }
  return (
    <Stack gap="xs">
      <Switch
        label={t('when')}
        description={earlier.length === 0 ? t('whenHint') : undefined}
        disabled={earlier.length === 0 && !when}
        checked={when !== undefined}
        onChange={({ currentTarget }) =>
          currentTarget.checked
            ? choose(earlier.findLast(({ kind }) => hasValues(kind)) ?? earlier.at(-1)!)
            : onChange(undefined)
        }
      />
      {when && (
        <>
          <Select
            label={t('whenQuestion')}
            allowDeselect={false}
            data={earlier.map(({ key, label }, index) => ({
              value: key,
              label: `${index + 1}. ${textOf(label, language) || t('unnamed')}`,
            }))}
            value={reference ? reference.key : null}
            {...field(`${name}.question`)}
            onChange={(key) => {
              const next = earlier.find((question) => question.key === key)
              if (next) choose(next)
            }}
          />
          {reference && hasValues(reference.kind) && (
            <Select
              label={t('whenIs')}
              allowDeselect={false}
              data={[
                { value: 'one-of', label: t('whenOneOf') },
                { value: 'answered', label: t('whenAnswered') },
              ]}
              value={when.is}
              onChange={(is) =>
                onChange(
                  is === 'answered'
                    ? { question: reference.key, is }
                    : onlyPossible({ ...when, is: 'one-of' }, reference),
                )
              }
            />
          )}
          {reference && when.is === 'one-of' && (
            <MultiSelect
              label={t('whenValues')}
              data={valuesOf(reference).map((value) => ({ value, label: labelOf(value) }))}
              value={when.values ?? []}
              {...field(`${name}.values`)}
              onChange={(values) => onChange({ ...when, values })}
            />
          )}
        </>
      )}
    </Stack>
  )
}
