import { spotlightQueries } from '../spotlight-queries.ts'
import type { FoundValues, Get, Parameter } from './values.ts'

export type Call = { get: Get; path: string; query: string }

/** Parameters that change neither the rows nor their order. */
const unvaried = new Set(['page', 'per_page', 'after', 'sort', 'q', 'format', 'columns', 'ids', 'before', 'limit'])
const pageSize = 25

/** Two letters, a word and a name from the rows, and a word without matches. */
function searchTerms(path: string, rows: readonly Record<string, unknown>[]): string[] {
  if (path === '/api/search') return [...spotlightQueries]
  const texts = rows
    .slice(0, 1)
    .flatMap((row) => ['name', 'title', 'number', 'code', 'payer', ...Object.keys(row)].map((key) => row[key]))
    .filter((value): value is string => typeof value === 'string' && value.length > 2 && !/^[\da-f-]{36}$/.test(value))
  const [text = 'contoh'] = texts
  return [...new Set([text.slice(0, 2).trim(), text.split(' ')[0]!, text.slice(0, 60), 'zzqx'])].filter(
    (term) => term.length > 1,
  )
}

const isRequired = ({ in: place, required }: Parameter) => place === 'query' && required === true
const withQuery = (...parts: readonly string[]) => parts.filter(Boolean).join('&')
const pair = (name: string, value: string) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`

/**
 * Calls of one endpoint: plain, and every search, order and filter, each on the first and the last page. From the
 * second row of the path on, only one value of each kind. Returns a reason if required values are missing.
 */
export async function callsOf(get: Get, values: FoundValues): Promise<Call[] | { reason: string }> {
  const found = await values.pathsOf(get)
  if ('reason' in found) return found
  const parameters = get.parameters.filter(({ in: place }) => place === 'query')
  const calls: Call[] = []
  for (const [index, path] of found.paths.entries()) {
    if (path.includes('?')) {
      calls.push({ get, path, query: '' })
      continue
    }
    const requiredParts: string[] = []
    const together = await values.requiredTogether(get.path)
    for (const parameter of together ? [] : parameters.filter(isRequired)) {
      const terms = parameter.name === 'q' ? searchTerms(path, []) : await values.queryValues(parameter, [])
      if (terms.length === 0) return { reason: `no value for ${parameter.name}` }
      requiredParts.push(pair(parameter.name, terms[0]!))
    }
    const required = together ?? withQuery(...requiredParts)
    const queries = new Set([required])
    if (index === 0) for (const query of await variationsOf(get, path, required, values)) queries.add(query)
    calls.push(...[...queries].map((query) => ({ get, path, query })))
  }
  return calls
}

async function variationsOf(get: Get, path: string, required: string, values: FoundValues): Promise<string[]> {
  const parameters = get.parameters.filter(({ in: place }) => place === 'query')
  const isFile = path.endsWith('/export') || path.endsWith('.pdf')
  if (isFile || parameters.length === 0) return []
  const rows = values.rowsOf(await values.read(withAddress(path, required)))
  const narrowing: string[] = []
  for (const parameter of parameters) {
    const { name, schema } = parameter
    if (name === 'q') narrowing.push(...searchTerms(path, rows).map((term) => pair('q', term)))
    else if (name === 'sort') narrowing.push(...(schema.enum ?? []).map((order) => pair('sort', order)))
    else if (!unvaried.has(name)) {
      const candidates = await values.queryValues(parameter, rows)
      narrowing.push(...(schema.enum ? candidates : candidates.slice(0, 2)).map((value) => pair(name, value)))
    }
  }
  const others = withQuery(required)
  const queries = narrowing.map((query) => withQuery(others.includes(`${query.split('=')[0]}=`) ? '' : others, query))
  if (!parameters.some(({ name }) => name === 'page')) return queries
  const lastPages: string[] = []
  for (const query of [required, ...queries]) {
    const answer = await values.read(withAddress(path, query))
    const lastPage = Math.ceil((answer?.meta?.total ?? 0) / pageSize)
    if (lastPage > 1) lastPages.push(withQuery(query, pair('page', String(lastPage))))
    if (answer?.meta?.next) lastPages.push(withQuery(query, pair('after', answer.meta.next)))
  }
  return [...queries, ...lastPages]
}

export const withAddress = (path: string, query: string) => (query ? `${path}?${query}` : path)
