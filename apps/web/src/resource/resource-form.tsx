import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import type { Endpoint } from '#domain/endpoint.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { ApiError, call, newIdempotencyKey } from '../api/client.ts'
import { useSession } from '../app/session.tsx'
import { ConfirmButton } from '../ui/confirm-button.tsx'
import { FieldInput } from './field-input.tsx'
import { StaleChanges } from './stale-changes.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useEntityWords } from './words.ts'

type Values = Record<string, FieldValue>
type Props = {
  entity: Entity
  parentId?: string
  /** The row to change; none for a new one. */
  row?: Row
  /** What a new row begins with instead of the declared defaults. */
  start?: Values
  onSaved: (row: Row, another: boolean) => void
  onRemoved?: () => void
  onCancel: () => void
}

const send = call as (endpoint: Endpoint, args: unknown, options?: object) => Promise<{ data: Row }>

const startOf = (field: Field): FieldValue =>
  'default' in field && field.default !== undefined
    ? (structuredClone(field.default) as FieldValue)
    : field.kind === 'boolean'
      ? false
      : null

const valuesOf = (entity: Entity, row?: Row, start?: Values): Values =>
  Object.fromEntries(
    Object.entries(entity.fields)
      .filter(([key]) => key !== entity.parent?.field)
      .map(([key, field]) => [key, row ? (row[key] as FieldValue) : (start?.[key] ?? startOf(field))]),
  )

