import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { type Query, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#domain/endpoint.ts'
import { type Entity, permissionOf } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { type ApiError, call, newIdempotencyKey } from '../api/client.ts'
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
  /** There is nothing more to do here: it was left, or the row is gone. */
  onLeave: () => void
}

const send = call as (endpoint: Endpoint, args: unknown, options?: object) => Promise<{ data: Row }>

const startOf = (field: Field): FieldValue =>
  ('default' in field ? (field.default as FieldValue) : undefined) ?? (field.kind === 'boolean' ? false : null)

/** What the form holds: all but the parent, which the address tells. */
function valuesOf(entity: Entity, row?: Row, start?: Values): Values {
  const fields = Object.entries(entity.fields).filter(([key]) => key !== entity.parent?.field)
  const heldIn = (field: Field, key: string) => (row ? (row[key] as FieldValue) : (start?.[key] ?? startOf(field)))
  return Object.fromEntries(fields.map(([key, field]) => [key, heldIn(field, key)]))
}

/** A list is refused by its items (`testIds.0`); the sentence stands beside the whole field. */
const sentencesOf = (error: ApiError) =>
  Object.fromEntries(Object.entries(error.fieldMessages).map(([path, text]) => [path.split('.')[0]!, text]))

/** The form of any entity: a new row, or a change to one with everything that can be done to it. */
export function ResourceForm({ entity, parentId, row, start, onSaved, onLeave }: Props) {
  const { t, say, noun } = useEntityWords()
  const { may } = useSession()
  const queries = useQueryClient()
  const endpoints = endpointsOf(entity)
  const [saved, setSaved] = useState(row)
  const [newer, setNewer] = useState<Row | null>(null)
  const form = useForm({ initialValues: valuesOf(entity, row, start) })
  const element = useRef<HTMLFormElement>(null)
  const key = useRef(newIdempotencyKey())
  const params = { ...(parentId && { parentId }), ...(saved && { id: saved.id }) }

  const take = (next: Row) => {
    setSaved(next)
    form.setValues(valuesOf(entity, next))
    form.resetDirty()
  }
  const told = (message: string, gone = '') => {
    notifications.show({ message: t(message, { noun: say(entity.label.one) }), color: 'green' })
    // Whatever shows master data reads it again, except the row that is gone.
    const isShown = ({ queryKey: [path, args] }: Pick<Query, 'queryKey'>) =>
      String(path).startsWith('/master/') && (args as { params?: { id?: string } }).params?.id !== gone
    void queries.invalidateQueries({ predicate: isShown })
  }

  /** One change at a time; what is refused stands beside its fields, and a newer row is shown, not overwritten. */
  const change = useMutation<void, ApiError, () => Promise<void>>({
    mutationFn: (act) => act(),
    onSuccess: () => form.clearErrors(),
    onError: async (error) => {
      form.setErrors(sentencesOf(error))
      if (error.code === 'stale_version') setNewer((await send(endpoints.read, { params })).data)
    },
    onSettled: (_, error) => {
      // Sent again after a lost connection, it is still the same change.
      if (error?.status !== 0) key.current = newIdempotencyKey()
    },
  })
  const run = (act: () => Promise<void>) => (change.isPending ? undefined : change.mutateAsync(act).catch(() => {}))
  const sentences = change.error ? sentencesOf(change.error) : {}
  const unplaced = Object.keys(sentences).find((name) => !(name in form.values))
  const refusal = unplaced ? sentences[unplaced] : Object.keys(sentences).length === 0 && change.error?.message
  useEffect(() => {
    if (change.error) element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [change.error])

  const save = (another: boolean) =>
    run(async () => {
      const { data } = saved
        ? await send(endpoints.update, { params, body: { ...form.values, version: saved.version } })
        : await send(endpoints.create, { params, body: form.values }, { idempotencyKey: key.current })
      told('saved')
      if (saved) take(data)
      else if (another) form.reset()
      else form.resetDirty()
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
      form.resetDirty()
      told('deleted', saved!.id)
      onLeave()
    })
  const settle = (next: (row: Row) => void) => {
    next(newer!)
    setNewer(null)
    change.reset()
  }
  const setField = (name: string, value: FieldValue) => {
    // A district of another city is no choice any more.
    for (const [other, field] of Object.entries(entity.fields))
      if (field.kind === 'reference' && field.within === name && form.values[name] !== value)
        form.setFieldValue(other, null)
    form.setFieldValue(name, value)
  }

  const sectionOf = ({ section }: Field) => (section ? say(section) : '')
  const sections = Map.groupBy(Object.keys(form.values), (name) => sectionOf(entity.fields[name]!))
  return (
    <form ref={element} onSubmit={form.onSubmit(() => save(false))} noValidate>
      <UnsavedGuard dirty={form.isDirty() && !change.isPending} />
      {newer ? (
        <StaleChanges
          entity={entity}
          current={newer}
          values={form.values}
          onKeep={() => settle(setSaved)}
          onTake={() => settle(take)}
        />
      ) : (
        refusal && <Alert color="red" variant="light" mb="md" role="alert" children={refusal} />
      )}
      {saved?.active === false && <Text c="dimmed" mb="md" children={t('inactiveNote')} />}
      <Stack gap="md" maw={640}>
        {[...sections].map(([heading, names]) => (
          <Stack key={heading} gap="md">
            {heading && <Title order={2} size="h3" mt="sm" children={heading} />}
            {names.map((name) => (
              <FieldInput
                key={name}
                entity={entity}
                name={name}
                values={form.values}
                title={saved?.titles[name]}
                error={form.errors[name]}
                onChange={(value) => setField(name, value)}
              />
            ))}
          </Stack>
        ))}
      </Stack>
      <Group mt="lg" gap="sm">
        <Button type="submit" loading={change.isPending} children={t('save')} />
        {!saved && (
          <Button variant="default" disabled={change.isPending} onClick={() => save(true)}>
            {t('saveAnother')}
          </Button>
        )}
        <Button variant="subtle" onClick={onLeave} children={t('cancel')} />
        {saved && (
          <Group gap="sm" ml="auto">
            {saved.active ? (
              <ConfirmButton
                variant="default"
                message={t('deactivateText')}
                title={t('deactivate')}
                onConfirm={() => setActive(false)}
                children={t('deactivate')}
              />
            ) : (
              <Button variant="default" disabled={change.isPending} onClick={() => setActive(true)}>
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
                children={t('delete')}
              />
            )}
          </Group>
        )}
      </Group>
    </form>
  )
}
