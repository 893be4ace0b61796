import { ActionIcon, Button, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TestChoice } from '#domain/scores/endpoints.ts'
import { methodKinds } from '#domain/scores/methods.ts'

/** A method being edited; numbers are null while their inputs are empty. */
export type MethodDraft = {
  kind: '' | (typeof methodKinds)[number]
  factor: number | null
  parts: { name: string; weight: number | null }[]
  constant: number | null
  mean: number | null
  deviation: number | null
  reference: string
  anchor: string
}

export const emptyMethod: MethodDraft = {
  kind: '',
  factor: 1,
  parts: [{ name: '', weight: 1 }],
  constant: 0,
  mean: 50,
  deviation: 10,
  reference: '',
  anchor: '',
}

/** The method to send. The server refuses missing numbers. */
export function methodOf(draft: MethodDraft) {
  switch (draft.kind) {
    case 'raw':
      return { kind: draft.kind, factor: draft.factor as number }
    case 'weights':
      return {
        kind: draft.kind,
        weights: Object.fromEntries(
          draft.parts.filter(({ name }) => name.trim()).map(({ name, weight }) => [name.trim(), weight as number]),
        ),
        constant: draft.constant as number,
      }
    case 'standard':
      return { kind: draft.kind, mean: draft.mean as number, deviation: draft.deviation as number }
    case 'linear':
      return { kind: draft.kind, reference: draft.reference.trim(), anchor: draft.anchor.trim() || null }
    default:
      return null
  }
}

type Props = { test: TestChoice; draft: MethodDraft; onChange: (change: Partial<MethodDraft>) => void }

const numberOf = (value: string | number) => (value === '' ? null : Number(value))

/** Method of one test, with its numbers. */
export function MethodInputs({ test, draft, onChange }: Props) {
  const { t } = useTranslation('scores')
  const number = (key: 'factor' | 'constant' | 'mean' | 'deviation') => (
    <NumberInput
      size="sm"
      label={t(`method.${key}`)}
      value={draft[key] ?? ''}
      onChange={(value) => onChange({ [key]: numberOf(value) })}
      decimalScale={4}
      w={140}
    />
  )
  return (
    <Stack gap="xs">
      <Select
        size="sm"
        label={test.name}
        description={draft.kind ? t(`method.${draft.kind}Text`) : undefined}
        value={draft.kind}
        onChange={(kind) => onChange({ kind: (kind ?? '') as MethodDraft['kind'] })}
        data={[
          { value: '', label: t('method.none') },
          ...methodKinds.map((kind) => ({ value: kind as string, label: t(`method.${kind}`) })),
        ]}
        allowDeselect={false}
      />
      {draft.kind === 'raw' && number('factor')}
      {draft.kind === 'standard' && (
        <Group align="flex-end">
          {number('mean')}
          {number('deviation')}
        </Group>
      )}
      {draft.kind === 'linear' && (
        <Group align="flex-end" grow preventGrowOverflow={false}>
          {(['reference', 'anchor'] as const).map((key) => (
            <TextInput
              key={key}
              size="sm"
              miw="min(100%, 12.5rem)"
              label={t(`method.${key}`)}
              description={t(`method.${key}Help`)}
              value={draft[key]}
              onChange={(event) => onChange({ [key]: event.currentTarget.value })}
            />
          ))}
        </Group>
      )}
      {draft.kind === 'weights' && <Parts draft={draft} onChange={onChange} constant={number('constant')} />}
    </Stack>
  )
}

function Parts({ draft, onChange, constant }: Omit<Props, 'test'> & { constant: ReactNode }) {
  const { t } = useTranslation('scores')
  const { parts } = draft
  const change = (at: number, part: Partial<MethodDraft['parts'][number]>) =>
    onChange({ parts: parts.map((one, index) => (index === at ? { ...one, ...part } : one)) })
  return (
    <Stack gap="xs">
      {parts.map(({ name, weight }, index) => (
        <Group key={index} align="flex-end" wrap="nowrap">
          <TextInput
            size="sm"
            label={t('method.part')}
            value={name}
            onChange={(event) => change(index, { name: event.currentTarget.value })}
          />
          <NumberInput
            size="sm"
            label={t('method.weight')}
            value={weight ?? ''}
            onChange={(value) => change(index, { weight: numberOf(value) })}
            w={110}
          />
          {parts.length > 1 && (
            <ActionIcon
              variant="subtle"
              size="lg"
              aria-label={t('method.removePart', { part: name || index + 1 })}
              onClick={() => onChange({ parts: parts.filter((_, at) => at !== index) })}
            >
              <IconTrash size={20} aria-hidden="true" />
            </ActionIcon>
          )}
        </Group>
      ))}
      <Group align="flex-end">
        {constant}
        <Button
          size="sm"
          variant="default"
          onClick={() => onChange({ parts: [...parts, { name: '', weight: 1 }] })}
          disabled={parts.length >= 20}
        >
          {t('method.addPart')}
        </Button>
      </Group>
    </Stack>
  )
}
