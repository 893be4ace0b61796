import { entities } from '#entities/index.ts'
import { pathsOfFilteredRows } from './declared-filters.ts'
import type { Reader } from './reader.ts'

type Schema = { type?: string; enum?: string[]; format?: string; pattern?: string }
export type Parameter = { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema }
export type Get = { path: string; summary: string; permissions: string[]; parameters: Parameter[] }

/** A file field of each entity that has one, by slug. */
const fileFields = new Map(
  entities.flatMap(({ slug, fields }) =>
    Object.entries(fields).flatMap(([key, { kind }]) => (kind === 'file' ? [[slug, key] as const] : [])),
  ),
)

type Row = Record<string, any>
type Values = { ids: string[] } | { reason: string }

/** Rows of an answer, wherever its schema has them. */
function rowsOf(body: any): Row[] {
  const { data } = body ?? {}
  if (Array.isArray(data)) return data
  return (Object.values(data ?? {}).find((part) => Array.isArray(part)) ?? []) as Row[]
}
const idOf = (row: Row | undefined): string | undefined => row && (row.id ?? row.registrationId ?? row.slug)

/** Paths whose ids come from another list, by the path up to the parameter. */
const idsElsewhere: Record<string, { path: string; key?: string }> = {
  '/api/payments': { path: '/api/pembayaran-mahasiswa' },
  '/api/documents': { path: '/api/pendaftaran/{id}/files' },
  '/api/sandbox-bank': { path: '/api/transaksi-va?status=active', key: 'number' },
  '/api/settings/roles/menus': { path: '/api/settings/roles' },
  '/api/settings/roles/permissions': { path: '/api/settings/roles' },
  '/api/admission-years': { path: '/api/admission-years', key: 'copies' },
}
/** Addresses with a key, taken from another answer. */
const links: Record<string, { from: string; pattern: RegExp }> = {
  '/api/files/{id}/download': { from: '/api/statements', pattern: /\/api\/files\/[^"]*/ },
}
/** Required query parameters that are not filters of a list. */
const queryRows: Record<string, { path: string; key: string }> = {
  number: { path: '/api/npm-mahasiswa?status=enrolled', key: 'npm' },
}

/** Finds values for parameters among the rows the reader can see. */
export async function valuesFor(reader: Reader, gets: readonly Get[]) {
  const filteredRows = await pathsOfFilteredRows()
  const answers = new Map<string, Promise<any>>()
  const firstMs = new Map<string, number>()
  const readFirst = async (path: string) => {
    const { status, ms, body } = await reader.get(path)
    if (status < 300) firstMs.set(path, ms)
    return body
  }
  /** An answer's JSON, read once. */
  const read = (path: string): Promise<any> => {
    const pending = answers.get(path) ?? readFirst(path)
    answers.set(path, pending)
    return pending
  }
  const getOf = (path: string) => gets.find((get) => get.path === path)

  /** Rows of a list: one of each status, and some from its beginning, middle and end. */
  async function sampleRows(path: string): Promise<Row[]> {
    const [place = ''] = path.split('?')
    const statuses = getOf(place)?.parameters.find(({ name }) => name === 'status')?.schema.enum ?? []
    const join = path.includes('?') ? '&' : '?'
    const first = await read(path)
    const rows = rowsOf(first).slice(0, 2)
    const pageCount = Math.floor((first?.meta?.total ?? 0) / 25)
    for (const query of [
      ...(path.includes('status=') ? [] : statuses.map((status) => `status=${status}`)),
      ...(pageCount > 1 ? [Math.ceil(pageCount / 2), pageCount].map((page) => `page=${page}`) : []),
    ])
      rows.push(...rowsOf(await read(`${path}${join}${query}`)).slice(0, 1))
    return rows
  }

  /** Values a query needs together, in address form. */
  async function requiredTogether(path: string): Promise<string | undefined> {
    if (path !== '/api/intake/options') return undefined
    const wave = rowsOf(await read('/api/intake')).find(({ tracks }) => tracks?.length > 0)
    return wave && `waveId=${wave.id}&trackId=${wave.tracks[0].id}`
  }

  async function idsAt(place: string): Promise<Values> {
    const elsewhere = idsElsewhere[place]
    if (elsewhere?.path.includes('{')) {
      const [parent = '', rest = ''] = elsewhere.path.split('/{id}')
      const parents = await idsAt(parent)
      if ('reason' in parents) return parents
      const rows = await Promise.all(parents.ids.map(async (id) => rowsOf(await read(`${parent}/${id}${rest}`))))
      const ids = rows.flat().flatMap((row) => idOf(row.document ?? row.file ?? row) ?? [])
      return ids.length > 0 ? { ids: ids.slice(0, 8) } : { reason: `${elsewhere.path} has no rows` }
    }
    const field = fileFields.get(place.split('/')[3] ?? '')
    if (place.endsWith('/files') && field) return { ids: [field] }
    const source = elsewhere?.path ?? place
    if (!getOf(source.split('?')[0]!)) return { reason: `no list at ${source}` }
    const rows = await sampleRows(source)
    const ids = [...new Set(rows.flatMap((row) => (elsewhere?.key ? row[elsewhere.key] : idOf(row)) ?? []))]
    return ids.length > 0 ? { ids } : { reason: `${source} has no rows` }
  }

  /** Paths with ids of existing rows in place of `{parameters}`. */
  async function pathsOf({ path, parameters }: Get): Promise<{ paths: string[] } | { reason: string }> {
    const link = links[path]
    if (link) {
      const found = JSON.stringify(await read(link.from)).match(link.pattern)
      return found ? { paths: [found[0]] } : { reason: `${link.from} names no such file` }
    }
    let paths = ['']
    for (const part of path.split(/(?=\/)/)) {
      const [, name] = /^\/\{(\w+)\}$/.exec(part) ?? []
      const choices = name && parameters.find((parameter) => parameter.name === name)?.schema.enum
      if (!name) paths = paths.map((start) => start + part)
      else if (choices) paths = paths.flatMap((start) => choices.map((choice) => `${start}/${choice}`))
      else {
        const values = await idsAt(name === 'otherId' ? path.slice(0, path.indexOf('/{')) : paths[0]!)
        if ('reason' in values) return values
        const ids = name === 'otherId' ? values.ids.slice(-1) : values.ids
        paths = ids.map((id) => `${paths[0]}/${id}`)
      }
    }
    return { paths }
  }

  /** Values of a query parameter that match the rows of `sample`. */
  async function queryValues({ name, schema }: Parameter, sample: readonly Row[]): Promise<string[]> {
    if (schema.enum) return schema.enum
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
    if (schema.format === 'date') return [/to$/i.test(name) ? daysAgo(0) : daysAgo(30)]
    if (name === 'list') return ['registrations']
    if (name === 'year')
      return ['all', ...(await read('/api/master/periode')).data.slice(0, 1).map((row: Row) => row.academicYear)]
    if (schema.type === 'integer' || schema.type === 'number') return ['1']
    const inRows = sample.map((row) => row[name]).find((value) => typeof value === 'string' && value !== '')
    if (inRows) return [inRows]
    const source = filteredRows.get(name)
    if (source)
      return rowsOf(await read(source))
        .slice(0, 6)
        .flatMap((row) => idOf(row) ?? [])
    const other = queryRows[name]
    return other
      ? rowsOf(await read(other.path))
          .slice(0, 1)
          .flatMap((row) => row[other.key] ?? [])
      : []
  }

  return { read, rowsOf, pathsOf, queryValues, requiredTogether, firstMsOf: (path: string) => firstMs.get(path) }
}
export type FoundValues = Awaited<ReturnType<typeof valuesFor>>
