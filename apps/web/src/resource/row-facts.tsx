import { Text } from '@mantine/core'
import type { Entity } from '#entities/define/entity.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { dateTime } from '#locales/format.ts'
import { FieldCell } from './field-cell.tsx'
import classes from './row-facts.module.css'
import { useEntityWords } from './words.ts'

/** Everything a row says, with who changed it last. */
export function RowFacts({ entity, row }: { entity: Entity; row: Row }) {
  const { t, labelOf, language } = useEntityWords()
  const shown = Object.keys(entity.fields).filter((key) => row[key] !== null && row[key] !== undefined)
  return (
    <>
      <dl className={classes.facts}>
        {shown.map((key) => (
          <div key={key} style={{ display: 'contents' }}>
            <dt>{labelOf(entity, key)}</dt>
            <dd>
              <FieldCell field={entity.fields[key]!} value={row[key] as FieldValue} title={row.titles[key]} />
            </dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed" mt="md">
        {t('lastChanged', { when: dateTime(row.updatedAt, language) })}
      </Text>
    </>
  )
}
