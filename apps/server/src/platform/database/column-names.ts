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
    const columns = Object.keys(first)
    const names = columns.map((column) => this.camelCase(column))
    if (names.every((name, index) => name === columns[index])) return result
    return { ...result, rows: result.rows.map((row) => rename(row, columns, names)) }
  }

  toColumn(name: string): string {
    return this.snakeCase(name)
  }
}

function rename(row: UnknownRow, columns: readonly string[], names: readonly string[]): UnknownRow {
  const renamed: UnknownRow = {}
  for (let index = 0; index < columns.length; index++) renamed[names[index]!] = row[columns[index]!]
  return renamed
}

export const columnNames = new ColumnNames()
