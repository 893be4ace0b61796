import { notifications } from '@mantine/notifications'
import { type Query, useMutation, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useRef, useState } from 'react'
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

/** What the form of an entity knows and can do: its values and their draft, the row they change, and the calls. */
export function useResourceForm({ entity, parentId, row, start, onSaved, onLeave, onChange }: ResourceFormProps) {
  const { t, say } = useEntityWords()
  const queries = useQueryClient()
  const endpoints = endpointsOf(entity)
  const [draft, setDraft, kept] = useDraft<Draft>(`master:${entity.slug}:${row?.id ?? parentId ?? 'new'}`, null)
  const [saved, setSaved] = useState(row && { ...row, version: draft?.version ?? row.version })
  const [newer, setNewer] = useState<Row | null>(null)
  const [restored, setRestored] = useState(draft !== null)
  const fresh = valuesOf(entity, row, start)
  const [values, setValues] = useState<Values>({ ...fresh, ...draft?.values })
  const latest = useRef(values)
  const source = useSchemaOf(entity, saved !== undefined)
  const bodyOf = (values: Values) => (saved ? { ...values, version: saved.version } : values)
  const checks = useChecks(source, bodyOf(values), { start: bodyOf(fresh) })
  const element = checks.form.ref as unknown as RefObject<HTMLFormElement>
  const params = { ...(parentId && { parentId }), ...(saved && { id: saved.id }) }
  // biome-ignore lint/correctness/useExhaustiveDependencies: once; later changes tell themselves
  useEffect(() => onChange?.(values), [])

  const show = (next: Values) => {
    latest.current = next
    setValues(next)
    onChange?.(next)
  }
  const begin = (next: Values) => {
    checks.reset(bodyOf(next))
    show(next)
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
  const leave = () => {
    begin(fresh)
    onLeave()
  }
  const settle = (next: (row: Row) => void) => () => {
    next(newer!)
    setNewer(null)
    change.reset()
  }

  return {
    values,
    saved,
    /** What somebody else saved meanwhile, until it is taken or overwritten. */
    newer,
    restored,
    /** Something was typed that is not saved. */
    dirty: draft !== null,
    checks,
    busy: change.isPending,
    refusal: change.error,
    element,
    set: (name: string, value: FieldValue) => {
      const next = { ...latest.current, [name]: value }
      // A district of another city is no choice any more.
      for (const [other, field] of Object.entries(entity.fields))
        if (field.kind === 'reference' && field.within === name && latest.current[name] !== value) next[other] = null
      show(next)
      setDraft({ values: next, version: saved?.version ?? null })
    },
    save: (another: boolean) => {
      if (change.isPending || !checks.isReady()) return
      return run(async () => {
        const { data } = saved
          ? await send(endpoints.update, { params, body: { ...values, version: saved.version } })
          : await send(endpoints.create, { params, body: values })
        told('saved')
        if (saved) take(data)
        else begin(another ? valuesOf(entity, undefined, { ...start, ...sharedOf(entity, values) }) : fresh)
        onSaved(data, another)
        if (another) element.current?.querySelector<HTMLElement>('input, textarea')?.focus()
      })
    },
    setActive: (active: boolean) =>
      run(async () => {
        const { data } = await send(endpoints.setActive, { params, body: { active, version: saved!.version } })
        setSaved(data)
        told(active ? 'activated' : 'deactivated')
      }),
    remove: () =>
      run(async () => {
        await send(endpoints.remove, { params })
        told('deleted', saved!.id)
        leave()
      }),
    leave,
    discard: () => begin(fresh),
    keepMine: settle(setSaved),
    takeTheirs: settle(take),
  }
}
