import { Anchor, Button, Group, Stack, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { titlesOf } from '#domain/audit/differences.ts'
import type { AuditEntry } from '#domain/audit/lists.ts'
import type { FieldValue, Titles } from '#entities/define/row.ts'
import { findEntity } from '#entities/index.ts'
import { dateTime } from '#locales/format.ts'
import { FieldCell } from '#web/resource/field-cell.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { useSurroundings } from '#web/ui/text/words.tsx'
import classes from './audit.module.css'
import { useAuditWords } from './words.ts'

/** One audit log entry in full: person, time, address, reason and changed fields. */
export function EntryDetails({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const { language } = useSurroundings()
  const words = useAuditWords()
  const { actor, subject } = entry
  const facts: [string, ReactNode][] = [
    [t('who'), `${words.who(entry)} · ${actor.role}`],
    [t('when'), dateTime(entry.at, language)],
    [t('record'), `${words.subjectType(subject.type)} · ${words.record(entry) ?? subject.id}`],
    ...(entry.reason ? [[t('reason'), entry.reason] as [string, ReactNode]] : []),
    [t('address'), entry.ip],
    [t('request'), entry.requestId],
  ]
  return (
    <Stack gap="md">
      <Facts facts={facts} />
      <Differences entry={entry} />
      <Group gap="xs">
        {subject.path && (
          <Button component={Link} to={subject.path} size="compact-md" variant="default" children={t('open')} />
        )}
        <Anchor
          component={Link}
          size="sm"
          to={`/settings/audit?${search({ subjectType: subject.type, subjectId: subject.id })}`}
        >
          {t('allOfRecord')}
        </Anchor>
        {actor.id && (
          <Anchor component={Link} size="sm" to={`/settings/audit?${search({ actorId: actor.id })}`}>
            {t('allOfActor')}
          </Anchor>
        )}
      </Group>
    </Stack>
  )
}

const search = (filter: Record<string, string>) => new URLSearchParams(filter).toString()

export function Differences({ entry }: { entry: AuditEntry }) {
  const { t } = useTranslation('audit')
  const words = useAuditWords()
  const rows = words.differences(entry)
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('nothingChanged')}
      </Text>
    )
  const [hadRow, hasRow] = [entry.before !== null, entry.after !== null]
  const { type } = entry.subject
  return (
    <Table className={classes.changes} aria-label={t('changes')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('field')}</Table.Th>
          {hadRow && <Table.Th>{t('before')}</Table.Th>}
          {hasRow && <Table.Th>{t('after')}</Table.Th>}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ field, before, after }) => (
          <Table.Tr key={field}>
            <Table.Th scope="row">{words.fieldLabel(type, field)}</Table.Th>
            {hadRow && (
              <Table.Td className={hasRow ? classes.before : undefined}>
                <Value type={type} field={field} value={before} title={titlesOf(entry.before)[field]} />
              </Table.Td>
            )}
            {hasRow && (
              <Table.Td>
                <Value type={type} field={field} value={after} title={titlesOf(entry.after)[field]} />
              </Table.Td>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** A value as its field displays it; a field without a declaration shows plain text. */
function Value({
  type,
  field,
  value,
  title,
}: {
  type: string
  field: string
  value: unknown
  title: unknown
}): ReactNode {
  const { say, language } = useSurroundings()
  const declaredField = findEntity(type)?.fields[field]
  if (value === null || value === undefined || value === '') return '—'
  if (declaredField && !declaredField.sensitive)
    return <FieldCell field={declaredField} value={value as FieldValue} title={title as Titles[string]} />
  if (typeof value === 'boolean') return say(value ? 'yes' : 'no')
  if (typeof value === 'string' && instantPattern.test(value)) return dateTime(value, language)
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return value.join(', ') || '—'
  if (typeof value === 'object') return <code className={classes.code}>{JSON.stringify(value, null, 1)}</code>
  return String(value)
}
