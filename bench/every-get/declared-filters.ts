import fs from 'node:fs'
import path from 'node:path'
import type { AnyList, ListFilter } from '#domain/list.ts'
import { endpointsOf } from '#entities/endpoints.ts'
import { entities } from '#entities/index.ts'

const domain = path.resolve(import.meta.dirname, '../../packages/domain/src')
const tablePaths = {
  accounts: '/api/settings/accounts?kind=staff',
  bankAccounts: '/api/bank-accounts',
  roles: '/api/settings/roles',
  statementImports: '/api/statements',
}

const isList = (value: unknown): value is AnyList => typeof value === 'object' && value !== null && 'filters' in value

async function declaredLists(): Promise<AnyList[]> {
  const files = fs.globSync('**/{lists,*endpoints}.ts', { cwd: domain })
  const modules = await Promise.all(files.map((file) => import(path.join(domain, file)) as Promise<object>))
  const ofEntities = entities.flatMap((entity): AnyList[] => [endpointsOf(entity).list, endpointsOf(entity).all])
  return [...modules.flatMap((module) => Object.values(module).filter(isList)), ...ofEntities]
}

/** Paths that list the rows a filter may name, by the filter's key. */
export async function pathsOfFilteredRows(): Promise<Map<string, string>> {
  const paths = new Map<string, string>()
  for (const { filters } of await declaredLists())
    for (const [key, filter] of Object.entries<ListFilter>(filters)) {
      if ('of' in filter) paths.set(key, `/api/master/${filter.of}`)
      else if ('kind' in filter && filter.kind === 'id') paths.set(key, tablePaths[filter.table])
    }
  return paths
}
