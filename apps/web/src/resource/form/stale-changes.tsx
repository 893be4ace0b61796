import { Alert, Button, Group, Table } from '@mantine/core'
import type { Entity } from '#entities/define/entity.ts'
import { declaredField } from '#entities/define/entity.ts'
import type { FieldValue, Row } from '#entities/define/row.ts'
import { useOptionTitle } from '#web/list/bar/row-choice.tsx'
import { FieldCell } from '#web/resource/field-cell.tsx'
import { useEntityWords } from '#web/resource/words.ts'
import classes from './stale-changes.module.css'

type Values = Record<string, FieldValue>
type Props = { entity: Entity; current: Row; values: Values; onKeep: () => void; onTake: () => void }

/** Compares the row another user saved meanwhile with the form's values, which are kept. */
export function StaleChanges({ entity, current, values, onKeep, onTake }: Props) {
  const { t, labelOf } = useEntityWords()
  const differing = Object.keys(values).filter(
    (key) => JSON.stringify(values[key]) !== JSON.stringify(current[key] ?? null),
  )
  return (
    <Alert
      color="orange"
      variant="light"
      title={t('staleTitle')}
      mb="md"
      role="alert"
      classNames={{ title: classes.title }}
    >
      {differing.length === 0 ? t('staleNone') : t('staleText')}
      {differing.length > 0 && (
        <Table mt="xs" style={{ overflowWrap: 'anywhere' }}>
          <Table.Thead>
            <Table.Tr>
              {['staleField', 'staleTheirs', 'staleYours'].map((key) => (
                <Table.Th key={key}>{t(key)}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {differing.map((key) => (
              <Table.Tr key={key}>
                <Table.Td>{labelOf(entity, key)}</Table.Td>
                <Table.Td>
                  <Shown entity={entity} name={key} value={current[key] as FieldValue} />
                </Table.Td>
                <Table.Td>
                  <Shown entity={entity} name={key} value={values[key] ?? null} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group mt="sm">
        <Button size="sm" onClick={onKeep}>
          {t('staleKeep')}
        </Button>
        <Button size="sm" variant="default" onClick={onTake}>
          {t('staleTake')}
        </Button>
      </Group>
    </Alert>
  )
}

function Shown({ entity, name, value }: { entity: Entity; name: string; value: FieldValue }) {
  const field = declaredField(entity, name)
  const title = useOptionTitle(
    field.kind === 'reference' ? field.to : undefined,
    typeof value === 'string' ? value : null,
  )
  return <FieldCell {...{ field, value, title }} />
}
