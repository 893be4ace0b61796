import { createHash } from 'node:crypto'
import { type BinaryOperationNode, OperatorNode, PostgresQueryCompiler, PrimitiveValueListNode } from 'kysely'
import type pg from 'pg'
import { columnNames } from './column-names.ts'

/**
 * Named statements: PostgreSQL parses and plans such a statement once per connection, which for a join of six tables
 * costs more than running it. Each one uses up to 80 kB per connection, so only frequent statements are named, at most
 * `maxNames`.
 */
const maxNames = 150
const maxCountedTexts = 2_000
const callsBeforeNaming = 8

/** `*` changes its columns with the table, after which a prepared statement fails (SQLSTATE 0A000). */
const hasAllColumns = (text: string) => /\*\s+from|returning \*|\."?\*/i.test(text)
const isNameable = (text: string) => /^\s*(?:with|select|insert|update|delete)\s/i.test(text) && !hasAllColumns(text)

/** Statements called fewer than `callsBeforeNaming` times in this span lose their names to others. */
const spanMs = 30 * 60_000

/**
 * Names of the statements of one process. `nameOf` counts a call and returns the statement's name, or null while it is
 * rare or may not be named.
 */
export function countStatements(nowMs: () => number = () => performance.now()) {
  const names = new Map<string, string>()
  const callCounts = new Map<string, number>()
  let spanStartMs = nowMs()

  const beginSpan = () => {
    spanStartMs = nowMs()
    for (const text of names.keys()) if ((callCounts.get(text) ?? 0) < callsBeforeNaming) names.delete(text)
    callCounts.clear()
  }

  return {
    nameOf(text: string): string | null {
      if (nowMs() - spanStartMs > spanMs) beginSpan()
      const name = names.get(text)
      if (!name && !isNameable(text)) return null
      const calls = (callCounts.get(text) ?? 0) + 1
      // Inserted again at the end, so that the map's first text is the least recently used one.
      callCounts.delete(text)
      callCounts.set(text, calls)
      if (callCounts.size > maxCountedTexts) callCounts.delete(callCounts.keys().next().value!)
      if (name || calls < callsBeforeNaming || names.size >= maxNames) return name ?? null
      const newName = `s_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
      names.set(text, newName)
      return newName
    },
  }
}

const comparisons: Record<string, { withOne: string; withArray: string }> = {
  in: { withOne: ' = ', withArray: ' = any(' },
  'not in': { withOne: ' <> ', withArray: ' <> all(' },
}

/**
 * Compiles a comparison with a list of values to a comparison with an array, so that the text is the same for every
 * length. A list with one value becomes a plain comparison: for an unknown array PostgreSQL assumes ten values, the
 * plan for the actual single value always looks cheaper, and so it would plan the statement again each time.
 */
export class ArrayQueryCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const comparison = OperatorNode.is(node.operator) ? comparisons[node.operator.operator] : undefined
    if (comparison && PrimitiveValueListNode.is(node.rightOperand)) {
      const { values } = node.rightOperand
      const isOne = values.length === 1
      this.visitNode(node.leftOperand)
      this.append(isOne ? comparison.withOne : comparison.withArray)
      this.appendValue(isOne ? values[0] : [...values])
      if (!isOne) this.append(')')
    } else super.visitBinaryOperation(node)
  }

  protected override sanitizeIdentifier(identifier: string): string {
    return super.sanitizeIdentifier(columnNames.toColumn(identifier))
  }
}

/** Sends frequent statements on a pool's connections as named statements. */
export function prepareStatements(pool: pg.Pool): void {
  const names = countStatements()
  pool.on('connect', (client) => prepareOn(client, names))
}

function prepareOn(client: pg.PoolClient, names: ReturnType<typeof countStatements>) {
  const send = client.query.bind(client) as (...args: unknown[]) => unknown
  const query = (...args: unknown[]) => {
    const [text, values] = args
    const name = typeof text === 'string' && Array.isArray(values) && args.length === 2 ? names.nameOf(text) : null
    return name ? send({ name, text, values }) : send(...args)
  }
  client.query = query as typeof client.query
}
