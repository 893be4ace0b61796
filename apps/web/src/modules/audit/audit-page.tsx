import { Anchor, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type AuditEntry, listAudit } from '#domain/audit/endpoints.ts'
import { auditKindNames } from '#domain/audit/kinds.ts'
import { entities } from '#entities/index.ts'
import { shortDate, timeOfDay } from '#locales/format.ts'
import { useScreenTitle } from '#web/app/title.tsx'
import { ListPage } from '#web/list/data-list.tsx'
import type { Filter } from '#web/list/types.ts'
import { useSurroundings } from '#web/ui/words.tsx'
import { EntryDetails } from './entry-details.tsx'
import { useAuditWords } from './words.ts'

/** Who did what, newest first; nothing here can be changed by anybody. */
export default function AuditPage() {
  const { t } = useTranslation('audit')
  const title = useScreenTitle()
  const { language } = useSurroundings()
  const words = useAuditWords()
  const [open, setOpen] = useState<AuditEntry | null>(null)
  const kinds = [...auditKindNames, 'reading'] as const
  const filters: Filter[] = [
    {
      key: 'kind',
      label: t('kind'),
      kind: 'choice',
      choices: kinds.map((value) => ({ value, label: t(`kinds.${value}`) })),
    },
    { key: 'from', label: t('from'), kind: 'date' },
    { key: 'to', label: t('to'), kind: 'date' },
    { key: 'action', label: t('action'), kind: 'choice', choices: words.actions },
    {
      key: 'subjectType',
      label: t('recordType'),
      kind: 'choice',
      choices: [
        ...Object.entries(t('types', { returnObjects: true })).map(([value, label]) => ({ value, label })),
        ...entities.map(({ slug, label }) => ({ value: slug, label: label.one[language] })),
      ],
    },
    { key: 'subjectId', label: t('recordId'), kind: 'text' },
    { key: 'actorId', label: t('actor'), kind: 'text' },
    { key: 'ip', label: t('address'), kind: 'text' },
  ]
  return (
    <>
      <ListPage<AuditEntry>
        name="audit"
        title={title}
        endpoint={listAudit}
        endless
        defaultSort="-at"
        searchLabel={t('searchLabel')}
        rowId={(entry) => String(entry.id)}
        rowTitle={words.sentence}
        onOpen={setOpen}
        preview={(entry) => <EntryDetails entry={entry} />}
        exportPath="/settings/audit/export"
        filters={filters}
        columns={[
          { key: 'what', label: t('what'), cell: words.sentence },
          { key: 'record', label: t('record'), cell: (entry) => <Subject entry={entry} /> },
          { key: 'who', label: t('who'), cell: words.who },
          {
            key: 'at',
            label: t('when'),
            sort: true,
            cell: ({ at }) => (
              <span style={{ whiteSpace: 'nowrap' }}>
                {shortDate(at, language)}, {timeOfDay(at)}
              </span>
            ),
          },
          { key: 'role', label: t('role'), hidden: true, cell: (entry) => entry.actor.role },
          { key: 'ip', label: t('address'), cell: (entry) => entry.ip ?? '—' },
          { key: 'requestId', label: t('request'), hidden: true, cell: (entry) => entry.requestId ?? '—' },
          { key: 'reason', label: t('reason'), hidden: true, cell: (entry) => entry.reason ?? '—' },
        ]}
        empty={{ title: t('emptyTitle'), text: t('emptyText') }}
      />
      <Modal opened={open !== null} onClose={() => setOpen(null)} size="lg" title={open && words.sentence(open)}>
        {open && <EntryDetails entry={open} />}
      </Modal>
    </>
  )
}

function Subject({ entry }: { entry: AuditEntry }) {
  const { subjectType, record } = useAuditWords()
  const { subject } = entry
  const name = record(entry) ?? subjectType(subject.type)
  if (!subject.path) return <Text size="sm" c={subject.title ? undefined : 'dimmed'} children={name} />
  return <Anchor component={Link} to={subject.path} size="sm" children={name} />
}
