import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type UnknownRow,
} from 'kysely'

/**
 * Names in code are camelCase, columns are snake_case. The compiler writes snake_case (`toColumn`), because Kysely's
 * plugin copies the whole tree of every query before compiling it, which costs more than the compiling.
 */
class ColumnNames extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs) {
    return node
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows ?? []
    if (!first) return result
    const names = Object.keys(first).map((column) => [column, this.camelCase(column)] as const)
    if (names.every(([column, name]) => name === column)) return result
    return { ...result, rows: result.rows.map((row) => rename(row, names)) }
  }

  toColumn(name: string): string {
    return this.snakeCase(name)
  }
}

function rename(row: UnknownRow, names: readonly (readonly [column: string, name: string])[]): UnknownRow {
  const renamed: UnknownRow = {}
  for (const [column, name] of names) renamed[name] = row[column]
  return renamed
}

export const columnNames = new ColumnNames()
