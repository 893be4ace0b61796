import { notifications } from '@mantine/notifications'
import { type Query, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Endpoint } from '#domain/endpoint.ts'
import type { Entity } from '#entities/define/entity.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { type ApiError, call } from '#web/api/client.ts'
import { sendOnce } from '#web/api/send.ts'
import { useChecks } from '#web/api/use-checks.ts'
import { useEntityWords } from '#web/resource/words.ts'
import { useDraft } from '#web/ui/form/draft.tsx'
import { sharedOf, type Values, valuesOf } from './form-values.ts'
import { useSchemaOf } from './use-schema-of.ts'

export type ResourceFormProps = {
  entity: Entity
  parentId?: string
  /** The row to change; undefined for a new one. */
  row?: Row
  /** Initial values of a new row, instead of the declared defaults. */
  start?: Values
  onSaved: (row: Row, another: boolean) => void
  /** Called when the reader leaves the form or has deleted the row. */
  onLeave: () => void
  /** Called with the current values after every change. */
  onChange?: ((values: Values) => void) | undefined
}
type Draft = { values: Values; version: number | null } | null

const send = sendOnce as (endpoint: Endpoint, args: unknown) => Promise<{ data: Row }>

/** State and actions of an entity's form: values and their draft, the row, and server calls. */
export function useResourceForm({ entity, parentId, row, start, onSaved, onLeave, onChange }: ResourceFormProps) {
  const { t, say } = useEntityWords()
  const queries = useQueryClient()
  const endpoints = endpointsOf(entity)
  const [draft, setDraft, draftStore] = useDraft<Draft>(`master:${entity.slug}:${row?.id ?? parentId ?? 'new'}`, null)
  const [saved, setSaved] = useState(row && { ...row, version: draft?.version ?? row.version })
  const [newerRow, setNewer] = useState<Row | null>(null)
  const [restored, setRestored] = useState(draft !== null)
  const initialValues = valuesOf(entity, row, start)
  const [values, setValues] = useState<Values>({ ...initialValues, ...draft?.values })
  const latest = useRef(values)
  const source = useSchemaOf(entity, saved !== undefined)
  const bodyOf = (values: Values) => (saved ? { ...values, version: saved.version } : values)
  const checks = useChecks(source, bodyOf(values), { untouched: bodyOf(initialValues) })
  const { element } = checks
  const params = { ...(parentId && { parentId }), ...(saved && { id: saved.id }) }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; later changes call onChange themselves
  useEffect(() => onChange?.(values), [])

  const showValues = (next: Values) => {
    latest.current = next
    setValues(next)
    onChange?.(next)
  }
  const resetTo = (next: Values) => {
    checks.reset(bodyOf(next))
    showValues(next)
    setDraft(null)
    setRestored(false)
    draftStore.clear()
  }
  const loadRow = (next: Row) => {
    setSaved(next)
    resetTo(valuesOf(entity, next))
  }
  const announceAndRefetch = (message: string, removedId = '') => {
    notifications.show({ message: t(message, { noun: say(entity.label.one) }), color: 'green' })
    // Refetches all lists and rows of master data, except the deleted row, which would give 404.
    const isStaleQuery = ({ queryKey: [path, args] }: Pick<Query, 'queryKey'>) =>
      String(path).startsWith('/master/') && (args as { params?: { id?: string } }).params?.id !== removedId
    void queries.invalidateQueries({ predicate: isStaleQuery })
  }

  /**
   * Runs one change at a time. Refused fields show their sentence. After `stale_version` the newer row is shown, not
   * overwritten.
   */
  const change = useMutation<void, ApiError, () => Promise<void>>({
    mutationFn: (act) => act(),
    onError: async (error) => {
      checks.refuse(error)
      if (saved && error.code === 'stale_version')
        setNewer((await call(endpoints.read, { params: { id: saved.id } })).data as Row)
    },
  })
  const run = (act: () => Promise<void>) => (change.isPending ? undefined : change.mutateAsync(act).catch(() => {}))
  const leave = () => {
    resetTo(initialValues)
    onLeave()
  }
  const settleWith = (accept: (row: Row) => void) => () => {
    if (newerRow) accept(newerRow)
    setNewer(null)
    change.reset()
  }

  return {
    values,
    saved,
    /** Row another user saved meanwhile, until the reader accepts or overwrites it. */
    newerRow,
    restored,
    /** The form has unsaved changes. */
    dirty: draft !== null,
    checks,
    busy: change.isPending,
    refusal: change.error,
    element,
    set: (name: string, value: FieldValue) => {
      const next = { ...latest.current, [name]: value }
      // A new city clears the chosen district, which belongs to the old city.
      for (const [dependent, field] of Object.entries(entity.fields))
        if (field.kind === 'reference' && field.within === name && latest.current[name] !== value)
          next[dependent] = null
      showValues(next)
      setDraft({ values: next, version: saved?.version ?? null })
    },
    save: (another: boolean) => {
      if (change.isPending || !checks.isReady()) return
      return run(async () => {
        const { data } = saved
          ? await send(endpoints.update, { params, body: { ...values, version: saved.version } })
          : await send(endpoints.create, { params, body: values })
        announceAndRefetch('saved')
        if (saved) loadRow(data)
        else resetTo(another ? valuesOf(entity, undefined, { ...start, ...sharedOf(entity, values) }) : initialValues)
        onSaved(data, another)
        if (another) element.current?.querySelector<HTMLElement>('input, textarea')?.focus()
      })
    },
    setActive: (active: boolean) =>
      saved &&
      run(async () => {
        const { data } = await send(endpoints.setActive, { params, body: { active, version: saved.version } })
        setSaved(data)
        announceAndRefetch(active ? 'activated' : 'deactivated')
      }),
    remove: () =>
      saved &&
      run(async () => {
        await send(endpoints.remove, { params })
        announceAndRefetch('deleted', saved.id)
        leave()
      }),
    leave,
    discard: () => resetTo(initialValues),
    keepMine: settleWith(setSaved),
    takeTheirs: settleWith(loadRow),
  }
}
