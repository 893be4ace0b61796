import { Button, Group, Text, TextInput } from '@mantine/core'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type NumberKind,
  numberKinds,
  numberRules,
  sampleNumber,
  templateProblem,
} from '#domain/settings/number-templates.ts'
import type { Section } from './use-section.ts'

/** Templates of numbers, checked and previewed while typing. */
export const NumberFields = ({ section }: { section: Section }) =>
  numberKinds.map((kind) => <NumberField key={kind} section={section} kind={kind} />)

function NumberField({ section, kind }: { section: Section; kind: NumberKind }) {
  const { t } = useTranslation(['settings', 'errors'])
  const input = useRef<HTMLInputElement>(null)
  const template = section.form.values[kind]
  const problem = templateProblem(kind, template)
  const problemText = problem && t(`errors:${problem.code}`, 'params' in problem ? problem.params : {})
  const insert = (token: string) => {
    const field = input.current
    const [start, end] = [field?.selectionStart ?? template.length, field?.selectionEnd ?? template.length]
    section.form.set({ [kind]: template.slice(0, start) + token + template.slice(end) })
    requestAnimationFrame(() => {
      field?.focus()
      field?.setSelectionRange(start + token.length, start + token.length)
    })
  }
  return (
    <div>
      <TextInput
        ref={input}
        label={t(`fields.${kind}`)}
        spellCheck={false}
        {...section.form.text(kind)}
        error={section.form.errorOf(kind) ?? (section.saved[kind] === template ? undefined : problemText)}
        styles={{ input: { fontFamily: 'ui-monospace, monospace' } }}
      />
      {!problem && (
        <Text size="sm" mt={4} aria-live="polite" style={{ overflowWrap: 'anywhere' }}>
          {t('next', { first: sampleNumber(template, 1), later: sampleNumber(template, 1234) })}
        </Text>
      )}
      {section.editable && (
        <Group gap={4} mt={6} role="group" aria-label={t('tokens')}>
          {[...numberRules[kind].tokens, 'SEQ' as const].map((name) => {
            const token = name === 'SEQ' ? '{SEQ:5}' : `{${name}}`
            return (
              <Button
                key={name}
                size="compact-sm"
                variant="default"
                aria-label={t('insert', { token: t(`tokenNames.${name}`) })}
                title={t(`tokenNames.${name}`)}
                onClick={() => insert(token)}
              >
                {token}
              </Button>
            )
          })}
        </Group>
      )}
    </div>
  )
}
