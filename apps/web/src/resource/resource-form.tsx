import { Stack, Text, Title } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { type Query, useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import type { Endpoint } from '#domain/endpoint.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { Field } from '#entities/define/field.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { type ApiError, call } from '../api/client.ts'
import { sendOnce } from '../api/send.ts'
import { useChecks } from '../api/use-checks.ts'
import { useDraft } from '../ui/draft.tsx'
import { isDialogAsked } from '../ui/shortcuts.ts'
import { FieldInput } from './field-input.tsx'
import { FormActions } from './form-actions.tsx'
import { FormProblems, RestoredDraft } from './form-notes.tsx'
import { sharedOf, type Values, valuesOf } from './form-values.ts'
import { StaleChanges } from './stale-changes.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'
import { useSchemaOf } from './use-schema-of.ts'
import { useEntityWords } from './words.ts'

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
  /** Told what stands in the form. */
  onChange?: ((values: Values) => void) | undefined
}
type Draft = { values: Values; version: number | null } | null

const send = sendOnce as (endpoint: Endpoint, args: unknown) => Promise<{ data: Row }>

/** A list is refused by its items (`testIds.0`); the sentence stands beside the whole field. */
const sentencesOf = (error: ApiError) =>
  Object.fromEntries(Object.entries(error.fieldMessages).map(([path, text]) => [path.split('.')[0]!, text]))

const focusFirst = (form: HTMLElement | null, what: string) => form?.querySelector<HTMLElement>(what)?.focus()

/** The form of any entity: a new row, or a change to one with everything that can be done to it. */
export function ResourceForm({ entity, parentId, row, start, onSaved, onLeave, onChange }: Props) {
  const { t, say } = useEntityWords()
  const queries = useQueryClient()
  const endpoints = endpointsOf(entity)
  const [draft, setDraft, kept] = useDraft<Draft>(`master:${entity.slug}:${row?.id ?? parentId ?? 'new'}`, null)
  const [saved, setSaved] = useState(row && { ...row, version: draft?.version ?? row.version })
  const [newer, setNewer] = useState<Row | null>(null)
  const [restored, setRestored] = useState(draft !== null)
  const fresh = valuesOf(entity, row, start)
  const form = useForm({
    initialValues: { ...fresh, ...draft?.values },
    onValuesChange: (values) => {
      setDraft({ values, version: saved?.version ?? null })
      onChange?.(values)
    },
  })
  const dirty = form.isDirty() || draft !== null
  const source = useSchemaOf(entity, saved !== undefined)
  const bodyOf = (values: Values) => (saved ? { ...values, version: saved.version } : values)
  const checks = useChecks(source, bodyOf(form.values), { start: bodyOf(fresh) })
  const element = checks.form.ref as unknown as RefObject<HTMLFormElement>
  const params = { ...(parentId && { parentId }), ...(saved && { id: saved.id }) }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; later changes tell themselves
  useEffect(() => onChange?.(form.values), [])

  const begin = (values: Values) => {
    checks.reset(bodyOf(values))
    form.setInitialValues(values)
    form.setValues(values)
    form.resetDirty(values)
    setDraft(null)
    setRestored(false)
    kept.clear()
  }
  const take = (next: Row) => {
    setSaved(next)
    begin(valuesOf(entity, next))
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
    onError: async (error) => {
      checks.refuse(error)
      if (error.code === 'stale_version')
        setNewer((await call(endpoints.read, { params: { id: saved!.id } })).data as Row)
    },
  })
  const run = (act: () => Promise<void>) => (change.isPending ? undefined : change.mutateAsync(act).catch(() => {}))

  const save = (another: boolean) => {
    if (change.isPending || !checks.isReady()) return
    return run(async () => {
      const { data } = saved
        ? await send(endpoints.update, { params, body: { ...form.values, version: saved.version } })
        : await send(endpoints.create, { params, body: form.values })
      told('saved')
      if (saved) take(data)
      else begin(another ? valuesOf(entity, undefined, { ...start, ...sharedOf(entity, form.values) }) : fresh)
      onSaved(data, another)
      if (another) focusFirst(element.current, 'input, textarea')
    })
  }
  const setActive = (active: boolean) =>
    run(async () => {
      const { data } = await send(endpoints.setActive, { params, body: { active, version: saved!.version } })
      setSaved(data)
      told(active ? 'activated' : 'deactivated')
    })
  const remove = () =>
    run(async () => {
      await send(endpoints.remove, { params })
      told('deleted', saved!.id)
      leave()
    })
  const leave = () => {
    begin(fresh)
    onLeave()
  }
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
  // A dialog over the form, another form in it maybe, has the keys for itself.
  const onTop = (act: () => void) => () => {
    const dialog = [...document.querySelectorAll('[aria-modal="true"]')].at(-1) ?? null
    if (!isDialogAsked() && element.current?.closest('[aria-modal="true"]') === dialog) act()
  }
  useHotkeys(
    [
      ['mod+S', onTop(() => void save(false))],
      ['mod+Enter', onTop(() => void save(!saved && !start))],
    ],
    [],
  )

  const sectionOf = ({ section }: Field) => (section ? say(section) : '')
  const sections = Map.groupBy(Object.keys(form.values), (name) => sectionOf(entity.fields[name]!))
  return (
    <form
      {...checks.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void save(false)
      }}
    >
      <UnsavedGuard dirty={dirty && !change.isPending} onLeave={() => begin(fresh)} />
      {restored && <RestoredDraft onDiscard={() => begin(fresh)} />}
      {saved?.active === false && <Text c="dimmed" mb="md" children={t('inactiveNote')} />}
      <Stack gap="md" maw={640}>
        {[...sections].map(([heading, names]) => (
          <Stack key={heading} gap="md">
            {heading && <Title order={2} size="h3" mt="sm" children={heading} />}
            {names.map((name) => (
              <div key={name} data-field={name}>
                <FieldInput
                  entity={entity}
                  name={name}
                  values={form.values}
                  title={saved?.titles[name]}
                  error={checks.errorOf(name)}
                  onChange={(value) => setField(name, value)}
                />
              </div>
            ))}
          </Stack>
        ))}
      </Stack>
      {newer ? (
        <StaleChanges
          entity={entity}
          current={newer}
          values={form.values}
          onKeep={() => settle(setSaved)}
          onTake={() => settle(take)}
        />
      ) : (
        change.error && <FormProblems entity={entity} error={change.error} sentences={sentencesOf(change.error)} />
      )}
      <FormActions
        {...{ entity, saved, setActive, remove }}
        onLeave={leave}
        busy={change.isPending}
        dirty={dirty}
        onAnother={start ? undefined : () => save(true)}
      />
    </form>
  )
}
