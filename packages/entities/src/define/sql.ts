import type { Field } from './field.ts'

/** PostgreSQL type of a field's column; a test compares it with the database. */
export function columnType(field: Field): string {
  switch (field.kind) {
    case 'text':
    case 'code':
    case 'multiline':
      return `varchar(${field.max})`
    case 'email':
      return 'varchar(254)'
    case 'phone':
      return 'varchar(20)'
    case 'integer':
    case 'basisPoints':
      return 'integer'
    case 'decimal':
      return 'numeric(12, 2)'
    case 'money':
      return 'bigint'
    case 'moneyList':
      return 'bigint[]'
    case 'date':
      return 'date'
    case 'dateTime':
      return 'timestamptz'
    case 'time':
      return 'time'
    case 'boolean':
      return 'boolean'
    case 'choice':
      return 'text'
    case 'multiChoice':
      return 'text[]'
    case 'reference':
    case 'file':
      return 'uuid'
    case 'multiReference':
      throw new Error('A multi-reference is kept in a joining table')
  }
}