/** The form of any entity: a new row, or a change to one with everything that can be done to it. */
export function ResourceForm({ entity, parentId, row, start, onSaved, onRemoved, onCancel }: Props) {
  const { t, say, noun } = useEntityWords()
  const { may } = useSession()
  const queries = useQueryClient()
  const endpoints = endpointsOf(entity)
  const [saved, setSaved] = useState(row)
  const [origin, setOrigin] = useState(() => valuesOf(entity, row, start))
  const [values, setValues] = useState(origin)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [refusal, setRefusal] = useState<string | null>(null)
  const [newer, setNewer] = useState<Row | null>(null)
  const [busy, setBusy] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const key = useRef(newIdempotencyKey())
  const dirty = JSON.stringify(values) !== JSON.stringify(origin)
  const params = { ...(parentId && { parentId }), ...(saved && { id: saved.id }) }

  const take = (next: Row) => {
    setSaved(next)
    setOrigin(valuesOf(entity, next))
    setValues(valuesOf(entity, next))
  }
  const told = (message: string, removed?: string) => {
    notifications.show({ message: t(message, { noun: say(entity.label.one) }), color: 'green' })
    // Whatever shows master data reads it again, except the row that is gone.
    void queries.invalidateQueries({
      predicate: ({ queryKey: [path, args] }) =>
        String(path).startsWith('/master/') &&
        (!removed || (args as { params?: { id?: string } }).params?.id !== removed),
    })
  }

  /** Runs one change; refusals stand beside their fields or above the form, and a newer row is shown, not overwritten. */
  async function run(change: () => Promise<void>) {
    if (busy) return
    setBusy(true)
    setRefusal(null)
    try {
      await change()
      setErrors({})
      key.current = newIdempotencyKey()
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.status !== 0) key.current = newIdempotencyKey()
      if (error.code === 'stale_version' && saved)
        setNewer((await send(endpoints.read, { params: { id: saved.id } })).data)
      else if (Object.keys(error.errors).length > 0) showErrors(error.fieldMessages)
      else setRefusal(error.message)
    } finally {
      setBusy(false)
    }
  }

  function showErrors(messages: Record<string, string>) {
    // A list answers by its items (`testIds.0`); the sentence stands beside the whole field.
    const byField = Object.fromEntries(Object.entries(messages).map(([name, text]) => [name.split('.')[0]!, text]))
    setErrors(byField)
    const unknown = Object.keys(byField).filter((name) => !entity.fields[name])
    if (unknown.length > 0) setRefusal(byField[unknown[0]!]!)
    const first = Object.keys(entity.fields).find((name) => byField[name])
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus())
  }

  const save = (another: boolean) =>
    run(async () => {
      const { data } = saved
        ? await send(endpoints.update, { params, body: { ...values, version: saved.version } })
        : await send(endpoints.create, { params, body: values }, { idempotencyKey: key.current })
      told('saved')
      if (!another) setOrigin(values)
      if (saved) take(data)
      else if (another) setValues(origin)
      onSaved(data, another)
    })
  const setActive = (active: boolean) =>
    run(async () => {
      const { data } = await send(endpoints.setActive, { params, body: { active, version: saved!.version } })
      setSaved(data)
      told(active ? 'activated' : 'deactivated')
    })
  const remove = () =>
    run(async () => {
      await send(endpoints.remove, { params })
      setOrigin(values)
      told('deleted', saved!.id)
      onRemoved?.()
    })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void save(false)
  }
  const change = (name: string, value: FieldValue) => {
    setErrors(({ [name]: _, ...rest }) => rest)
    setValues((before) => {
      const next = { ...before, [name]: value }
      // A district of another city is no choice any more.
      for (const [other, field] of Object.entries(entity.fields))
        if (field.kind === 'reference' && field.within === name && before[name] !== value) next[other] = null
      return next
    })
  }

  const sections = Map.groupBy(Object.keys(values), (name) => {
    const { section } = entity.fields[name]!
    return section ? say(section) : ''
  })
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <UnsavedGuard dirty={dirty && !busy} />
      {refusal && (
        <Alert color="red" variant="light" mb="md" role="alert">
          {refusal}
        </Alert>
      )}
      {newer && (
        <StaleChanges
          entity={entity}
          current={newer}
          values={values}
          onKeep={() => {
            setSaved(newer)
            setNewer(null)
          }}
          onTake={() => {
            take(newer)
            setNewer(null)
          }}
        />
      )}
      {saved?.active === false && (
        <Text c="dimmed" mb="md">
          {t('inactiveNote')}
        </Text>
      )}
      <Stack gap="md" maw={640}>
        {[...sections].map(([heading, names]) => (
          <Stack key={heading} gap="md">
            {heading && (
              <Title order={2} size="h3" mt="sm">
                {heading}
              </Title>
            )}
            {names.map((name) => {
              const field = entity.fields[name]!
              const within = field.kind === 'reference' ? field.within : undefined
              return (
                <FieldInput
                  key={name}
                  name={name}
                  field={field}
                  slug={entity.slug}
                  value={values[name]}
                  title={saved?.titles[name]}
                  error={errors[name]}
                  within={within ? (values[within] as string | null) : undefined}
                  withinLabel={within ? say(entity.fields[within]!.label).toLowerCase() : undefined}
                  onChange={(value) => change(name, value)}
                />
              )
            })}
          </Stack>
        ))}
      </Stack>
      <Group mt="lg" gap="sm">
        <Button type="submit" loading={busy}>
          {t('save')}
        </Button>
        {!saved && (
          <Button variant="default" disabled={busy} onClick={() => save(true)}>
            {t('saveAnother')}
          </Button>
        )}
        <Button variant="subtle" onClick={onCancel}>
          {t('cancel')}
        </Button>
        {saved && (
          <Group gap="sm" ml="auto">
            {saved.active ? (
              <ConfirmButton
                variant="default"
                message={t('deactivateText')}
                title={t('deactivate')}
                onConfirm={() => setActive(false)}
              >
                {t('deactivate')}
              </ConfirmButton>
            ) : (
              <Button variant="default" onClick={() => setActive(true)} disabled={busy}>
                {t('activate')}
              </Button>
            )}
            {may(permissionOf(entity, 'delete')) && (
              <ConfirmButton
                danger
                variant="outline"
                message={t('deleteText')}
                title={t('deleteTitle', { name: noun(entity) })}
                onConfirm={remove}
              >
                {t('delete')}
              </ConfirmButton>
            )}
          </Group>
        )}
      </Group>
    </form>
  )
}
