import type { CompiledQuery, RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** Stands for a value while its statement is built. */
class ValueMark {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }

  [Symbol.toPrimitive](): never {
    throw new Error(`The text of a compiled statement must not depend on "${this.name}"`)
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]()
  }
}

/**
 * A statement that is built and compiled at its first use and afterwards only gets other values: building a long one
 * takes longer than sending it and reading its row. `build` gets a stand-in for each value and takes each by its name; a
 * stand-in is always true, goes into SQL as it is, and throws where its text is asked for.
 */
export function compiledStatement<Values extends object, Row>(build: (values: Values) => RawBuilder<Row>) {
  let compiled: CompiledQuery | undefined
  return async (db: Db, values: Values): Promise<Row[]> => {
    compiled ??= build(marksOf<Values>()).compile(db)
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof ValueMark ? values[parameter.name as keyof Values] : parameter,
    )
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows
  }
}

const marksOf = <Values extends object>() =>
  new Proxy(
    {},
    {
      get: (_, name) => new ValueMark(String(name)),
      ownKeys: () => {
        throw new Error('The values of a compiled statement are taken by their names')
      },
    },
  ) as Values
